import type { RetrySettings } from '../../core/resilience/policy.ts';
import type { Settings } from '../contributions.ts';

type NumberSetting = { [S in keyof Settings]: Settings[S] extends number ? S : never }[keyof Settings];

/** The user's setting for each number that the client asks for; leaving one out does not compile. */
export const RETRY_SETTING_NAMES: { readonly [K in keyof RetrySettings]: NumberSetting } = {
  maxAttempts: 'retry.maxAttempts',
  baseMs: 'retry.baseDelayMs',
  factor: 'retry.factor',
  capMs: 'retry.maxDelayMs',
  jitter: 'retry.jitter',
  retryAfterCapMs: 'retry.maxRetryAfterMs',
  retriesPerMinute: 'retry.perServerPerMinute',
  timeoutMs: 'timeout.idleMs',
  totalTimeoutMs: 'timeout.totalMs',
  connectTimeoutMs: 'timeout.connectMs',
  discoverTimeoutMs: 'timeout.discoverMs',
  breakerFailures: 'retry.breakerFailures',
  breakerOpenMs: 'retry.breakerOpenMs',
  loopLimit: 'agent.loopLimit',
};
