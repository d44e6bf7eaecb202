import type { OverviewCell, OverviewSegment, TimeRange } from '../src/protocol/timelineViews.ts';
import { clamp } from './clamp.ts';

/** px between two segments, in which the mark for the time left out stands. */
export const FOLD_PX = 9;

/** A segment on the screen. */
export interface ScaledSegment extends OverviewSegment {
  /** Number of its first bucket. */
  readonly first: number;
  /** px from the left of the strip. */
  readonly left: number;
  readonly width: number;
}

/**
 * The overview's axis in px: buckets of equal width, with a gap where idle time is left out. What each function returns for a
 * place outside of all segments is that of the nearest one inside.
 */
export interface OverviewScale {
  readonly segments: readonly ScaledSegment[];
  /** Buckets of all segments. */
  readonly buckets: number;
  readonly width: number;
  /** Width of one bucket, px. */
  readonly bucketPx: number;
  /** Left edge of a bucket, px. */
  xOfBucket(bucket: number): number;
  /** The bucket at a place; -1 when there are none. */
  bucketAt(x: number): number;
  /** The time at a place, µs. */
  timeAt(x: number): number;
  /** The place of a time, px. */
  xOf(us: number): number;
  /** The same of a time that ends something: where a segment ends, it is before the fold and not after. */
  xOfEnd(us: number): number;
  /** The time that a bucket stands for, µs. */
  rangeOf(bucket: number): Required<TimeRange>;
}

/** The axis of `segments` on a strip of `width` px. */
export function scaleOf(segments: readonly OverviewSegment[], width: number): OverviewScale {
  const buckets = segments.reduce((sum, { count }) => sum + count, 0);
  const bucketPx = buckets === 0 ? 0 : Math.max(0, width - FOLD_PX * (segments.length - 1)) / buckets;
  let first = 0;
  const scaled = segments.map((segment, index): ScaledSegment => {
    const place = { ...segment, first, left: first * bucketPx + index * FOLD_PX, width: segment.count * bucketPx };
    first += segment.count;
    return place;
  });
  const last = scaled.at(-1);
  const endOf = (segment: OverviewSegment) => segment.fromUs + segment.bucketUs * segment.count;
  const segmentOf = (bucket: number) => scaled.find((each) => bucket < each.first + each.count) ?? last;
  const placeIn = (found: ScaledSegment | undefined, us: number) => {
    const segment = found ?? last;
    return segment === undefined
      ? 0
      : segment.left + clamp((us - segment.fromUs) / segment.bucketUs, 0, segment.count) * bucketPx;
  };
  /** Of two neighbours the one that is nearer. */
  const segmentAt = (x: number) => scaled.find((each) => x < each.left + each.width + FOLD_PX / 2) ?? last;
  return {
    segments: scaled,
    buckets,
    width,
    bucketPx,
    xOfBucket(bucket) {
      const segment = segmentOf(bucket);
      return segment === undefined ? 0 : segment.left + (bucket - segment.first) * bucketPx;
    },
    bucketAt(x) {
      const segment = segmentAt(x);
      if (segment === undefined || bucketPx === 0) {
        return -1;
      }
      return segment.first + clamp(Math.floor((x - segment.left) / bucketPx), 0, segment.count - 1);
    },
    timeAt(x) {
      const segment = segmentAt(x);
      return segment === undefined || bucketPx === 0
        ? 0
        : segment.fromUs + clamp((x - segment.left) / bucketPx, 0, segment.count) * segment.bucketUs;
    },
    xOf: (us) =>
      placeIn(
        scaled.find((each) => us < endOf(each)),
        us,
      ),
    xOfEnd: (us) =>
      placeIn(
        scaled.find((each) => us <= endOf(each)),
        us,
      ),
    rangeOf(bucket) {
      const segment = segmentOf(bucket);
      if (segment === undefined) {
        return { fromUs: 0, toUs: 0 };
      }
      const fromUs = segment.fromUs + (bucket - segment.first) * segment.bucketUs;
      return { fromUs, toUs: fromUs + segment.bucketUs };
    },
  };
}

/** A brush: buckets from `from` to `to`, both in it. */
export interface Brush {
  readonly from: number;
  readonly to: number;
}

/** The time of a brush. One that reaches the last bucket has no end, so that what is still to come is shown too. */
export function rangeOfBrush(scale: OverviewScale, { from, to }: Brush): TimeRange {
  const { fromUs } = scale.rangeOf(from);
  return to >= scale.buckets - 1 ? { fromUs } : { fromUs, toUs: scale.rangeOf(to).toUs };
}

/** The buckets that a time touches; `undefined` when there are none or the time is none. */
export function brushOfRange(scale: OverviewScale, range: TimeRange | undefined): Brush | undefined {
  if (range === undefined || scale.buckets === 0) {
    return undefined;
  }
  // From the middle of the first bucket on, since an edge lies on two.
  const half = scale.bucketPx / 2;
  const from = scale.bucketAt(scale.xOf(range.fromUs) + Math.min(half, 0.5));
  const to =
    range.toUs === undefined ? scale.buckets - 1 : scale.bucketAt(scale.xOfEnd(range.toUs) - Math.min(half, 0.5));
  return { from, to: Math.max(from, to) };
}

/** The cell of a bucket; `undefined` when nothing began in it. O(log cells). */
export function cellOf(cells: readonly OverviewCell[], bucket: number): OverviewCell | undefined {
  let [low, high] = [0, cells.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cells[middle]?.bucket ?? 0) < bucket) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return cells[low]?.bucket === bucket ? cells[low] : undefined;
}
