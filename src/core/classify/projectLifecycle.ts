import { assertNever } from '../../base/assertNever.ts';
import type { HttpBody, LifecycleStep, LocalEndBody, LogEvent, TransportFailure } from '../../protocol/events.ts';
import type { Signal, Verdict } from '../../protocol/outcome.ts';
import type { ConnectionState } from './connectionState.ts';
import { beginExchange, type ExchangeState, endUsOf, relate } from './exchangeState.ts';
import { judgeWithStatus, type Projection, settle } from './settling.ts';

const CONNECT = 'connect';
/** A process that ended by itself after it was connected: where it happened, not where it was started. */
const EXIT = 'exit';
const CRASH_LOOP = 'crash-loop';
/** Reasons that only say that we closed what had failed for another reason before. */
const AFTERMATH: ReadonlySet<TransportFailure['reason']> = new Set(['closed', 'unknown']);

/**
 * Projects the life of a connection: a row for its start and how that went, one more where its process ended by itself later,
 * one for the verdict that it goes on crashing; and the end of all that waited on it.
 */
export function projectLifecycle(
  projection: Projection,
  connection: ConnectionState,
  event: LogEvent,
  detail: LifecycleStep,
): void {
  switch (detail.step) {
    case 'spawn':
      connection.hasProcess = true;
      startRow(projection, connection, event, 0);
      return;
    case 'connecting':
      startRow(projection, connection, event, 0);
      return;
    case 'initialized':
      connection.revision = detail.revision;
      connection.wasUp = true;
      initialized(projection, startRow(projection, connection, event, detail.durationUs), event);
      return;
    case 'failed':
      startRow(projection, connection, event, detail.durationUs);
      lost(projection, connection, event, detail.failure);
      return;
    case 'exited':
      exited(projection, connection, event, detail);
      return;
    case 'shutdown':
      note(projection, connection, event);
      if (detail.action === 'closed' && !connection.hasProcess) {
        ended(projection, connection, event);
      }
      return;
    case 'crash-loop':
      crashLoop(projection, connection, event, detail);
      return;
    case 'started':
    case 'backoff':
    case 'breaker':
      note(projection, connection, event);
      return;
    default:
      assertNever(detail);
  }
}

/** The row of the connection, begun with this event unless it is there already. */
function startRow(
  projection: Projection,
  connection: ConnectionState,
  event: LogEvent,
  durationUs: number,
): ExchangeState {
  if (connection.row === undefined) {
    const begun = { ...event, wallUs: event.wallUs - durationUs, monoUs: event.monoUs - durationUs };
    connection.row = beginExchange(begun, { kind: 'connection', method: CONNECT, initiator: 'client' });
  } else {
    relate(connection.row, event.seq);
  }
  projection.touch(connection.row);
  return connection.row;
}

function note(projection: Projection, connection: ConnectionState, event: LogEvent): void {
  if (connection.row !== undefined) {
    relate(connection.row, event.seq);
    projection.touch(connection.row);
  }
}

function initialized(projection: Projection, row: ExchangeState, event: LogEvent): void {
  row.end = { seq: event.seq, us: endUsOf(row, event), firmness: 'answer' };
  row.verdict = { outcome: 'success', retry: 'never', signals: [] };
  projection.touch(row);
}

function exited(
  projection: Projection,
  connection: ConnectionState,
  event: LogEvent,
  detail: Extract<LifecycleStep, { step: 'exited' }>,
): void {
  if (detail.expected) {
    note(projection, connection, event);
    ended(projection, connection, event);
    return;
  }
  // Of a connection whose beginning is not in this log, it is the end alone that is known.
  if (connection.wasUp || !connection.hasProcess) {
    connection.wasUp = true;
    connection.row = beginExchange(event, { kind: 'connection', method: EXIT, initiator: 'client' });
  } else {
    startRow(projection, connection, event, 0);
  }
  lost(projection, connection, event, {
    reason: 'exited',
    message:
      detail.signal === null
        ? `The server exited with code ${detail.code}.`
        : `The server was ended by ${detail.signal}.`,
    exitCode: detail.code,
    exitSignal: detail.signal,
  });
}

/** Shut down on purpose: what still waits is cancelled, unless our client says otherwise. */
function ended(projection: Projection, connection: ConnectionState, event: LogEvent): void {
  connection.hasEnded = true;
  const { row } = connection;
  if (row !== undefined && row.end === undefined) {
    settle(projection, connection, row, event, { kind: 'cancelled', by: 'shutdown' }, 'guess');
  }
  for (const waiting of connection.allWaiting()) {
    settle(projection, connection, waiting, event, { kind: 'cancelled', by: 'shutdown' }, 'guess');
  }
}

