import { clamp } from './clamp.ts';
import type { Brush } from './overviewScale.ts';

/** Where the keyboard stands on the strip. */
export interface StripPlace {
  /** Bucket under the cursor. */
  readonly cursor: number;
  readonly brush: Brush | undefined;
  /** More than 0. */
  readonly buckets: number;
}

/** What a key does on the strip. */
export type StripAct =
  | { readonly kind: 'move'; readonly cursor: number }
  | { readonly kind: 'brush'; readonly brush: Brush; readonly cursor: number }
  | { readonly kind: 'clear' }
  | { readonly kind: 'jump' };

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 10,
  PageDown: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function moved({ from, to }: Brush, step: number, last: number): Brush {
  const by = clamp(step, -from, last - to);
  return { from: from + by, to: to + by };
}

/** A brush of half or twice the width around the same middle. */
function zoomed({ from, to }: Brush, isIn: boolean, last: number): Brush {
  const width = to - from + 1;
  const wanted = isIn ? Math.max(1, Math.floor(width / 2)) : width * 2;
  const start = clamp(from + Math.floor((width - wanted) / 2), 0, Math.max(0, last - wanted + 1));
  return { from: start, to: Math.min(last, start + wanted - 1) };
}

/**
 * What a key does: arrows move the cursor, or the brush when there is one; with Shift they brush from the cursor on. Plus and
 * minus narrow and widen the brush, Enter jumps, Escape clears. `undefined`: not a key of the strip.
 */
export function stripAct({ cursor, brush, buckets }: StripPlace, key: string, isShift: boolean): StripAct | undefined {
  const last = buckets - 1;
  const step = STEPS[key];
  if (step !== undefined) {
    const next = clamp(cursor + step, 0, last);
    if (isShift) {
      // The end of the brush at which the cursor stands moves; the other one stays.
      const anchor = brush === undefined ? cursor : cursor === brush.from ? brush.to : brush.from;
      return { kind: 'brush', brush: { from: Math.min(anchor, next), to: Math.max(anchor, next) }, cursor: next };
    }
    if (brush === undefined) {
      return { kind: 'move', cursor: next };
    }
    const there = moved(brush, step, last);
    return { kind: 'brush', brush: there, cursor: there.to };
  }
  switch (key) {
    case '+':
    case '=': {
      // Without a brush the first one is a quarter of everything, around the cursor.
      const half = Math.max(0, Math.floor(buckets / 8));
      const narrowed =
        brush === undefined
          ? { from: clamp(cursor - half, 0, last), to: clamp(cursor + half, 0, last) }
          : zoomed(brush, true, last);
      return { kind: 'brush', brush: narrowed, cursor: narrowed.to };
    }
    case '-':
    case '_': {
      const widened = brush === undefined ? undefined : zoomed(brush, false, last);
      return widened === undefined || (widened.from === 0 && widened.to === last)
        ? { kind: 'clear' }
        : { kind: 'brush', brush: widened, cursor: widened.to };
    }
    case 'Enter':
    case ' ':
      return { kind: 'jump' };
    case 'Escape':
      return brush === undefined ? undefined : { kind: 'clear' };
    default:
      return undefined;
  }
}
