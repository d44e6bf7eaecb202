import { LatencyHistogram } from '../../../src/core/timeline/histogram.ts';
import { ActivityRuns, BucketFinder, segmentsOf } from '../../../src/core/timeline/overviewSegments.ts';
import { FAILURE_KINDS } from '../../../src/protocol/outcome.ts';
import type {
  ChartsView,
  OverviewCell,
  OverviewSegment,
  OverviewView,
  RowView,
} from '../../../src/protocol/timelineViews.ts';

type Head = Pick<RowView, 'startUs' | 'durationUs' | 'outcome' | 'server' | 'kind'>;

function segmentsFor(heads: readonly Head[], buckets: number): readonly OverviewSegment[] {
  const runs = new ActivityRuns();
  for (const { startUs } of heads) {
    runs.add(startUs);
  }
  return segmentsOf(runs, buckets);
}

function cellsOf(heads: readonly Head[], segments: readonly OverviewSegment[]): OverviewCell[] {
  const finder = new BucketFinder(segments);
  const cells = new Map<number, OverviewCell>();
  for (const { startUs, outcome } of heads) {
    const bucket = finder.bucketOf(startUs);
    const cell = cells.get(bucket) ?? { bucket, counts: {}, others: 0 };
    cells.set(
      bucket,
      outcome === undefined
        ? { ...cell, others: cell.others + 1 }
        : { ...cell, counts: { ...cell.counts, [outcome]: (cell.counts[outcome] ?? 0) + 1 } },
    );
  }
  return [...cells.values()].sort((a, b) => a.bucket - b.bucket);
}

/** The overview of these rows, as the host counts it. */
export function overviewOf(
  heads: readonly Head[],
  epoch: number,
  { buckets, isByServer }: { readonly buckets: number; readonly isByServer: boolean },
): OverviewView {
  const segments = segmentsFor(heads, buckets);
  const servers = [...new Set(heads.map(({ server }) => server))];
  const lanes = servers.map((name) => ({
    id: `workspace:${name}`,
    name,
    state:
      name === 'weather'
        ? { kind: 'failed' as const, text: 'A module is missing: httpx' }
        : { kind: 'up' as const, text: '2025-11-25' },
    cells: cellsOf(
      heads.filter(({ server }) => server === name),
      segments,
    ),
  }));
  return { epoch, segments, cells: cellsOf(heads, segments), ...(isByServer ? { lanes } : {}) };
}

/** The charts of these rows. */
export function chartsOf(heads: readonly Head[], epoch: number, buckets: number): ChartsView {
  const segments = segmentsFor(heads, buckets);
  const histogram = new LatencyHistogram();
  for (const { kind, durationUs, outcome } of heads) {
    if (kind === 'request' && durationUs !== undefined) {
      histogram.add(durationUs, outcome !== undefined && FAILURE_KINDS.has(outcome));
    }
  }
  const { count, percentiles, bins } = histogram.result();
  return {
    epoch,
    segments,
    cells: cellsOf(heads, segments),
    latency: { count, bins, ...(percentiles === undefined ? {} : { percentiles }) },
  };
}
