import type { TextArgs } from '../../base/text.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { AttemptBody, ServerId } from '../../protocol/events.ts';
import type { ServerPool } from '../client/pool.ts';
import { callKey, LoopGuard } from '../resilience/loopGuard.ts';
import { type ReplayRequest, replay } from './replay.ts';

/** Calls that are replayed at once at most; more is a slip, or wants a filter. */
export const MAX_REPLAYS = 500;

/** Somewhere to send to, and what to do when that is done with. */
export interface Lease {
  readonly pool: Pick<ServerPool, 'call' | 'idempotencyOf' | 'connect' | 'listed'>;
  /** Ends what was started for this replay alone. */
  release(): Promise<void>;
}

/** What became of one of many: `skipped` was not sent, and `code` names the sentence that says why. */
export type ReplayedItem =
  | { readonly kind: 'replayed'; readonly outcome: CallOutcome }
  | { readonly kind: 'skipped'; readonly code: string; readonly args: TextArgs };

export interface ManyOptions {
  /** Replays that one server gets at a time. */
  readonly perServer: number;
  /** Failures of the same call in a row after which it is not sent again; 0 turns that off. */
  readonly loopLimit: number;
  readonly signal: AbortSignal;
  /** A person has said yes to these although they are not known to be safe. */
  readonly isConfirmed: (index: number) => boolean;
  /** Something to send request number `index` over; `undefined` when there is nothing. */
  readonly lease: (server: ServerId, index: number) => Promise<Lease | undefined>;
  readonly onAttempt?: (index: number, attempt: AttemptBody) => void;
  readonly onEnd?: (index: number, item: ReplayedItem) => void;
}

/**
 * Replays many calls: each server gets `perServer` at a time, and one that hangs holds up no other's. What is not known to
 * be safe and was not confirmed is not sent, nor what has failed too often in a row, nor anything after `signal` aborts.
 * Gives what became of each, in their order. Never rejects as long as `lease` does not.
 */
export async function replayMany(
  requests: readonly ReplayRequest[],
  options: ManyOptions,
): Promise<readonly ReplayedItem[]> {
  const items = new Map<number, ReplayedItem>();
  const end = (index: number, item: ReplayedItem) => {
    items.set(index, item);
    options.onEnd?.(index, item);
  };
  const queues = new Map<ServerId, number[]>();
  requests.forEach(({ server }, index) => {
    if (index >= MAX_REPLAYS) {
      end(index, { kind: 'skipped', code: 'replay.skipped.tooMany', args: { limit: MAX_REPLAYS } });
    } else {
      queues.set(server, [...(queues.get(server) ?? []), index]);
    }
  });
  await Promise.all(
    [...queues.values()].flatMap((queue) => {
      const loops = new LoopGuard();
      const workers = Math.max(1, Math.min(options.perServer, queue.length));
      return Array.from({ length: workers }, async () => {
        for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
          const request = requests[index];
          if (request !== undefined) {
            end(index, await replayOne(request, index, loops, options));
          }
        }
      });
    }),
  );
  return requests.map((_, index) => items.get(index) ?? SKIPPED_CANCELLED);
}

const SKIPPED_CANCELLED: ReplayedItem = { kind: 'skipped', code: 'replay.skipped.cancelled', args: {} };

async function replayOne(
  request: ReplayRequest,
  index: number,
  loops: LoopGuard,
  options: ManyOptions,
): Promise<ReplayedItem> {
  const { signal, loopLimit } = options;
  if (signal.aborted) {
    return SKIPPED_CANCELLED;
  }
  const key = callKey(request.method, request.params);
  const loop = loops.check(key, loopLimit);
  if (loop !== undefined) {
    return { kind: 'skipped', code: 'replay.skipped.loop', args: { count: loop.count } };
  }
  const lease = await options.lease(request.server, index);
  if (lease === undefined) {
    return { kind: 'skipped', code: 'replay.skipped.notOpened', args: {} };
  }
  const { pool, release } = lease;
  try {
    let asked: ReplayedItem | undefined;
    const outcome = await replay(
      pool,
      request,
      async ({ code, args }) => {
        asked = { kind: 'skipped', code, args };
        return options.isConfirmed(index);
      },
      { signal, onAttempt: (attempt) => options.onAttempt?.(index, attempt) },
    );
    if (outcome.stopped === 'replay.notConfirmed' && asked !== undefined) {
      return asked;
    }
    loops.ended(() => key, outcome);
    return outcome.attempts.length === 0 && signal.aborted ? SKIPPED_CANCELLED : { kind: 'replayed', outcome };
  } finally {
    await release();
  }
}
