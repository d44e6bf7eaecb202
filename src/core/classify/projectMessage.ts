import { assertNever } from '../../base/assertNever.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { LogEvent, MessageBody } from '../../protocol/events.ts';
import type { Envelope, JsonRpcErrorObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import type { Chains } from './chains.ts';
import type { ConnectionState } from './connectionState.ts';
import { beginExchange, type ExchangeState, relate } from './exchangeState.ts';
import { get, getString, isArray, isObject, parseJson, shorten } from './json.ts';
import { envelopeOf, paramsOf, requestToken, targetOf, tokenOf } from './messageShape.ts';
import { type Projection, settle } from './settling.ts';

/** One message on its way through, whole or an item of a batch. */
interface Passing {
  readonly event: LogEvent;
  readonly body: MessageBody;
  readonly envelope: Envelope;
  readonly message: JsonValue | undefined;
  readonly bytes: number;
  readonly batchIndex?: number;
}

/** Keys of rows that one event begins lie between its `seq` and the next, in the order of the batch. */
const BATCH_STEP = 2 ** -20;

/** Projects message events: requests, answers, notifications, and messages that are none of these. */
export class MessageProjector {
  private readonly projection: Projection;
  private readonly chains: Chains;

  constructor(projection: Projection, chains: Chains) {
    this.projection = projection;
    this.chains = chains;
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
    const { envelope } = passing;
    switch (envelope.kind) {
      case 'request':
        this.request(connection, passing, envelope.id, envelope.method);
        return;
      case 'notification':
        this.notification(connection, passing, envelope.method);
        return;
      case 'result':
        this.answer(connection, passing, envelope.id);
        return;
      case 'error':
        this.answer(connection, passing, envelope.id);
        return;
      case 'invalid':
        this.answer(connection, passing, envelope.id ?? null);
        return;
      case 'batch':
        // A batch inside a batch, or one whose text is not the array that it was said to be.
        this.stray(connection, passing, 'invalid-message');
        return;
      default:
        assertNever(envelope);
    }
  }

  private request(connection: ConnectionState, passing: Passing, id: JsonRpcId, method: string): void {
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
    const displaced = connection.open(state, id);
    if (displaced !== undefined) {
      displaced.marks.add('superseded');
      displaced.end = { seq: event.seq, us: event.wallUs, firmness: 'guess' };
      displaced.verdict = {
        outcome: 'cancelled',
        retry: 'never',
        signals: [{ code: 'signal.cancelled.superseded', strength: 'strong', args: {} }],
      };
      this.projection.touch(displaced);
    }
    const token = requestToken(params);
    if (token !== undefined) {
      connection.setToken(state, token);
      for (const changed of this.chains.join(state, token)) {
        this.projection.touch(changed);
      }
    }
    if (body.http !== undefined) {
      connection.http.set(body.http, state);
    }
    this.projection.touch(state);
  }

  private notification(connection: ConnectionState, passing: Passing, method: string): void {
    const { event, body, message } = passing;
    const params = paramsOf(message);
    const about = this.subjectOf(connection, passing, method);
    if (about !== undefined) {
      relate(about, event.seq);
      if (method === 'notifications/progress') {
        about.progressSeen = true;
      } else if (about.end === undefined) {
        // Our client's own word on it, if it gives one, is still to come.
        settle(this.projection, connection, about, event, { kind: 'cancelled', by: 'client' }, 'guess');
      }
      this.projection.touch(about);
      return;
    }
    const state = this.begin(passing, {
      kind: 'notification',
      method,
      initiator: body.direction === 'sent' ? 'client' : 'server',
      target: targetOf(method, params),
    });
    state.end = { seq: event.seq, us: event.wallUs, firmness: 'answer' };
    if (body.http !== undefined && body.direction === 'sent') {
      connection.http.set(body.http, state);
    }
    this.projection.touch(state);
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

  private answer(connection: ConnectionState, passing: Passing, id: JsonRpcId | null): void {
    const { event, body } = passing;
    const initiator = body.direction === 'received' ? 'client' : 'server';
    const found = id === null ? undefined : connection.findWaiting(initiator, id);
    const state = found?.state ?? this.carrier(connection, passing, id);
    if (state !== undefined) {
      if (found?.isSameType === false || (found === undefined && id !== null)) {
        state.marks.add('id_type_mismatch');
      }
      this.settleBy(connection, passing, state);
      return;
    }
    const ended = id === null ? undefined : connection.findRecent(initiator, id)?.state;
    if (ended === undefined) {
      this.stray(connection, passing, strayName(passing.envelope, id));
      return;
    }
    relate(ended, event.seq);
    ended.bytes += passing.bytes;
    ended.marks.add(ended.end?.firmness === 'answer' ? 'duplicate' : 'late');
    // It did arrive, after all.
    ended.marks.delete('ambiguous_delivery');
    this.projection.touch(ended);
  }

  private settleBy(connection: ConnectionState, passing: Passing, state: ExchangeState): void {
    const { event, body, batchIndex } = passing;
    state.bytes += passing.bytes;
    if (batchIndex !== undefined) {
      state.marks.add('batch');
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
  private stray(connection: ConnectionState, passing: Passing, name: string): void {
    const { event, body, envelope, message } = passing;
    const state = this.begin(passing, {
      kind: 'noise',
      method: name,
      initiator: body.direction === 'sent' ? 'client' : 'server',
      target: shorten(body.raw.slice(0, 400), 200),
    });
    state.end = { seq: event.seq, us: event.wallUs, firmness: 'answer' };
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
    this.projection.touch(state);
  }

  private begin(passing: Passing, start: Omit<Parameters<typeof beginExchange>[1], 'key' | 'bytes'>): ExchangeState {
    const { event, batchIndex, bytes } = passing;
    const key = batchIndex === undefined ? event.seq : event.seq + batchIndex * BATCH_STEP;
    const state = beginExchange(event, { ...start, key, bytes });
    if (batchIndex !== undefined) {
      state.marks.add('batch');
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
