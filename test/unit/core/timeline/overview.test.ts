import { describe, expect, it } from 'vitest';
import { BucketFinder } from '../../../../src/core/timeline/overviewSegments.ts';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import { OUTCOME_KINDS } from '../../../../src/protocol/outcome.ts';
import type { OverviewCell } from '../../../../src/protocol/timelineViews.ts';
import { attempt, exchange, randomOf, verdict } from './support.ts';

interface Scan<T> {
  step(rows: number): boolean;
  result(): T;
}

function finished<T>(scan: Scan<T>, rows = 7): T {
  let steps = 0;
  while (!scan.step(rows)) {
    steps += 1;
    expect(steps).toBeLessThan(10_000);
  }
  return scan.result();
}

/** 400 calls of three servers in two sessions, with chains, failures and rows without an outcome. */
function recorded(seed: number): Timeline {
  const random = randomOf(seed);
  const timeline = new Timeline();
  let startUs = 1_700_000_000_000_000;
  for (let key = 10; key < 4010; key += 10) {
    startUs += key === 2000 ? 30_000_000_000 : Math.floor(random() * 5_000_000);
    const server = `test:server-${Math.floor(random() * 3)}` as ServerId;
    const outcome = OUTCOME_KINDS[Math.floor(random() ** 4 * OUTCOME_KINDS.length)] ?? 'success';
    const kind = random() < 0.1 ? 'notification' : 'request';
    const own = { server, startUs, endUs: startUs + 1000 };
    timeline.apply([
      random() < 0.1
        ? attempt(key, key - 10, 2, own)
        : exchange(key, { ...own, kind, ...(kind === 'request' ? { verdict: verdict(outcome) } : {}) }),
    ]);
  }
  return timeline;
}

/** The cells of these rows, counted in the plainest way. */
function cellsOf(timeline: Timeline, segments: ConstructorParameters<typeof BucketFinder>[0], server?: string) {
  const cells = new Map<number, { bucket: number; counts: Record<string, number>; others: number }>();
  const finder = new BucketFinder(segments);
  for (const row of timeline.rows(0, timeline.total)) {
    if (row.depth === 0 && (server === undefined || row.server === server)) {
      const bucket = finder.bucketOf(row.startUs);
      const cell = cells.get(bucket) ?? { bucket, counts: {}, others: 0 };
      cells.set(bucket, cell);
      if (row.outcome === undefined) {
        cell.others += 1;
      } else {
        cell.counts[row.outcome] = (cell.counts[row.outcome] ?? 0) + 1;
      }
    }
  }
  return [...cells.values()].sort((a, b) => a.bucket - b.bucket);
}

const total = (cells: readonly OverviewCell[]) =>
  cells.reduce((sum, { counts, others }) => sum + others + Object.values(counts).reduce((a, b) => a + b, 0), 0);

describe('the overview', () => {
  it('counts every chain that passes the filter once, by server too, in whatever steps', () => {
    for (const [seed, rows] of [
      [1, 1],
      [2, 7],
      [3, 100_000],
    ] as const) {
      const timeline = recorded(seed);
      const { segments, cells, lanes } = finished(
        timeline.overview({ buckets: 80, isByServer: true, of: 'passing' }),
        rows,
      );
      expect(segments).toHaveLength(2);
      expect(cells).toEqual(cellsOf(timeline, segments));
      expect(lanes?.map(({ server }) => server).toSorted()).toEqual([
        'test:server-0',
        'test:server-1',
        'test:server-2',
      ]);
      for (const lane of lanes ?? []) {
        expect(lane.cells).toEqual(cellsOf(timeline, segments, lane.server));
      }
    }
  });

  it('follows the filter, and the range only where that is asked for', () => {
    const timeline = recorded(4);
    const all = timeline.total;
    timeline.setFilter({ hiddenOutcomes: ['success'], text: '' });
    const passing = timeline.total;
    const { fromUs } = timeline.span();
    timeline.setRange({ fromUs: fromUs + 10_000_000, toUs: fromUs + 200_000_000 });
    const shown = timeline.total;
    expect(0 < shown && shown < passing && passing < all).toBe(true);
    const count = (of: 'passing' | 'shown') =>
      total(finished(timeline.overview({ buckets: 50, isByServer: false, of })).cells);
    expect({ passing: count('passing'), shown: count('shown') }).toEqual({ passing, shown });
  });

  it('takes a refused question about the era for no failure', () => {
    const timeline = new Timeline();
    timeline.apply([exchange(1, { verdict: verdict('protocol_error'), marks: ['era_probe'] })]);
    const { cells } = finished(timeline.overview({ buckets: 10, isByServer: false, of: 'passing' }));
    expect(cells).toEqual([{ bucket: 0, counts: {}, others: 1 }]);
  });

  it('is empty without rows', () => {
    const overview = finished(new Timeline().overview({ buckets: 10, isByServer: true, of: 'passing' }));
    expect(overview).toEqual({ segments: [], cells: [], lanes: [] });
  });
});

