import { describe, expect, it } from 'vitest';
import { firstBackoff, previewDelays } from '../../../../src/core/resilience/backoff.ts';
import { DEFAULT_RETRY_SETTINGS } from '../../../../src/core/resilience/policy.ts';

const shape = { maxAttempts: 5, baseMs: 1000, factor: 2, capMs: 5000, jitter: 0.5 };

function delays(given: typeof shape, random: () => number, count = 4): number[] {
  const found: number[] = [];
  let backoff = firstBackoff(given, random);
  for (let index = 0; index < count; index += 1) {
    found.push(backoff.duration);
    backoff = backoff.next(undefined);
  }
  return found;
}

describe('backoff', () => {
  it.each([
    ['grows to its cap', shape, 0, [1000, 2000, 4000, 5000]],
    ['takes off at most the share that is random', shape, 1, [500, 1000, 2000, 2500]],
    ['takes off nothing without jitter', { ...shape, jitter: 0 }, 1, [1000, 2000, 4000, 5000]],
    ['can take off everything with full jitter', { ...shape, jitter: 1 }, 1, [0, 0, 0, 0]],
    ['uses the factor', { ...shape, factor: 3, capMs: 100_000 }, 0, [1000, 3000, 9000, 27_000]],
    ['bounds nonsense', { ...shape, baseMs: -5, factor: Number.NaN, jitter: 7 }, 0, [0, 0, 0, 0]],
  ])('%s', (_name, given, random, expected) => {
    expect(delays(given, () => random)).toEqual(expected);
  });

  it('stays finite however often it is asked', () => {
    expect(delays(shape, () => 0, 3000).at(-1)).toBe(5000);
  });

  it('has the documented defaults', () => {
    expect(delays({ ...DEFAULT_RETRY_SETTINGS }, () => 0, 3)).toEqual([1000, 2000, 4000]);
  });
});

describe('previewDelays', () => {
  it('gives the range of each wait', () => {
    expect(previewDelays({ ...shape, maxAttempts: 4 })).toEqual([
      { minMs: 500, maxMs: 1000 },
      { minMs: 1000, maxMs: 2000 },
      { minMs: 2000, maxMs: 4000 },
    ]);
    expect(previewDelays({ ...shape, maxAttempts: 1 })).toEqual([]);
  });
});
