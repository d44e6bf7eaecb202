import { expect, it } from 'vitest';
import { runSoak } from '../soak/soak.ts';

// `npm run soak` does the same with ten million events, and looks at memory and handles.
it('a few thousand events go through the whole chain and its limits, and every one of them is accounted for', async () => {
  const result = await runSoak({ events: 4000, maxSizeMb: 1, maxAgeDays: 30, seed: 3, samples: 4 });
  expect(result.broken).toEqual([]);
  expect(result.lost).toBe(0);
  expect(result.evicted).toBeGreaterThan(result.offered / 4);
  expect(result.rows).toBeGreaterThan(0);
  expect(result.samples.length).toBeGreaterThan(3);
});