/** The connection failed: its row says why, and so does everything that waited on it, at once. */
function lost(projection: Projection, connection: ConnectionState, event: LogEvent, failure: TransportFailure): void {
  const { row } = connection;
  connection.hasEnded = true;
  if (row?.failure !== undefined) {
    // Told again, by the launch after the wire: the first word stands, and what it left open is filled in.
    row.failure = AFTERMATH.has(failure.reason) ? row.failure : { ...failure, ...row.failure };
    relate(row, event.seq);
    projection.touch(row);
  } else if (row !== undefined) {
    settle(projection, connection, row, event, { kind: 'transport', failure }, 'guess');
    row.verdict = forConnection(row.verdict, failure, connection.wasUp);
  }
  for (const waiting of connection.allWaiting()) {
    settle(projection, connection, waiting, event, { kind: 'transport', failure }, 'guess');
  }
}

/** The supervisor's verdict, in a row of its own: what happened, and that somebody has to mend it. */
function crashLoop(
  projection: Projection,
  connection: ConnectionState,
  event: LogEvent,
  { crashes, withinMs, failure }: Extract<LifecycleStep, { step: 'crash-loop' }>,
): void {
  const row = beginExchange(event, { kind: 'connection', method: CRASH_LOOP, initiator: 'client' });
  settle(projection, connection, row, event, { kind: 'transport', failure }, 'guess');
  const signals: readonly Signal[] = [
    {
      code: 'signal.connection.crashLoop',
      strength: 'proof',
      args: { crashes, minutes: Math.round(withinMs / 60_000) },
    },
    ...asConnection(row.verdict?.signals ?? []),
  ];
  row.verdict = { outcome: 'transport_error', retry: 'after_fix', signals };
  projection.touch(row);
}

/** What is said of a request that was waiting is said of the connection itself. */
function asConnection(signals: readonly Signal[]): readonly Signal[] {
  return signals.map((signal) =>
    signal.code === 'signal.transport.exited' ? { ...signal, code: 'signal.connection.exited' } : signal,
  );
}

/** A connection has no side effect: one that was up may be made again, one that could not start needs mending. */
function forConnection(verdict: Verdict | undefined, failure: TransportFailure, wasUp: boolean): Verdict {
  const base = verdict ?? { outcome: 'transport_error', retry: 'after_fix', signals: [] };
  if (wasUp) {
    return { ...base, retry: 'safe', signals: asConnection(base.signals) };
  }
  return failure.reason === 'exited' ? { ...base, retry: 'after_fix' } : base;
}

/** A local end settles its request, over a guess too; an answer that came first stands. */
export function projectLocalEnd(
  projection: Projection,
  connection: ConnectionState,
  event: LogEvent,
  { id, end }: LocalEndBody,
): void {
  const state = (connection.findWaiting('client', id) ?? connection.findRecent('client', id))?.state;
  if (state === undefined) {
    return;
  }
  if (state.end === undefined || state.end.firmness === 'guess') {
    settle(projection, connection, state, event, end, 'local');
  } else {
    relate(state, event.seq);
    projection.touch(state);
  }
}

/** An HTTP exchange belongs to what it carried. One that carried nothing and failed is a row of its own. Gives the row, if any. */
export function projectHttp(
  projection: Projection,
  connection: ConnectionState,
  event: LogEvent,
  body: HttpBody,
): ExchangeState | undefined {
  const named =
    body.requestId === undefined
      ? undefined
      : (connection.findWaiting('client', body.requestId) ?? connection.findRecent('client', body.requestId));
  const state = connection.http.get(body.id) ?? named?.state;
  connection.http.delete(body.id);
  if (state === undefined) {
    if (body.failure !== undefined) {
      return loneHttp(projection, event, body, body.failure);
    }
    return undefined;
  }
  relate(state, event.seq);
  if (body.status !== undefined) {
    judgeWithStatus(projection, state, body.status);
  }
  const isRedirect = body.status !== undefined && body.status >= 300 && body.status < 400;
  if (body.failure !== undefined && state.kind === 'notification') {
    state.verdict = projection.judge({ method: state.method }, { kind: 'transport', failure: body.failure });
    state.failure = body.failure;
  } else if (body.failure !== undefined && state.end === undefined && !isRedirect) {
    settle(projection, connection, state, event, { kind: 'transport', failure: body.failure }, 'guess');
  }
  projection.touch(state);
  return state;
}

function loneHttp(projection: Projection, event: LogEvent, body: HttpBody, failure: TransportFailure): ExchangeState {
  const state = beginExchange(event, {
    kind: 'noise',
    method: 'http',
    initiator: 'client',
    target: `${body.method} ${body.status ?? failure.reason}`,
  });
  state.end = { seq: event.seq, us: endUsOf(state, event), firmness: 'answer' };
  state.verdict = projection.judge({ method: 'http' }, { kind: 'transport', failure });
  state.failure = failure;
  projection.touch(state);
  return state;
}
