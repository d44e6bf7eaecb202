import type { FaultPlan } from './plan.ts';

/** Faults that production brings, ready to be chosen by name. Documented in `docs/faults.md`. */
export const FAULT_PROFILES = {
  'flaky-network': {
    name: 'flaky-network',
    rules: [
      { name: 'jitter', probability: 0.4, fault: { type: 'latency', ms: 100, jitterMs: 900 } },
      { name: 'lost answer', probability: 0.05, fault: { type: 'dropAnswer' } },
      { name: 'broken connection', probability: 0.1, fault: { type: 'cut', atByte: 40 } },
    ],
  },
  'rate-limited-api': {
    name: 'rate-limited-api',
    rules: [
      {
        name: 'too many requests',
        transport: 'http',
        after: 2,
        probability: 0.6,
        fault: { type: 'httpStatus', status: 429, retryAfterSeconds: 2 },
      },
      {
        // What a server over stdio says of the API behind it.
        name: 'too many requests',
        transport: 'stdio',
        after: 2,
        probability: 0.6,
        fault: { type: 'toolError', text: '429 Too Many Requests: rate limit exceeded, try again in 2 seconds' },
      },
    ],
  },
  'crash-loop': {
    name: 'crash-loop',
    rules: [{ name: 'crash', every: 2, fault: { type: 'kill' } }],
  },
  'slow-tool': {
    name: 'slow-tool',
    rules: [
      { name: 'thinks', fault: { type: 'latency', ms: 3000, jitterMs: 4000 } },
      { name: 'trickles', probability: 0.3, fault: { type: 'slowStream', bytesPerSecond: 200 } },
    ],
  },
} as const satisfies Readonly<Record<string, FaultPlan>>;

export type FaultProfile = keyof typeof FAULT_PROFILES;

export function isFaultProfile(name: string): name is FaultProfile {
  return Object.hasOwn(FAULT_PROFILES, name);
}