describe('a range of time', () => {
  it('shows what began in it or ran into it, and keeps up with what comes and changes', () => {
    const random = randomOf(11);
    for (let round = 0; round < 20; round += 1) {
      const timeline = recorded(round);
      const { fromUs, toUs } = timeline.span();
      const from = fromUs + Math.floor(random() * (toUs - fromUs));
      const range = random() < 0.3 ? { fromUs: from } : { fromUs: from, toUs: from + Math.floor((toUs - from) / 2) };
      timeline.setRange(range);
      for (let key = 5000; key < 5040; key += 1) {
        const startUs = fromUs + Math.floor(random() * (toUs - fromUs) * 1.2);
        timeline.apply([exchange(key, { startUs })]);
        timeline.apply([exchange(key, { startUs, verdict: verdict('timeout') })]);
      }
      timeline.setExpanded(timeline.rows(0, 1000).find(({ isExpandable }) => isExpandable)?.key ?? 0, true);
      const shown = timeline.rows(0, timeline.total);
      timeline.setRange(undefined);
      const all = timeline.rows(0, timeline.total);
      const heads = new Map(all.filter(({ depth }) => depth === 0).map((row) => [row.key, row]));
      const isIn = (headKey: number) => {
        const { startUs = 0, endUs, outcome } = heads.get(headKey) ?? {};
        const untilUs = outcome === 'pending' ? Number.POSITIVE_INFINITY : (endUs ?? startUs);
        return (
          startUs < (range.toUs ?? Number.POSITIVE_INFINITY) && (startUs >= range.fromUs || untilUs > range.fromUs)
        );
      };
      expect(shown.map(({ key }) => key)).toEqual(all.filter(({ headKey }) => isIn(headKey)).map(({ key }) => key));
    }
  });

  it('outlives a filter and a clearing, and fires only when it changes', () => {
    const timeline = recorded(5);
    let changes = 0;
    timeline.onDidChange(() => {
      changes += 1;
    });
    const range = { fromUs: 1, toUs: 2 };
    timeline.setRange(range);
    timeline.setRange({ ...range });
    expect({ changes, total: timeline.total, range: timeline.range }).toEqual({ changes: 1, total: 0, range });
    timeline.setFilter({ hiddenOutcomes: ['timeout'], text: '' });
    expect(timeline.total).toBe(0);
    timeline.clear();
    timeline.apply([exchange(1, { startUs: 1 }), exchange(2, { startUs: 2 })]);
    expect(timeline.rows(0, 9).map(({ key }) => key)).toEqual([1]);
  });
});

describe('the row to jump to', () => {
  const timeline = new Timeline();
  const at = (key: number, startUs: number, outcome: 'success' | 'timeout', server = 'test:a') =>
    exchange(key, { startUs, verdict: verdict(outcome), server: server as ServerId });
  timeline.apply([
    at(1, 100, 'success'),
    at(2, 200, 'success', 'test:b'),
    at(3, 210, 'timeout'),
    at(4, 220, 'timeout', 'test:b'),
    at(5, 900, 'success'),
  ]);

  it.each([
    ['the first failure in the time', 200, 300, undefined, 3],
    ['the first row where nothing failed', 100, 205, undefined, 1],
    ['the failure of the server that is meant', 200, 300, 'test:b', 4],
    ['the nearest row where there is none', 700, 710, undefined, 5],
    ['the nearest row of the server', 890, 910, 'test:b', 4],
    ['nothing for a server without rows', 0, 1000, 'test:c', undefined],
  ])('is %s', (_name, fromUs, toUs, server, expected) => {
    const found = timeline.rowNear(fromUs, toUs, server);
    expect(found?.key).toBe(expected);
    if (found !== undefined) {
      expect(timeline.indexOf(found.key)).toBe(found.index);
    }
  });
});
