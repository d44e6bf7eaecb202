import type { Clock, Random } from '../../base/clock.ts';
import type { AttemptSummary, CallOutcome, RawEnd } from '../../protocol/call.ts';
import type { AttemptBody, ChainId } from '../../protocol/events.ts';
import type { OutcomeKind, Verdict } from '../../protocol/outcome.ts';
import { firstBackoff } from './backoff.ts';
import type { Idempotency } from './idempotency.ts';
import { boundPolicy, type RetrySettings } from './policy.ts';
import type { RetryBudget } from './retryBudget.ts';
import {
  decideRetry,
  type Reach,
  type RetryCause,
  type RetryDecision,
  type RetryRow,
  retryRow,
} from './retryDecision.ts';

/** How one attempt ended, and whether its request can have reached the server. */
export interface AttemptEnd {
  readonly end: RawEnd;
  readonly wasSent: boolean;
}

export type LoopPolicy = Pick<
  RetrySettings,
  'maxAttempts' | 'baseMs' | 'factor' | 'capMs' | 'jitter' | 'retryAfterCapMs'
> & {
  /** See `RetryFacts.asked`. */
  readonly asked?: ReadonlySet<OutcomeKind> | undefined;
};

export interface LoopOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly chain: ChainId;
  readonly policy: LoopPolicy;
  readonly budget: RetryBudget;
  readonly signal: AbortSignal;
  readonly replayOf?: number | undefined;
  /** It is a recorded request that a person has changed. */
  readonly isEdited?: boolean | undefined;
  /** Makes sure that there is something to send over; an end means that there is not. */
  prepare(signal: AbortSignal): Promise<RawEnd | undefined>;
  /** Sends once with `token` as its progress token. Never rejects; obeys `signal`. */
  attempt(number: number, token: string, signal: AbortSignal): Promise<AttemptEnd>;
  judge(end: RawEnd): Verdict;
  /** Asked only when it decides something, since it may have to wait for the tool catalogue. */
  idempotency(): Promise<Idempotency>;
  emit(body: AttemptBody): void;
  /** Changes what has to be changed before the request can be taken; false when it cannot be. Absent: it cannot. */
  correct?(end: RawEnd): Promise<boolean>;
  /** Asked before each further attempt: why none may be made now. */
  obstacle?(): string | undefined;
  /** Attempts that were made before in this chain. */
  earlierAttempts?: number;
  /** Why the first attempt is made. */
  firstReason?: string;
}

/** The token that joins a recorded request to its attempt; unique as long as chain ids are. */
function attemptToken(chain: ChainId, number: number): string {
  return `${chain}.${number}`;
}

/**
 * Sends until something final happened. Every attempt, wait and refusal is an `attempt` event with its reason. Ours and
 * not a library's, because the wait must obey cancel and `Retry-After`, and each step must be recorded. Never rejects as
 * long as the given functions do not.
 */
export async function runWithRetries(options: LoopOptions): Promise<CallOutcome> {
  const { clock, chain, signal } = options;
  const policy = boundPolicy(options.policy);
  const attempts: AttemptSummary[] = [];
  const causes = new Set<RetryCause>();
  let backoff = firstBackoff(policy, options.random);
  let reason = options.firstReason ?? (options.replayOf === undefined ? 'retry.first' : 'retry.replay');
  let delayMs = 0;
  let isAmbiguous = false;
  const earlier = options.earlierAttempts ?? 0;

  const emit = (decision: AttemptBody['decision'], number: number, why: string, more: Partial<AttemptBody> = {}) =>
    options.emit({
      kind: 'attempt',
      chain,
      number,
      maxAttempts: policy.maxAttempts + earlier,
      decision,
      reason: why,
      ...(options.replayOf === undefined ? {} : { replayOf: options.replayOf }),
      ...(options.isEdited === true ? { isEdited: true } : {}),
      ...more,
    });

  for (let number = earlier + 1; ; number += 1) {
    const startUs = clock.monoUs();
    const { end, reach } = await once(number);
    const verdict = options.judge(end);
    attempts.push({
      number,
      outcome: verdict.outcome,
      retry: verdict.retry,
      durationMs: (clock.monoUs() - startUs) / 1000,
      delayMs,
      reason,
    });
    const finish = (stopped: string): CallOutcome => ({
      kind: verdict.outcome,
      detail: {
        signals: verdict.signals,
        retry: verdict.retry,
        end,
        ...(verdict.partial === undefined ? {} : { partial: verdict.partial }),
      },
      chain,
      attempts,
      stopped,
      ...(isAmbiguous ? { isAmbiguous: true } : {}),
    });

    const next = await decide(number - earlier, end, verdict.outcome, reach);
    if (!next.retry) {
      if (next.decision !== 'done') {
        emit(next.decision, number, next.reason);
      }
      return finish(next.reason);
    }
    causes.add(next.cause);
    delayMs = next.waitMs ?? backoff.duration;
    backoff = next.waitMs === undefined ? backoff.next(undefined) : backoff;
    reason = next.reason;
    emit('wait', number + 1, reason, { delayMs });
    if (delayMs > 0) {
      await clock.sleep(delayMs, signal);
    }
    if (signal.aborted) {
      emit('cancel', number + 1, 'retry.cancelled');
      return finish('retry.cancelled');
    }
  }

  async function once(number: number): Promise<{ readonly end: RawEnd; readonly reach: Reach }> {
    const obstacle = await options.prepare(signal);
    if (obstacle !== undefined) {
      return { end: obstacle, reach: 'unconnected' };
    }
    const token = attemptToken(chain, number);
    emit('send', number, reason, { token, delayMs });
    const { end, wasSent } = await options.attempt(number, token, signal);
    return { end, reach: wasSent ? 'sent' : 'unsent' };
  }

  async function decide(attempt: number, end: RawEnd, outcome: OutcomeKind, reach: Reach): Promise<RetryDecision> {
    const found = retryRow(end, outcome, reach);
    const row =
      found.may === 'safe' && found.cause === 'corrected' && !causes.has('corrected')
        ? await correctedRow(found, end)
        : found;
    const idempotency: Idempotency =
      row.may === 'if-idempotent'
        ? await options.idempotency()
        : { isIdempotent: false, reason: 'notIdempotent.unknown' };
    const decision = decideRetry(row, {
      attempt,
      maxAttempts: policy.maxAttempts,
      outcome,
      earlier: causes,
      idempotency,
      retryAfterCapMs: policy.retryAfterCapMs,
      asked: policy.asked,
    });
    // An answer settles it; a further attempt that was refused does not unsay that an earlier one may have been carried out.
    const isLost = end.kind === 'timeout' || end.kind === 'transport';
    isAmbiguous = reach === 'sent' && !isLost ? false : isAmbiguous || (isLost && isDoubtful(row, reach, idempotency));
    const obstacle = decision.retry ? options.obstacle?.() : undefined;
    if (obstacle !== undefined) {
      return { retry: false, decision: 'refuse', reason: obstacle };
    }
    return decision.retry && !options.budget.take()
      ? { retry: false, decision: 'give-up', reason: 'retry.budgetUsed' }
      : decision;
  }

  async function correctedRow(row: RetryRow, end: RawEnd): Promise<RetryRow> {
    return (await options.correct?.(end)) === true
      ? row
      : { may: 'never', reason: 'retry.needsCorrection', isFinal: true };
  }
}

/** It may have been carried out, nobody will know, and nothing says that doing it again does no harm. */
function isDoubtful(row: RetryRow, reach: Reach, idempotency: Idempotency): boolean {
  return row.may === 'if-idempotent' && reach === 'sent' && !idempotency.isIdempotent;
}
