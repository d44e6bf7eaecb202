import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { OverviewCell, OverviewSegment, TimeRange } from '../src/protocol/timelineViews.ts';
import { fill, formatCount, formatDuration, type TimeFormats } from './format.ts';
import { failedOf, totalOf, WORST_FIRST } from './overviewCounts.ts';

const DAY_US = 86_400_000_000;

/** The time that segments cover, idle time between them included; µs. */
export function spanOfSegments(segments: readonly OverviewSegment[]): Required<TimeRange> {
  const first = segments[0];
  const last = segments.at(-1);
  return first === undefined || last === undefined
    ? { fromUs: 0, toUs: 0 }
    : { fromUs: first.fromUs, toUs: last.fromUs + last.bucketUs * last.count };
}

/** Words for times on an axis: to the millisecond within seconds, with the day where it covers more than one. */
export function axisTime(times: TimeFormats, { fromUs, toUs }: Required<TimeRange>): (us: number) => string {
  if (toUs - fromUs >= DAY_US || times.full(fromUs).slice(0, 10) !== times.full(toUs).slice(0, 10)) {
    return (us) => times.full(us).slice(5, 16);
  }
  return toUs - fromUs < 10_000_000 ? times.precise : times.short;
}

/** "14:02:07 – 14:02:09", without an end "14:02:07 →". */
export function rangeText({ fromUs, toUs }: TimeRange, time: (us: number) => string): string {
  return toUs === undefined ? `${time(fromUs)} →` : `${time(fromUs)} – ${time(toUs)}`;
}

/** What began in a bucket: "12 calls, 3 tool error, 1 timeout". */
export function cellText(cell: OverviewCell | undefined, strings: PageStrings): string {
  const { overview, outcomes } = strings;
  if (cell === undefined) {
    return overview.nothing;
  }
  const kinds = WORST_FIRST.filter((kind) => kind !== 'success' && (cell.counts[kind] ?? 0) > 0);
  return [
    fill(overview.calls, { count: formatCount(totalOf(cell)) }),
    ...kinds.map((kind) =>
      fill(overview.some, { count: formatCount(cell.counts[kind] ?? 0), outcome: outcomes[kind] }),
    ),
  ].join(', ');
}

/** Words for the times of a bucket: to the millisecond where it is short. */
export function bucketTime({ fromUs, toUs }: Required<TimeRange>, times: TimeFormats): (us: number) => string {
  return toUs - fromUs < 2_000_000 ? times.precise : times.short;
}

/** A bucket in a sentence, for a tooltip and for the screen reader. */
export function bucketText(
  range: Required<TimeRange>,
  cell: OverviewCell | undefined,
  strings: PageStrings,
  times: TimeFormats,
): string {
  const time = bucketTime(range, times);
  return fill(strings.overview.bucket, {
    from: time(range.fromUs),
    to: time(range.toUs),
    what: cellText(cell, strings),
  });
}

/** All of the strip in a sentence. */
export function summaryText(
  cells: readonly OverviewCell[],
  segments: readonly OverviewSegment[],
  strings: PageStrings,
  times: TimeFormats,
): string {
  const span = spanOfSegments(segments);
  const time = axisTime(times, span);
  const count = cells.reduce((sum, cell) => sum + totalOf(cell), 0);
  return fill(strings.overview.summary, {
    what: fill(strings.overview.calls, { count: formatCount(count) }),
    failed: formatCount(cells.reduce((sum, cell) => sum + failedOf(cell), 0)),
    from: time(span.fromUs),
    to: time(span.toUs),
  });
}

/** How long a range is, when it has an end: "50 s". */
export function lengthText({ fromUs, toUs }: TimeRange): string {
  return toUs === undefined ? '' : formatDuration(toUs - fromUs);
}
