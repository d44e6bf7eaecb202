import { expect, it } from 'vitest';
import { runChaos } from '../chaos/chaos.ts';
import { KINDS } from '../chaos/randomFaults.ts';

// `npm run chaos` does the same with ten servers for as long as one likes.
it('three servers keep every promise while faults are injected by chance', async () => {
  const { calls, ledger, violations } = await runChaos({
    seed: 11,
    durationMs: 30_000,
    calls: 28,
    servers: 3,
    workers: 3,
  });
  expect(violations).toEqual([]);
  // And it was chaos.
  expect(calls.length).toBe(3 * 3 * 28);
  expect(calls.filter(({ outcome }) => outcome.attempts.length > 1).length).toBeGreaterThan(3);
  expect([...ledger.injected.keys()].length).toBeGreaterThan(KINDS.length / 2);
  expect(new Set(calls.map(({ outcome }) => outcome.kind)).size).toBeGreaterThan(4);
});
