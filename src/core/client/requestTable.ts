import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { LocalEndBody, Origin, TransportFailure } from '../../protocol/events.ts';
import { memberOf } from '../../protocol/json.ts';
import type { Envelope, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import type { AttemptEnd } from '../resilience/retryLoop.ts';
import { readEnvelope } from '../transport/envelope.ts';
import type { Frame, Wire } from '../transport/wire.ts';
import { errorOf, numberOf, stringOf } from './json.ts';

/** Both milliseconds from the moment of sending. */
export interface RequestLimits {
  /** Silence that ends the wait; progress starts it anew. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface OpenRequest {
  /** `_meta.progressToken` of the request; `undefined` for `initialize`, which is known by its method. */
  readonly token: string | undefined;
  /** Absent for a request that is to stay open, such as `subscriptions/listen`. */
  readonly limits: RequestLimits | undefined;
  readonly signal: AbortSignal;
  readonly origin: Origin;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Nothing else is on the wire, so that an answer that names no request can only be meant for this one. */
  readonly isAlone?: boolean;
}

export interface RequestTableOptions {
  readonly wire: Wire;
  readonly clock: Clock;
  /** Told of an end that no message tells, so that the log knows of it. */
  onLocalEnd(body: LocalEndBody, origin: Origin): void;
}

/** An ended attempt with the id of its request, if one was recorded. */
export interface SettledRequest extends AttemptEnd {
  readonly id: JsonRpcId | undefined;
}

/** Abort with this reason when the connection ends, so that the end says who cancelled. */
export const SHUTDOWN = 'shutdown';

/** How long the wire may take to show the end of a request that the engine has already given up, ms. */
const EVIDENCE_GRACE_MS = 1_000;
/**
 * How long the one waiting request may still take after an error that names no request, ms. It may be meant or not, so it is
 * not settled by it; but a server that could not read a request will not answer it either.
 */
const UNNAMED_ERROR_GRACE_MS = 5_000;

/**
 * A timer that fires later than this says that this process did not run meanwhile: the machine slept, or was held up. Answers may
 * have come that nobody could read, and what was told to be silent was not listened to: the limit starts anew, so that the server
 * is not blamed for it. At most so often for a request, since it must end.
 */
const LATE_MS = 1_000;
const MAX_RENEWALS = 3;

interface Entry {
  readonly request: OpenRequest;
  readonly startUs: number;
  id: JsonRpcId | undefined;
  /** The wire could not write it, although it had been recorded as sent. */
  isRefused: boolean;
  progressSeen: boolean;
  settle(end: RawEnd): void;
  restartIdle(ms?: number): void;
  extend(ms: number): void;
  resume(): void;
}

/**
 * The requests that wait for their end. What settles one is what the wire shows: the answer with its id, the loss of the
 * request or of the wire; or our own limits, or a cancel. The first wins. Requests are found by the token that they carry,
 * because the engine gives them their ids.
 */
export class RequestTable implements Disposable {
  private readonly byToken = new Map<string | undefined, Entry>();
  private readonly byId = new Map<string, Entry>();
  private readonly store = new DisposableStore();
  private readonly options: RequestTableOptions;
  private closedWith: TransportFailure | undefined;

  constructor(options: RequestTableOptions) {
    this.options = options;
    const { wire } = options;
    this.store.add(wire.onDidSend((frame) => this.sent(frame)));
    this.store.add(wire.onDidReceive((frame) => this.received(frame)));
    this.store.add(wire.onDidLoseRequest(({ id, failure }) => this.byId.get(String(id))?.settle(lost(failure))));
    this.store.add(wire.onDidClose((failure) => this.closed(failure)));
  }

  /** Waits for the end of a request that is about to be sent. Never rejects. */
  open(request: OpenRequest): Promise<SettledRequest> {
    if (this.closedWith !== undefined) {
      return Promise.resolve({ end: lost(this.closedWith), wasSent: false, id: undefined });
    }
    return new Promise((resolve) => {
      const { clock } = this.options;
      const { limits, signal } = request;
      const hanging = new DisposableStore();
      let idle: Disposable = { dispose: () => undefined };
      let total: Disposable = { dispose: () => undefined };
      const entry: Entry = {
        request,
        startUs: clock.monoUs(),
        id: undefined,
        isRefused: false,
        progressSeen: false,
        settle: (end) => {
          if (this.byToken.get(request.token) !== entry) {
            return;
          }
          this.byToken.delete(request.token);
          hanging.dispose();
          idle.dispose();
          total.dispose();
          if (entry.id !== undefined) {
            this.byId.delete(String(entry.id));
            this.tellLocalEnd(entry.id, end, request.origin);
          }
          resolve({ end, wasSent: entry.id !== undefined && !entry.isRefused, id: entry.id });
        },
        restartIdle: (ms) => {
          if (limits !== undefined) {
            armIdle(Math.min(limits.idleMs, ms ?? limits.idleMs));
          }
        },
        extend: (ms) => {
          if (limits !== undefined) {
            idle.dispose();
            armTotal(ms);
          }
        },
        resume: () => {
          if (limits !== undefined) {
            armTotal(limits.totalMs);
            entry.restartIdle();
          }
        },
      };
      const expire = (limit: 'idle' | 'total'): void => {
        const afterMs = (clock.monoUs() - entry.startUs) / 1000;
        entry.settle({ kind: 'timeout', limit, afterMs, progressSeen: entry.progressSeen });
      };
      const renewals = { idle: 0, total: 0 };
      /** Expires after `ms`, or renews the limit when that is only noticed long afterwards. */
      const arm = (limit: 'idle' | 'total', ms: number, renew: () => void): Disposable => {
        const dueUs = clock.monoUs() + ms * 1000;
        return clock.setTimer(ms, () => {
          if (clock.monoUs() - dueUs > LATE_MS * 1000 && renewals[limit] < MAX_RENEWALS) {
            renewals[limit] += 1;
            renew();
          } else {
            expire(limit);
          }
        });
      };
      const armIdle = (ms: number): void => {
        idle.dispose();
        idle = arm('idle', ms, () => armIdle(ms));
      };
      // The whole of it has passed, however little of that anybody was awake: as long as silence may last is enough for the rest.
      const armTotal = (ms: number): void => {
        total.dispose();
        total = arm('total', ms, () => armTotal(Math.min(ms, limits?.idleMs ?? ms)));
      };
      const onAbort = () => entry.settle({ kind: 'cancelled', by: signal.reason === SHUTDOWN ? 'shutdown' : 'user' });

      this.byToken.set(request.token, entry);
      if (signal.aborted) {
        onAbort();
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      hanging.defer(() => signal.removeEventListener('abort', onAbort));
      if (limits !== undefined) {
        armTotal(limits.totalMs);
      }
      entry.restartIdle();
    });
  }

  /**
   * The engine is done with a request, or has failed to send it: `failure` is the wire's word that it cannot have reached
   * the server. A request that was seen to leave is given a moment, as the wire knows more of its end, or of its own.
   */
  report(token: string | undefined, failure: TransportFailure | undefined, message: string): void {
    const entry = this.byToken.get(token);
    if (entry === undefined) {
      return;
    }
    const end = lost(failure ?? { reason: 'unknown', message });
    entry.isRefused = failure !== undefined;
    if (entry.id === undefined) {
      entry.settle(end);
    } else {
      this.store.add(this.options.clock.setTimer(EVIDENCE_GRACE_MS, () => entry.settle(end)));
    }
  }

  /** Gives every waiting request `ms` from now, in the place of its own limits: a person is asked something. */
  extend(ms: number): void {
    for (const entry of this.byToken.values()) {
      entry.extend(ms);
    }
  }

  /** Starts the own limits of every waiting request anew: the person has answered. */
  resume(): void {
    for (const entry of this.byToken.values()) {
      entry.resume();
    }
  }

  dispose(): void {
    this.closed({ reason: 'closed', message: 'The connection was closed.' });
    this.store.dispose();
  }

  private sent({ envelope }: Frame): void {
    if (envelope.kind !== 'request') {
      return;
    }
    const token = envelope.method === 'initialize' ? undefined : envelope.progressToken;
    if (token === undefined && envelope.method !== 'initialize') {
      return;
    }
    const entry = this.byToken.get(token === undefined ? undefined : String(token));
    if (entry !== undefined) {
      if (entry.id !== undefined) {
        // Sent again by the engine itself, after access was given.
        this.byId.delete(String(entry.id));
      }
      entry.id = envelope.id;
      this.byId.set(String(envelope.id), entry);
    }
  }

  private received(frame: Frame): void {
    if (frame.envelope.kind === 'batch' && Array.isArray(frame.message)) {
      for (const item of frame.message as readonly JsonValue[]) {
        this.answered(frame, readEnvelope(item), item);
      }
    } else {
      this.answered(frame, frame.envelope, frame.message);
    }
  }

  private answered(frame: Frame, envelope: Envelope, message: JsonValue | undefined): void {
    switch (envelope.kind) {
      case 'notification':
        if (envelope.method === 'notifications/progress') {
          this.progressed(memberOf(message, 'params'));
        } else if (envelope.method === 'notifications/cancelled') {
          this.ended(memberOf(memberOf(message, 'params'), 'requestId'));
        }
        return;
      case 'result':
        this.byId
          .get(String(envelope.id))
          ?.settle({ kind: 'result', result: memberOf(message, 'result') ?? null, raw: frame.raw });
        return;
      case 'error':
        this.settleUnnamed(envelope.id, frame, message, errorEnd(frame, message));
        return;
      case 'invalid':
        this.settleUnnamed(envelope.id, frame, message, {
          kind: 'invalid',
          raw: frame.raw,
          problem: envelope.problem,
        });
        return;
      default:
    }
  }

  /** A server ends what stays open by cancelling it (2026-07-28, `subscriptions/listen` over stdio), and nothing else so. */
  private ended(id: JsonValue | undefined): void {
    const entry = this.byId.get(String(id));
    if (entry !== undefined && entry.request.limits === undefined) {
      entry.settle(lost({ reason: 'stream-ended', message: 'The server ended the subscription.' }));
    }
  }

  private settleUnnamed(
    id: JsonRpcId | null | undefined,
    frame: Frame,
    message: JsonValue | undefined,
    end: RawEnd,
  ): void {
    const entry = this.answering(id, frame, message);
    if (entry !== undefined) {
      entry.settle(end);
      return;
    }
    const isUnnamed = (id === undefined || id === null) && frame.answers === undefined;
    const waiting = [...this.byId.values()].filter(({ request }) => request.limits !== undefined);
    if (isUnnamed && waiting.length === 1 && memberOf(message, 'error') !== undefined) {
      waiting[0]?.restartIdle(UNNAMED_ERROR_GRACE_MS);
    }
  }

  /** An answer without an id can only be told apart by the HTTP request it came with, or while `initialize` is alone. */
  private answering(id: JsonRpcId | null | undefined, frame: Frame, message: JsonValue | undefined): Entry | undefined {
    const named = frame.answers ?? id;
    if (named !== undefined && named !== null) {
      return this.byId.get(String(named));
    }
    const isAnswer = memberOf(message, 'error') !== undefined || memberOf(message, 'result') !== undefined;
    return isAnswer
      ? (this.byToken.get(undefined) ?? [...this.byToken.values()].find(({ request }) => request.isAlone === true))
      : undefined;
  }

  private progressed(params: JsonValue | undefined): void {
    const token = memberOf(params, 'progressToken');
    const entry = typeof token === 'string' ? this.byToken.get(token) : undefined;
    if (entry === undefined) {
      return;
    }
    entry.progressSeen = true;
    entry.restartIdle();
    const total = numberOf(params, 'total');
    const message = stringOf(params, 'message');
    entry.request.onProgress?.({
      progress: numberOf(params, 'progress') ?? 0,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }

  private closed(failure: TransportFailure): void {
    this.closedWith ??= failure;
    for (const entry of [...this.byToken.values()]) {
      entry.settle(lost(failure));
    }
  }

  private tellLocalEnd(id: JsonRpcId, end: RawEnd, origin: Origin): void {
    if (end.kind === 'timeout' || end.kind === 'cancelled' || end.kind === 'transport') {
      this.options.onLocalEnd({ kind: 'local-end', id, end }, origin);
    }
  }
}

function lost(failure: TransportFailure): RawEnd {
  return { kind: 'transport', failure };
}

function errorEnd(frame: Frame, message: JsonValue | undefined): RawEnd {
  return {
    kind: 'error',
    error: errorOf(memberOf(message, 'error')),
    raw: frame.raw,
    ...(frame.httpStatus === undefined ? {} : { httpStatus: frame.httpStatus }),
    ...(frame.retryAfterMs === undefined ? {} : { retryAfterMs: frame.retryAfterMs }),
    ...(frame.isSessionLost === undefined ? {} : { isSessionLost: frame.isSessionLost }),
  };
}
