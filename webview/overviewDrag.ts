import type { TimeRange } from '../src/protocol/timelineViews.ts';
import { clamp } from './clamp.ts';
import type { OverviewScale } from './overviewScale.ts';

/** px that a pointer may tremble in a click. */
const CLICK_PX = 3;

/** px on each side of a brush's edge in which the edge is taken hold of. */
const EDGE_PX = 5;

/** What a pointer has taken hold of. Places are px on the strip. */
export type Grip =
  | { readonly kind: 'new'; readonly startX: number }
  | { readonly kind: 'from' | 'to'; readonly startX: number; readonly otherX: number }
  | { readonly kind: 'whole'; readonly startX: number; readonly fromX: number; readonly toX: number };

/** The edges of a range on the strip, px. */
export function edgesOf(scale: OverviewScale, range: TimeRange): { readonly fromX: number; readonly toX: number } {
  return { fromX: scale.xOf(range.fromUs), toX: range.toUs === undefined ? scale.width : scale.xOfEnd(range.toUs) };
}

/** What a pointer that goes down at `x` takes hold of: an edge of the brush, the whole of it, or nothing yet. */
export function gripAt(scale: OverviewScale, range: TimeRange | undefined, x: number): Grip {
  if (range === undefined) {
    return { kind: 'new', startX: x };
  }
  const { fromX, toX } = edgesOf(scale, range);
  // A narrow brush can be moved too: its edges reach less far into it.
  const inner = Math.min(EDGE_PX, (toX - fromX) / 4);
  if (x >= toX - inner && x <= toX + EDGE_PX) {
    return { kind: 'to', startX: x, otherX: fromX };
  }
  if (x >= fromX - EDGE_PX && x <= fromX + inner) {
    return { kind: 'from', startX: x, otherX: toX };
  }
  return x > fromX && x < toX ? { kind: 'whole', startX: x, fromX, toX } : { kind: 'new', startX: x };
}

/** The brush after a drag to `x`; `undefined` while it is still a click. */
export function draggedTo(scale: OverviewScale, grip: Grip, x: number): TimeRange | undefined {
  if (Math.abs(x - grip.startX) < CLICK_PX) {
    return undefined;
  }
  const { width } = scale;
  switch (grip.kind) {
    case 'new':
      return rangeBetween(scale, grip.startX, x);
    case 'from':
    case 'to':
      return rangeBetween(scale, grip.otherX, x);
    case 'whole': {
      const by = clamp(x - grip.startX, -grip.fromX, width - grip.toX);
      return rangeBetween(scale, grip.fromX + by, grip.toX + by);
    }
  }
}

/** At least a bucket, and without an end when it reaches the end of the strip. */
function rangeBetween(scale: OverviewScale, a: number, b: number): TimeRange {
  const from = clamp(Math.min(a, b), 0, Math.max(0, scale.width - scale.bucketPx));
  const to = clamp(Math.max(a, b), from + scale.bucketPx, scale.width);
  const fromUs = Math.floor(scale.timeAt(from));
  return to >= scale.width - 1 ? { fromUs } : { fromUs, toUs: Math.max(fromUs + 1, Math.ceil(scale.timeAt(to))) };
}
