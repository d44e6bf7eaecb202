import type { Random } from '../../src/base/clock.ts';
import type { Fault, FaultPlan, FaultRule } from '../../src/core/passthrough/faults/plan.ts';
import type { FaultKind } from '../../src/protocol/faults.ts';

const CODES = [-32603, -32602, -32601, -32600, -32000, 0];
const STATUSES = [429, 429, 500, 502, 503, 504, 404, 403, 413];

const pick = <T>(random: Random, [first, ...rest]: readonly [T, ...T[]]): T => {
  const all = [first, ...rest];
  return all[Math.floor(random() * all.length)] ?? first;
};

/** A fault of every kind that the engine knows, with what it can be set to chosen by chance. */
const MAKE: Readonly<{ readonly [K in FaultKind]: (random: Random) => Extract<Fault, { type: K }> }> = {
  latency: (random) => ({ type: 'latency', ms: Math.round(random() * 200), jitterMs: Math.round(random() * 200) }),
  slowStream: (random) => ({ type: 'slowStream', bytesPerSecond: 500 + Math.round(random() * 5000) }),
  dropAnswer: () => ({ type: 'dropAnswer' }),
  cut: (random) => ({ type: 'cut', atByte: Math.round(random() * 60) }),
  kill: () => ({ type: 'kill' }),
  error: (random) => ({ type: 'error', code: pick(random, [-32603, ...CODES]) }),
  httpStatus: (random) => ({
    type: 'httpStatus',
    status: pick(random, [503, ...STATUSES]),
    ...(random() < 0.5 ? { retryAfterSeconds: random() < 0.8 ? 1 : 60 } : {}),
  }),
  malformed: (random) => ({ type: 'malformed', how: pick(random, ['truncated', 'garbled']) }),
  duplicateAnswer: () => ({ type: 'duplicateAnswer' }),
  wrongId: () => ({ type: 'wrongId' }),
  noise: (random) => ({ type: 'noise', text: 'x'.repeat(Math.round(random() * 100)) }),
  toolError: (random) => ({ type: 'toolError', ...(random() < 0.5 ? { text: 'injected' } : {}) }),
  partial: () => ({ type: 'partial' }),
};

export const KINDS = Object.keys(MAKE) as readonly FaultKind[];

/** A plan with rules of all kinds, two of each, that together meet about a third of the calls. */
export function randomFaults(random: Random): FaultPlan {
  const rules = [...KINDS, ...KINDS].map((kind): FaultRule => {
    const method = random() < 0.2 ? { method: ['tools/call', 'tools/list', 'ping'] } : {};
    return { ...method, probability: 0.005 + random() * 0.025, fault: MAKE[kind](random) };
  });
  return { rules: shuffled(rules, random) };
}

/** Since the first rule that fires wins. */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
