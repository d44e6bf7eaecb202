import type { TextArgs } from '../../base/text.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { AttemptBody, ChainId, ServerId } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import type { ServerPool } from '../client/pool.ts';
import type { Progress } from '../client/requestTable.ts';
import type { Idempotency } from '../resilience/idempotency.ts';
import type { ReplayPolicy } from '../resilience/policy.ts';

export interface ReplayRequest {
  /** Key of the exchange to repeat. */
  readonly key: number;
  readonly server: ServerId;
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly policy: ReplayPolicy;
}

export interface ReplayOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onAttempt?: ((attempt: AttemptBody) => void) | undefined;
}

/** Why a person must say yes first. `code` names a sentence in `protocol/texts.ts`. */
export interface ConfirmReason {
  readonly code: string;
  readonly args: TextArgs;
}

/**
 * Sends a recorded request again, through the same door as any call, so that its effects come back through the tap. A
 * request that is not known to be safe asks `confirm` first; a no is the outcome `cancelled` without an attempt. The yes
 * covers the attempts that the policy asks for. Never rejects.
 */
export async function replay(
  pool: Pick<ServerPool, 'call' | 'idempotencyOf'>,
  request: ReplayRequest,
  confirm: (why: ConfirmReason) => Promise<boolean>,
  options: ReplayOptions = {},
): Promise<CallOutcome> {
  const { key, server, method, params, policy } = request;
  const idempotency = pool.idempotencyOf(server, method, params);
  if (!idempotency.isIdempotent && !(await isYes(confirm, confirmReason(request, idempotency)))) {
    return {
      kind: 'cancelled',
      detail: { signals: [], retry: 'never', end: { kind: 'cancelled', by: 'user' } },
      chain: '' as ChainId,
      attempts: [],
      stopped: 'replay.notConfirmed',
    };
  }
  return await pool.call(
    { server, method, params, origin: 'replay', replayOf: key },
    { ...options, policy, isConfirmed: true },
  );
}

/**
 * One sentence on what a replay changed, for the person who asked for it: `code` names it in `protocol/texts.ts`; `before`
 * and `after` are outcome kinds, to be put into words by whoever shows it.
 */
export function compareOutcomes(
  before: OutcomeKind | undefined,
  after: CallOutcome,
): { readonly code: 'replay.same' | 'replay.changed'; readonly args: TextArgs } {
  const timeMs = after.attempts.reduce((sum, attempt) => sum + attempt.delayMs + attempt.durationMs, 0);
  return {
    code: before === after.kind ? 'replay.same' : 'replay.changed',
    args: {
      before: before ?? 'pending',
      after: after.kind,
      attempts: after.attempts.length,
      timeMs: Math.round(timeMs),
    },
  };
}

function confirmReason({ server, method, params }: ReplayRequest, { reason }: Idempotency): ConfirmReason {
  const name = params?.['name'];
  return {
    code: reason.replace('notIdempotent.', 'replay.confirm.'),
    args: { server, target: method === 'tools/call' && typeof name === 'string' ? name : method },
  };
}

/** A question that fails is not a yes. */
async function isYes(confirm: (why: ConfirmReason) => Promise<boolean>, why: ConfirmReason): Promise<boolean> {
  try {
    return await confirm(why);
  } catch {
    return false;
  }
}
