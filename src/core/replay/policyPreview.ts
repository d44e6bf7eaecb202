import { previewDelays } from '../resilience/backoff.ts';
import { DEFAULT_RETRY_SETTINGS, type ReplayPolicy, type RetrySettings } from '../resilience/policy.ts';
import { boundReplayPolicy } from './replayPolicy.ts';

/** A wait between two attempts; jitter chooses within it. Milliseconds. */
export interface WaitRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/** What a policy comes to when every attempt fails. Milliseconds. */
export interface PolicyPreview {
  readonly attempts: number;
  /** One fewer than the attempts, in order. */
  readonly waits: readonly WaitRange[];
  /** All waits together. */
  readonly waiting: WaitRange;
  /** Until the end when the server never says a word: each attempt times out, each wait is the longest that jitter gives. */
  readonly silentMs: number;
  /** Until the end when the server also keeps each attempt going by progress, and asks for the longest waits that are obeyed. */
  readonly longestMs: number;
}

/** Of the user's settings, what bounds a replay beside its policy. */
export type PreviewLimits = Pick<RetrySettings, 'totalTimeoutMs' | 'retryAfterCapMs'>;

/** What `policy` leads to, its numbers brought into their ranges first. Pure; the delays are those that the retry loop takes. */
export function policyPreview(policy: ReplayPolicy, limits: PreviewLimits = DEFAULT_RETRY_SETTINGS): PolicyPreview {
  const { maxAttempts, timeoutMs, retryAfterCapMs = limits.retryAfterCapMs } = boundReplayPolicy(policy);
  const waits = previewDelays(policy);
  const sum = (of: (wait: WaitRange) => number) => waits.reduce((total, wait) => total + of(wait), 0);
  const attemptMs = Math.max(limits.totalTimeoutMs, timeoutMs);
  return {
    attempts: maxAttempts,
    waits,
    waiting: { minMs: sum(({ minMs }) => minMs), maxMs: sum(({ maxMs }) => maxMs) },
    silentMs: maxAttempts * timeoutMs + sum(({ maxMs }) => maxMs),
    longestMs: maxAttempts * attemptMs + sum(({ maxMs }) => Math.max(maxMs, retryAfterCapMs)),
  };
}
