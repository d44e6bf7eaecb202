import type { OutcomeKind } from '../../protocol/outcome.ts';
import {
  boundPolicy,
  DEFAULT_REPLAY_POLICY,
  RETRY_RANGES,
  type ReplayPolicy,
  type RetrySettings,
  within,
} from '../resilience/policy.ts';

/** The outcomes that a replay can be asked to repeat; any other ends it, whatever a policy says. */
export const REPEATABLE_OUTCOMES = [
  'transport_error',
  'timeout',
  'protocol_error',
  'invalid_response',
  'tool_error',
  'silent_error',
  'partial',
] as const satisfies readonly OutcomeKind[];

/** Policies that a person can choose by name. `configured`: what the settings say of retries. */
export const POLICY_PRESETS = ['configured', 'none', 'gentle', 'persistent'] as const;

export type PolicyPreset = (typeof POLICY_PRESETS)[number];

/** What each number of a replay's policy may be, both ends included. */
export const POLICY_RANGES = {
  maxAttempts: [1, 20],
  baseMs: [0, 3_600_000],
  factor: [1, 10],
  capMs: [0, 3_600_000],
  jitter: [0, 1],
  retryAfterCapMs: RETRY_RANGES.retryAfterCapMs,
  timeoutMs: RETRY_RANGES.timeoutMs,
} as const satisfies Readonly<Record<string, readonly [least: number, most: number]>>;

export type PolicyNumber = keyof typeof POLICY_RANGES;

/** The policy behind a name. What a preset does not say is as in the settings. */
export function presetPolicy(preset: PolicyPreset, settings: RetrySettings): ReplayPolicy {
  const { maxAttempts, baseMs, factor, capMs, jitter, timeoutMs, retryAfterCapMs } = settings;
  const configured: ReplayPolicy = {
    ...DEFAULT_REPLAY_POLICY,
    maxAttempts,
    baseMs,
    factor,
    capMs,
    jitter,
    timeoutMs,
    retryAfterCapMs,
  };
  switch (preset) {
    case 'configured':
      return configured;
    case 'none':
      return { ...configured, maxAttempts: 1 };
    case 'gentle':
      // For a server that is busy: few attempts, long waits that spread out.
      return { ...configured, maxAttempts: 3, baseMs: 5_000, factor: 3, capMs: 60_000, jitter: 0.5 };
    case 'persistent':
      // For a server that comes and goes: also what a tool reports itself is tried again.
      return {
        ...configured,
        maxAttempts: 8,
        baseMs: 500,
        factor: 2,
        capMs: 30_000,
        jitter: 0.5,
        retryOn: REPEATABLE_OUTCOMES,
      };
  }
}

/** `policy` with each number brought into its range and outcomes left out that can never be repeated. */
export function boundReplayPolicy(policy: ReplayPolicy): ReplayPolicy {
  const { retryAfterCapMs, timeoutMs, retryOn } = policy;
  const repeatable: readonly OutcomeKind[] = REPEATABLE_OUTCOMES;
  return {
    ...boundPolicy(policy),
    timeoutMs: within(timeoutMs, ...POLICY_RANGES.timeoutMs),
    ...(retryAfterCapMs === undefined
      ? {}
      : { retryAfterCapMs: within(retryAfterCapMs, ...POLICY_RANGES.retryAfterCapMs) }),
    retryOn: repeatable.filter((kind) => retryOn.includes(kind)),
  };
}
