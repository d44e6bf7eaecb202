import type { OutcomeKind } from '../../protocol/outcome.ts';

/** The user's settings for calls that nobody watches. All durations are milliseconds. */
export interface RetrySettings {
  /** Attempts a call, the first included; 1 turns retries off. */
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
  /** Share of each delay that is random, 0 to 1: a delay lies between `(1 - jitter) * d` and `d`. */
  readonly jitter: number;
  /** A server may ask for a longer wait by `Retry-After`; over this limit the call is given up instead. */
  readonly retryAfterCapMs: number;
  /** Over all calls to one server. */
  readonly retriesPerMinute: number;
  /** Silence after which a call times out; every progress notification starts it anew. */
  readonly timeoutMs: number;
  /** Absolute limit of an attempt, progress or not. */
  readonly totalTimeoutMs: number;
  /** Limit of spawn and handshake together. */
  readonly connectTimeoutMs: number;
  /** Of that, how long a server may be silent to `server/discover` before it is taken for one that needs a handshake. */
  readonly discoverTimeoutMs: number;
  /** Transport failures in a row after which a server is not called for a while; 0 turns that off. */
  readonly breakerFailures: number;
  /** How long that while is at first; it doubles each time that the one call after it fails too, up to `capMs`. */
  readonly breakerOpenMs: number;
  /** Failures of the same call in a row after which it is not sent again; 0 turns that off. */
  readonly loopLimit: number;
}

/** Outcome reference, "What may be retried": timeouts up to 3 attempts, 1 s, 2 s, 4 s with jitter. */
export const DEFAULT_RETRY_SETTINGS: RetrySettings = {
  maxAttempts: 3,
  baseMs: 1_000,
  factor: 2,
  capMs: 30_000,
  jitter: 0.5,
  retryAfterCapMs: 60_000,
  retriesPerMinute: 30,
  timeoutMs: 60_000,
  totalTimeoutMs: 600_000,
  connectTimeoutMs: 30_000,
  discoverTimeoutMs: 5_000,
  breakerFailures: 5,
  breakerOpenMs: 15_000,
  loopLimit: 3,
};

/** What each setting may be, both ends included; the manifest says the same. `discoverTimeoutMs` is part of the connect timeout. */
export const RETRY_RANGES: { readonly [K in keyof RetrySettings]: readonly [least: number, most: number] } = {
  maxAttempts: [1, 10],
  baseMs: [0, 600_000],
  factor: [1, 10],
  capMs: [0, 3_600_000],
  jitter: [0, 1],
  retryAfterCapMs: [0, 3_600_000],
  retriesPerMinute: [0, 10_000],
  timeoutMs: [100, 86_400_000],
  totalTimeoutMs: [100, 86_400_000],
  connectTimeoutMs: [500, 3_600_000],
  discoverTimeoutMs: [100, 600_000],
  breakerFailures: [0, 1_000],
  breakerOpenMs: [100, 3_600_000],
  loopLimit: [2, 100],
};

/** `settings` with each number brought into its range: what a person types may be anything. */
export function boundSettings(settings: RetrySettings): RetrySettings {
  const bounded = Object.entries(RETRY_RANGES).map(([name, [least, most]]) => [
    name,
    within(settings[name as keyof RetrySettings], least, most),
  ]);
  return Object.fromEntries(bounded) as unknown as RetrySettings;
}

/** What a person chose for one replay. `retryOn` lists the outcomes that are repeated; any other ends it. */
export interface ReplayPolicy {
  /** 1 to 20. */
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
  /** As in `RetrySettings`. */
  readonly jitter: number;
  /** Silence after which an attempt times out. */
  readonly timeoutMs: number;
  /** As in `RetrySettings`; absent: what the settings say. */
  readonly retryAfterCapMs?: number;
  readonly retryOn: readonly OutcomeKind[];
}

export const DEFAULT_REPLAY_POLICY: ReplayPolicy = {
  maxAttempts: 3,
  baseMs: 1_000,
  factor: 2,
  capMs: 30_000,
  jitter: 0.5,
  timeoutMs: 60_000,
  retryOn: ['transport_error', 'timeout', 'protocol_error'],
};

/** The numbers of `policy` brought into their ranges, so that a typing slip is neither a storm nor an endless wait. */
export function boundPolicy<T extends Pick<ReplayPolicy, 'maxAttempts' | 'baseMs' | 'factor' | 'capMs' | 'jitter'>>(
  policy: T,
): T {
  return {
    ...policy,
    maxAttempts: Math.round(within(policy.maxAttempts, 1, 20)),
    baseMs: within(policy.baseMs, 0, 3_600_000),
    factor: within(policy.factor, 1, 10),
    capMs: within(policy.capMs, 0, 3_600_000),
    jitter: within(policy.jitter, 0, 1),
  };
}

/** `value`, or the nearer end of its range; what is no number is the lower end. */
export function within(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? low : Math.min(high, Math.max(low, value));
}
