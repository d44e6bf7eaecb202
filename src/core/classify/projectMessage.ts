import { assertNever } from '../../base/assertNever.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { LogEvent, MessageBody } from '../../protocol/events.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import type { Envelope, JsonObject, JsonRpcErrorObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { anomalyOf } from './anomalies/anomalyOf.ts';
import type { Chains } from './chains.ts';
import { type ConnectionState, MAX_WAITING } from './connectionState.ts';
import { addAnomaly, beginExchange, type ExchangeState, endUsOf, relate } from './exchangeState.ts';
import { get, getString, parseJson, shorten } from './json.ts';
import { fingerprintOf } from './memory/fingerprint.ts';
import type { Link } from './memory/groups.ts';
import { envelopeOf, paramsOf, requestRevision, requestToken, targetOf, tokenOf } from './messageShape.ts';
import { type Projection, settle } from './settling.ts';

/** One message on its way through, whole or an item of a batch. */
export interface Passing {
  readonly event: LogEvent;
  readonly body: MessageBody;
  readonly envelope: Envelope;
  readonly message: JsonValue | undefined;
  readonly bytes: number;
  readonly batchIndex?: number;
}

/**
 * Where a message went. `begun`: it is a row's first. `settled`: it ended its request. `after`: its request had ended.
 * `about`: progress or cancellation of a request. `stray`: an answer that nobody waits for.
 */
export interface Placed {
  readonly as: 'begun' | 'settled' | 'after' | 'about' | 'stray';
  readonly state: ExchangeState;
  /** Of a request: who had its id before, and whether it goes on from an answer on record. */
  readonly displaced?: ExchangeState | undefined;
  readonly isIdReused?: boolean;
  readonly tokenHolder?: ExchangeState | undefined;
  readonly link?: Link;
  /** Of a message about a request: it had ended before. */
  readonly hadEnded?: boolean;
}

/** Told of each message once it has its place. */
export type MessageObserver = (connection: ConnectionState, passing: Passing, placed: Placed) => void;

/** Keys of rows that one event begins lie between its `seq` and the next, in the order of the batch. */
const BATCH_STEP = 2 ** -20;

/** Projects message events: requests, answers, notifications, and messages that are none of these. */
export class MessageProjector {
  private readonly projection: Projection;
  private readonly chains: Chains;
  private readonly observe: MessageObserver;

  constructor(projection: Projection, chains: Chains, observe: MessageObserver) {
    this.projection = projection;
    this.chains = chains;
    this.observe = observe;
  }

  /** Projects one message event on its connection. */
  push(connection: ConnectionState, event: LogEvent, body: MessageBody): void {
    const { envelope } = body;
    const message = parseJson(body.raw.charCodeAt(0) === 0xfeff ? body.raw.slice(1) : body.raw);
    if (envelope.kind !== 'batch' || !isArray(message)) {
      this.pass(connection, { event, body, envelope, message, bytes: body.bytes });
      return;
    }
    for (const [batchIndex, item] of message.entries()) {
      const bytes = batchIndex === 0 ? body.bytes : 0;
      this.pass(connection, { event, body, envelope: envelopeOf(item), message: item, bytes, batchIndex });
    }
  }

  private pass(connection: ConnectionState, passing: Passing): void {
    this.observe(connection, passing, this.place(connection, passing));
  }

  private place(connection: ConnectionState, passing: Passing): Placed {
    const { envelope } = passing;
    switch (envelope.kind) {
      case 'request':
        return this.request(connection, passing, envelope.id, envelope.method);
      case 'notification':
        return this.notification(connection, passing, envelope.method);
      case 'result':
        return this.answer(connection, passing, envelope.id);
      case 'error':
        return this.answer(connection, passing, envelope.id);
      case 'invalid':
        return this.answer(connection, passing, envelope.id ?? null);
      case 'batch':
        // A batch inside a batch, or one whose text is not the array that it was said to be.
        return this.stray(connection, passing, 'invalid-message');
      default:
        return assertNever(envelope);
    }
  }

  private request(connection: ConnectionState, passing: Passing, id: JsonRpcId, method: string): Placed {
    const { event, body, message } = passing;
    const params = paramsOf(message);
    const state = this.begin(passing, {
      kind: 'request',
      method,
      initiator: body.direction === 'sent' ? 'client' : 'server',
      target: targetOf(method, params),
      requestId: id,
      params,
    });
    const cursor = params === undefined ? undefined : getString(params, 'cursor');
    if (cursor !== undefined) {
      state.cursor = cursor;
    }
    if (method === 'tools/call') {
      state.fingerprint = fingerprintOf(params);
    }
    state.revision = requestRevision(params) ?? connection.revision;
    const isIdReused = connection.findRecent(state.initiator, id)?.isSameType === true;
    const displaced = connection.open(state, id);
    this.shed(connection, event);
    if (displaced !== undefined) {
      displaced.marks.add('superseded');
      displaced.end = { seq: event.seq, us: endUsOf(displaced, event), firmness: 'guess' };
      displaced.verdict = {
        outcome: 'cancelled',
        retry: 'never',
        signals: [{ code: 'signal.cancelled.superseded', strength: 'strong', args: {} }],
      };
      this.projection.touch(displaced);
    }
    const token = requestToken(params);
    const tokenHolder = token === undefined ? undefined : connection.findByToken(state.initiator, token);
    if (token !== undefined) {
      connection.setToken(state, token);
      for (const changed of this.chains.join(state, token)) {
        this.projection.touch(changed);
      }
    }
    if (body.http !== undefined) {
      connection.http.set(body.http, state);
    }
    const link = this.projection.memoryOf(state).groups.begin(state, this.projection.touch);
    this.projection.touch(state);
    return { as: 'begun', state, displaced, isIdReused, tokenHolder, link };
  }

  /** More requests wait than anybody can follow: the oldest stays as it is, and is forgotten. */
  private shed(connection: ConnectionState, event: LogEvent): void {
    const state = connection.shed();
    if (state !== undefined) {
      delete state.params;
      addAnomaly(state, anomalyOf('tooManyOpen', event.seq, { limit: MAX_WAITING }));
      this.projection.touch(state);
    }
  }

  private notification(connection: ConnectionState, passing: Passing, method: string): Placed {
    const { event, body, message } = passing;
    const params = paramsOf(message);
    const about = this.subjectOf(connection, passing, method);
    if (about !== undefined) {
      const hadEnded = about.end !== undefined;
      relate(about, event.seq);
      if (method === 'notifications/progress') {
        about.progressSeen = true;
      } else if (about.end === undefined) {
        // Our client's own word on it, if it gives one, is still to come.
        settle(this.projection, connection, about, event, { kind: 'cancelled', by: 'client' }, 'guess');
      }
      this.projection.touch(about);
      return { as: 'about', state: about, hadEnded };
    }
    const state = this.begin(passing, {
      kind: 'notification',
      method,
      initiator: body.direction === 'sent' ? 'client' : 'server',
      target: targetOf(method, params),
    });
    state.end = { seq: event.seq, us: endUsOf(state, event), firmness: 'answer' };
    if (body.http !== undefined && body.direction === 'sent') {
      connection.http.set(body.http, state);
    }
    state.revision = connection.revision;
    this.taskTold(state, method, params);
    this.projection.touch(state);
    return { as: 'begun', state };
  }

  /** `notifications/tasks/status` (2025-11-25) and `notifications/tasks` (2026-07-28) tell what became of a call. */
  private taskTold(state: ExchangeState, method: string, params: JsonObject | undefined): void {
    const taskId = params === undefined ? undefined : getString(params, 'taskId');
    if (taskId === undefined || params === undefined || !method.startsWith('notifications/tasks')) {
      return;
    }
    const { groups } = this.projection.memoryOf(state);
    const run = groups.taskOf(taskId);
    if (run !== undefined) {
      const request = { method: 'tasks/get', ...(run.head.target === undefined ? {} : { target: run.head.target }) };
      groups.told(run, this.projection.judge(request, { kind: 'result', result: params, raw: '' }), method);
      relate(run.head, state.key);
      this.projection.touch(run.head);
    }
  }

  /** The request that a notification of progress or cancellation is about. */
  private subjectOf(
    connection: ConnectionState,
    { body, message }: Passing,
    method: string,
  ): ExchangeState | undefined {
    const params = paramsOf(message);
    if (method === 'notifications/progress') {
      const token = tokenOf(params);
      return token === undefined
        ? undefined
        : connection.findByToken(body.direction === 'received' ? 'client' : 'server', token);
    }
    if (method !== 'notifications/cancelled' || params === undefined) {
      return undefined;
    }
    const id = get(params, 'requestId');
    if (typeof id !== 'string' && typeof id !== 'number') {
      return undefined;
    }
    // Who asked may cancel; a server also ends a subscription of ours in this way (2026-07-28, stdio).
    const asker = body.direction === 'sent' ? 'client' : 'server';
    const other = asker === 'client' ? 'server' : 'client';
    const found =
      connection.findWaiting(asker, id) ?? connection.findRecent(asker, id) ?? connection.findWaiting(other, id);
    return found?.state;
  }

  private answer(connection: ConnectionState, passing: Passing, id: JsonRpcId | null): Placed {
    const { event, body } = passing;
    const initiator = body.direction === 'received' ? 'client' : 'server';
    const found = id === null ? undefined : connection.findWaiting(initiator, id);
    const state = found?.state ?? this.carrier(connection, passing, id);
    if (state !== undefined) {
      if (found?.isSameType === false || (found === undefined && id !== null)) {
        state.marks.add('id_type_mismatch');
      }
      this.settleBy(connection, passing, state);
      return { as: 'settled', state };
    }
    const ended = id === null ? undefined : connection.findRecent(initiator, id)?.state;
    if (ended === undefined) {
      return this.stray(connection, passing, strayName(passing.envelope, id));
    }
    relate(ended, event.seq);
    ended.bytes += passing.bytes;
    ended.marks.add(ended.end?.firmness === 'answer' ? 'duplicate' : 'late');
    // It did arrive, after all.
    ended.marks.delete('ambiguous_delivery');
    this.projection.touch(ended);
    return { as: 'after', state: ended };
  }

  private settleBy(connection: ConnectionState, passing: Passing, state: ExchangeState): void {
    const { event, body, batchIndex } = passing;
    state.bytes += passing.bytes;
    if (batchIndex !== undefined) {
      state.marks.add('batch');
    }
    if (body.redactions !== undefined) {
      state.marks.add('redacted');
    }
    settle(this.projection, connection, state, event, endOf(passing), 'answer', {
      ...(batchIndex === undefined ? {} : { batchIndex }),
      ...(body.http === undefined ? {} : { http: body.http }),
    });
  }

  /**
   * The request that an answer without a usable id belongs to: the one whose HTTP exchange carried the answer, or the
   * handshake while it is alone. Nothing else may be settled by it.
   */
  private carrier(connection: ConnectionState, passing: Passing, id: JsonRpcId | null): ExchangeState | undefined {
    const { body, envelope, message } = passing;
    const isAnswer = isObject(message) && get(message, 'method') === undefined;
    if (body.direction !== 'received' || envelope.kind === 'result' || !isAnswer) {
      return undefined;
    }
    const carried = body.http === undefined ? undefined : connection.http.get(body.http);
    if (carried !== undefined && carried.kind === 'request' && carried.end === undefined) {
      return carried;
    }
    const waiting = connection.allWaiting('client');
    const [alone] = waiting;
    return id === null && waiting.length === 1 && alone?.method === 'initialize' ? alone : undefined;
  }

  /** A message that answers nothing that is known: a row of its own, never dropped. */
  private stray(connection: ConnectionState, passing: Passing, name: string): Placed {
    const { event, body, envelope, message } = passing;
    const state = this.begin(passing, {
      kind: 'noise',
      method: name,
      initiator: body.direction === 'sent' ? 'client' : 'server',
      target: shorten(body.raw.slice(0, 400), 200),
    });
    state.end = { seq: event.seq, us: endUsOf(state, event), firmness: 'answer' };
    if (envelope.kind === 'error' && envelope.id === null) {
      const verdict = this.projection.judge({ method: '' }, { kind: 'error', error: errorOf(message), raw: body.raw });
      const waiting = connection.allWaiting('client');
      const [alone] = waiting;
      const hint =
        alone !== undefined && waiting.length === 1
          ? [
              {
                code: 'signal.error.unassociated',
                strength: 'medium' as const,
                args: { method: alone.method, id: alone.requestId ?? '' },
              },
            ]
          : [];
      state.verdict = { ...verdict, retry: 'never', signals: [...verdict.signals, ...hint] };
    } else {
      const isUnknownId = envelope.kind === 'result' || envelope.kind === 'error';
      const args = isUnknownId
        ? { id: String(envelope.id) }
        : { problem: envelope.kind === 'invalid' ? envelope.problem : envelope.kind };
      const code = isUnknownId ? 'signal.invalid.unknownId' : 'signal.invalid.message';
      state.verdict = {
        outcome: 'invalid_response',
        retry: 'never',
        signals: [{ code, strength: 'proof', pointer: '', args }],
      };
    }
    state.revision = connection.revision;
    this.projection.touch(state);
    return { as: 'stray', state };
  }

  private begin(passing: Passing, start: Omit<Parameters<typeof beginExchange>[1], 'key' | 'bytes'>): ExchangeState {
    const { event, batchIndex, bytes } = passing;
    const key = batchIndex === undefined ? event.seq : event.seq + batchIndex * BATCH_STEP;
    const state = beginExchange(event, { ...start, key, bytes });
    if (batchIndex !== undefined) {
      state.marks.add('batch');
    }
    if (passing.body.redactions !== undefined) {
      state.marks.add('redacted');
    }
    return state;
  }
}

function strayName(envelope: Envelope, id: JsonRpcId | null): string {
  if (envelope.kind === 'error' && id === null) {
    return 'unassociated-error';
  }
  if (envelope.kind === 'invalid') {
    return envelope.problem === 'empty-batch' || envelope.problem === 'not-json' ? envelope.problem : 'invalid-message';
  }
  return 'unknown-id';
}

function endOf({ envelope, message, body }: Passing): RawEnd {
  if (envelope.kind === 'result' && isObject(message)) {
    return { kind: 'result', result: get(message, 'result') ?? null, raw: body.raw };
  }
  if (envelope.kind === 'error') {
    return { kind: 'error', error: errorOf(message), raw: body.raw };
  }
  return { kind: 'invalid', raw: body.raw, problem: envelope.kind === 'invalid' ? envelope.problem : envelope.kind };
}

function errorOf(message: JsonValue | undefined): JsonRpcErrorObject {
  const error = isObject(message) ? get(message, 'error') : undefined;
  const code = isObject(error) ? get(error, 'code') : undefined;
  const data = isObject(error) ? get(error, 'data') : undefined;
  return {
    code: typeof code === 'number' ? code : 0,
    message: isObject(error) ? (getString(error, 'message') ?? '') : '',
    ...(data === undefined ? {} : { data }),
  };
}
