import type { Judge, RawEnd } from '../../protocol/call.ts';
import type { LogEvent, TransportFailure } from '../../protocol/events.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import type { Verdict } from '../../protocol/outcome.ts';
import { isModern } from '../../protocol/revisions.ts';
import { isAmbiguous } from './chains.ts';
import type { ConnectionState } from './connectionState.ts';
import { type EndFirmness, type ExchangeState, endUsOf, judgedRequest, relate } from './exchangeState.ts';
import { get, getString } from './json.ts';
import type { ServerMemory } from './memory/serverMemory.ts';

/** What a handler of events works with. */
export interface Projection {
  readonly judge: Judge;
  /** Marks an exchange as changed by the event at hand. */
  touch(state: ExchangeState): void;
  /** What is remembered of the server that an exchange is with. */
  memoryOf(state: ExchangeState): ServerMemory;
}

/** Where in its message the answer lies: the index of the item of a batch, else nothing. */
export interface Place {
  readonly batchIndex?: number;
  /** The HTTP exchange that carried it, whose status may still come. */
  readonly http?: string;
}

/** Ends an exchange, or ends it anew when what was known was a guess. Learns from what the server said. */
export function settle(
  projection: Projection,
  connection: ConnectionState,
  state: ExchangeState,
  event: LogEvent,
  end: RawEnd,
  firmness: EndFirmness,
  place: Place = {},
): void {
  const previous = state.end?.seq;
  const failure = end.kind === 'transport' ? withTail(end.failure, connection) : undefined;
  const memory = projection.memoryOf(state);
  const subject = subjectOf(state);
  const history = state.method === 'tools/call' ? memory.of(state.method, state.target).history() : undefined;
  const known = {
    ...revisionOf(state, connection),
    ...(history === undefined ? {} : { history }),
    ...schemaOf(connection, subject),
  };
  const request = { ...judgedRequest(state, known), ...(subject === state ? {} : targetOf(subject)) };
  const verdict = projection.judge(request, failure === undefined ? end : { kind: 'transport', failure });
  state.verdict = place.batchIndex === undefined ? verdict : inBatch(verdict, place.batchIndex);
  state.end = { seq: event.seq, us: endUsOf(state, event), firmness };
  if (previous !== undefined) {
    relate(state, previous);
  }
  delete state.failure;
  if (failure !== undefined) {
    state.failure = failure;
  }
  if (end.kind === 'error' && place.http !== undefined) {
    state.errorEnd = end;
  }
  markEnd(connection, state);
  if (firmness === 'answer' && end.kind === 'result') {
    learn(connection, state, end.result);
    remember(memory, state, end.result);
  }
  memory.groups.end(state, end, projection.touch);
  if (firmness !== 'guess') {
    delete state.params;
  }
  connection.close(state);
  projection.touch(state);
}

/** Judges an error again, now that its HTTP status is known. */
export function judgeWithStatus(projection: Projection, state: ExchangeState, httpStatus: number): void {
  const end = state.errorEnd;
  delete state.errorEnd;
  if (end !== undefined) {
    state.verdict = projection.judge(judgedRequest(state, {}), { ...end, httpStatus });
  }
}

/** Who asked: of a request for the result of a task, the one that made the task, whose tool and schema count. */
function subjectOf(state: ExchangeState): ExchangeState {
  const run = state.group?.run;
  return run?.kind === 'task' && state.method.startsWith('tasks/') ? run.head : state;
}

function targetOf({ target }: ExchangeState): { readonly target?: string } {
  return target === undefined ? {} : { target };
}

/** A tool is known by its successes: how it answers, and how long that takes. */
function remember(memory: ServerMemory, state: ExchangeState, result: JsonValue): void {
  if (state.method === 'tools/call' && state.verdict?.outcome === 'success' && isObject(result)) {
    memory.of(state.method, state.target).learn(result);
  }
}

function markEnd(connection: ConnectionState, state: ExchangeState): void {
  state.marks.delete('ambiguous_delivery');
  const tool = state.target === undefined ? undefined : connection.tools.get(state.target);
  // Of a chain, the retry loop's own decision tells (see `Chains`).
  if (state.chain === undefined && tool?.isRepeatable !== true && isAmbiguous(state)) {
    state.marks.add('ambiguous_delivery');
  }
  // Any refusal says that the server is of the era with a handshake: expected, and no failure to be walked to.
  if (state.method === 'server/discover' && state.verdict?.outcome !== 'success') {
    state.marks.add('era_probe');
  }
  if (state.verdict?.signals.some(({ code }) => code === 'signal.more.cursor') === true) {
    state.marks.add('more_available');
  }
}

function schemaOf(connection: ConnectionState, state: ExchangeState): { readonly outputSchema?: JsonValue } {
  const isCall = state.method === 'tools/call' && state.target !== undefined;
  const schema = isCall ? connection.tools.get(state.target ?? '')?.outputSchema : undefined;
  return schema === undefined ? {} : { outputSchema: schema };
}

function withTail(failure: TransportFailure, connection: ConnectionState): TransportFailure {
  const tail = connection.stderrTail();
  return failure.stderrTail !== undefined || tail.length === 0 ? failure : { ...failure, stderrTail: tail };
}

/** Pointers of a verdict start at the message; in a batch the message is an item. */
function inBatch(verdict: Verdict, index: number): Verdict {
  return {
    ...verdict,
    signals: verdict.signals.map((signal) =>
      signal.pointer === undefined ? signal : { ...signal, pointer: `/${index}${signal.pointer}` },
    ),
  };
}

/** Remembers the revision of the handshake, and what tools were listed with. */
function learn(connection: ConnectionState, state: ExchangeState, result: JsonValue): void {
  if (!isObject(result) || state.initiator !== 'client') {
    return;
  }
  if (state.method === 'initialize') {
    connection.revision = getString(result, 'protocolVersion') ?? connection.revision;
    return;
  }
  if (isModern(state.revision)) {
    // A result, and no error, to a request of that revision: the server speaks it.
    connection.revision ??= state.revision;
  }
  const tools = state.method === 'tools/list' ? get(result, 'tools') : undefined;
  for (const tool of isArray(tools) ? tools : []) {
    const name = isObject(tool) ? getString(tool, 'name') : undefined;
    if (name === undefined || !isObject(tool)) {
      continue;
    }
    const schema = get(tool, 'outputSchema');
    const hints = get(tool, 'annotations');
    connection.tools.set(name, {
      ...(isObject(schema) ? { outputSchema: schema } : {}),
      isRepeatable: isObject(hints) && (get(hints, 'readOnlyHint') === true || get(hints, 'idempotentHint') === true),
    });
  }
}

/** The request's own revision, else that of the connection as it is by now. */
function revisionOf(state: ExchangeState, connection: ConnectionState): { readonly revision?: string } {
  const revision = state.revision ?? connection.revision;
  return revision === undefined ? {} : { revision };
}
