import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { JsonRpcId } from '../../protocol/jsonrpc.ts';

/** Beyond the delay that the server asked for: how long a stream may take to be resumed before it counts as lost. */
const RESUME_GRACE_MS = 10_000;

/**
 * Knows which requests still wait for an answer, and which HTTP exchange each depends on. An answer is looked for on
 * every stream, since servers put answers on the wrong one; only the exchange that carries a request can lose it.
 */
export interface RequestTracker {
  /** `exchange` carries a request, also when another exchange did before it (a redirect). */
  open(id: JsonRpcId, exchange: string): void;
  /** An answer has come, by whatever way. Ids that differ only by being text or number are the same to every SDK. */
  answered(id: JsonRpcId): void;
  /** What still waits on `exchange`. */
  waitingOn(exchange: string): readonly JsonRpcId[];
  /** Nothing more comes on `exchange`: what still waits on it is lost. */
  lose(exchange: string, failure: TransportFailure): void;
  /** As `lose`, unless the requests move to another exchange within `ms`. */
  loseAfter(ms: number, exchange: string, failure: TransportFailure): void;
  /** The stream of `exchange` ended at an event id, from which the client is expected to resume after `delayMs`. */
  awaitResumption(exchange: string, eventId: string, delayMs: number, failure: TransportFailure): void;
  /** `exchange` resumes from `eventId` and carries from now on what waited for that. */
  resume(eventId: string, exchange: string): void;
  /** All that wait are lost. */
  loseAll(failure: TransportFailure): void;
}

export function createRequestTracker(
  clock: Clock,
  onLose: (id: JsonRpcId, failure: TransportFailure) => void,
): RequestTracker {
  const waiting = new Map<string, { readonly id: JsonRpcId; readonly exchange: string }>();
  const ended = new Map<string, string>();
  const timers = new Set<Disposable>();

  function waitingOn(exchange: string): readonly JsonRpcId[] {
    return [...waiting.values()].filter((entry) => entry.exchange === exchange).map(({ id }) => id);
  }

  function lose(exchange: string, failure: TransportFailure): void {
    for (const id of waitingOn(exchange)) {
      waiting.delete(String(id));
      onLose(id, failure);
    }
  }

  function loseAfter(ms: number, exchange: string, failure: TransportFailure): void {
    const timer = clock.setTimer(ms, () => {
      timers.delete(timer);
      lose(exchange, failure);
    });
    timers.add(timer);
  }

  return {
    open: (id, exchange) => {
      waiting.set(String(id), { id, exchange });
    },
    answered: (id) => {
      waiting.delete(String(id));
    },
    waitingOn,
    lose,
    loseAfter,
    awaitResumption: (exchange, eventId, delayMs, failure) => {
      ended.set(eventId, exchange);
      loseAfter(delayMs + RESUME_GRACE_MS, exchange, failure);
    },
    resume: (eventId, exchange) => {
      const before = ended.get(eventId);
      ended.delete(eventId);
      for (const id of before === undefined ? [] : waitingOn(before)) {
        waiting.set(String(id), { id, exchange });
      }
    },
    loseAll: (failure) => {
      for (const timer of timers) {
        timer.dispose();
      }
      timers.clear();
      for (const { id } of [...waiting.values()]) {
        waiting.delete(String(id));
        onLose(id, failure);
      }
    },
  };
}
