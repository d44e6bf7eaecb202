import { describe, expect, it } from 'vitest';
import { ActivityRuns, BucketFinder, segmentsOf } from '../../../../src/core/timeline/overviewSegments.ts';
import { randomOf } from './support.ts';

const S = 1_000_000;
const MIN = 60 * S;
const HOUR = 60 * MIN;

function runsOf(moments: readonly number[]): ActivityRuns {
  const runs = new ActivityRuns();
  for (const us of moments) {
    runs.add(us);
  }
  return runs;
}

/** From and to of each segment, and its buckets. */
const outline = (moments: readonly number[], buckets: number) =>
  segmentsOf(runsOf(moments), buckets).map(({ fromUs, bucketUs, count }) => [
    fromUs,
    Math.round(fromUs + bucketUs * count),
    count,
  ]);

describe('ActivityRuns', () => {
  it.each([
    ['nothing', [], []],
    ['one moment', [5], [[5, 5]]],
    ['moments less than a minute apart', [0, 30 * S, 90 * S], [[0, 90 * S]]],
    [
      'moments more than a minute apart',
      [0, MIN + 1],
      [
        [0, 0],
        [MIN + 1, MIN + 1],
      ],
    ],
    ['a late one within a run', [0, 50 * S, 20 * S], [[0, 50 * S]]],
    [
      'a late one before all',
      [10 * MIN, 0],
      [
        [0, 0],
        [10 * MIN, 10 * MIN],
      ],
    ],
    ['a late one that joins two runs', [0, 100 * S, 50 * S], [[0, 100 * S]]],
    [
      'a late one that extends the earlier run',
      [0, 10 * MIN, 30 * S],
      [
        [0, 30 * S],
        [10 * MIN, 10 * MIN],
      ],
    ],
    [
      'a late one that extends the later run downwards',
      [0, 10 * MIN, 10 * MIN - 30 * S],
      [
        [0, 0],
        [10 * MIN - 30 * S, 10 * MIN],
      ],
    ],
  ])('%s', (_name, moments, expected) => {
    expect(runsOf(moments).runs.map(({ fromUs, toUs }) => [fromUs, toUs])).toEqual(expected);
  });

  it('does not depend on the order of arrival', () => {
    const random = randomOf(7);
    for (let round = 0; round < 50; round += 1) {
      const moments = Array.from({ length: 60 }, () => Math.floor(random() * 40 * MIN));
      const sorted = moments.toSorted((a, b) => a - b);
      expect(runsOf(moments).runs).toEqual(runsOf(sorted).runs);
    }
  });
});

describe('segmentsOf', () => {
  it.each([
    ['nothing', [], 100, []],
    ['a single moment: a second of it', [5 * S], 100, [[5 * S, 6 * S, 100]]],
    ['a session: one stretch', [0, 30 * S, 60 * S, 90 * S], 100, [[0, 90 * S + 1, 100]]],
    [
      'a night between two sessions is left out',
      [0, 30 * S, 14 * HOUR, 14 * HOUR + 30 * S],
      101,
      [
        [0, 30 * S + 1, 50],
        [14 * HOUR, 14 * HOUR + 30 * S + 1, 50],
      ],
    ],
    [
      'a pause that is short beside the rest is not',
      [...Array.from({ length: 400 }, (_, index) => index * MIN), 400 * MIN + 2 * MIN],
      100,
      [[0, 402 * MIN + 1, 100]],
    ],
    ['no room at all', [0, 14 * HOUR], 1, [[0, 14 * HOUR + 1, 1]]],
  ])('%s', (_name, moments, buckets, expected) => {
    expect(outline(moments, buckets)).toEqual(expected);
  });

  it('leaves a short session visible beside a long one', () => {
    const long = Array.from({ length: 8 * 60 }, (_, index) => index * MIN);
    const [first, second] = segmentsOf(runsOf([...long, 24 * HOUR, 24 * HOUR + 5 * MIN - 30 * S]), 300);
    expect(first?.count).toBeGreaterThan(200);
    expect(second?.count ?? 0).toBeGreaterThan(3);
  });

  it('never takes more buckets than there are, whatever the sessions', () => {
    const random = randomOf(3);
    for (let round = 0; round < 100; round += 1) {
      const buckets = 10 + Math.floor(random() * 400);
      const moments = Array.from({ length: 1 + Math.floor(random() * 200) }, () => Math.floor(random() ** 3 * 1e14));
      const segments = segmentsOf(runsOf(moments), buckets);
      const taken = segments.reduce((sum, { count }) => sum + count, 0) + segments.length - 1;
      expect(taken).toBeLessThanOrEqual(buckets);
      const finder = new BucketFinder(segments);
      expect(moments.filter((us) => finder.bucketOf(us) < 0)).toEqual([]);
      segments.slice(1).forEach((segment, index) => {
        const before = segments[index];
        expect((before?.fromUs ?? 0) + (before?.bucketUs ?? 0) * (before?.count ?? 0)).toBeLessThan(segment.fromUs);
      });
    }
  });
});

describe('BucketFinder', () => {
  const segments = [
    { fromUs: 1000, bucketUs: 10, count: 3 },
    { fromUs: 5000, bucketUs: 100, count: 2 },
  ];

  it.each([
    [999, -1],
    [1000, 0],
    [1009, 0],
    [1029, 2],
    [1030, -1],
    [4999, -1],
    [5000, 3],
    [5199, 4],
    [5200, -1],
  ])('finds %i in bucket %i, also after any other', (us, expected) => {
    const finder = new BucketFinder(segments);
    for (const before of [1000, 5000, 0]) {
      finder.bucketOf(before);
      expect(finder.bucketOf(us)).toBe(expected);
    }
  });

  it('finds nothing where there is nothing', () => {
    expect(new BucketFinder([]).bucketOf(0)).toBe(-1);
  });
});
