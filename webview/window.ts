import { clamp } from './clamp.ts';

/**
 * Chromium clamps an element's height at 33 554 428 px (measured). More rows than fit are cut at their beginning, because
 * the newest are at the end: at 24 px that is 1 398 101 rows, and a filter brings older ones back within reach.
 */
export const MAX_HEIGHT_PX = 33_554_428;

export interface WindowInput {
  readonly scrollTop: number;
  /** Height of the part that shows rows, without the header; px. */
  readonly viewportHeight: number;
  readonly count: number;
  /** px, more than 0. */
  readonly rowHeight: number;
  /** Rows rendered beyond each edge. */
  readonly overscan: number;
}

export interface RowWindow {
  /** First row to render. */
  readonly start: number;
  /** One past the last row to render. */
  readonly end: number;
  /** First and one past the last row that a person sees, without overscan. */
  readonly visibleStart: number;
  readonly visibleEnd: number;
  /** Rows at the beginning that no scroll position reaches; 0 below the cap. */
  readonly skipped: number;
  /** Height of all reachable rows, px. */
  readonly height: number;
}

/** Rows at the beginning that do not fit into the tallest element; 0 for up to about 1.4 million rows of 24 px. */
export function skippedRows(count: number, rowHeight: number): number {
  return Math.max(0, count - Math.floor(MAX_HEIGHT_PX / rowHeight));
}

/** Which rows of a fixed-height list to render. Total for any input: a scroll position out of range is clamped. */
export function windowOf({ scrollTop, viewportHeight, count, rowHeight, overscan }: WindowInput): RowWindow {
  const skipped = skippedRows(count, rowHeight);
  const reachable = count - skipped;
  const height = reachable * rowHeight;
  const top = clamp(scrollTop, 0, Math.max(0, height - viewportHeight));
  const first = clamp(Math.floor(top / rowHeight), 0, reachable);
  const last = clamp(Math.ceil((top + Math.max(0, viewportHeight)) / rowHeight), first, reachable);
  return {
    start: skipped + Math.max(0, first - overscan),
    end: skipped + Math.min(reachable, last + overscan),
    visibleStart: skipped + first,
    visibleEnd: skipped + last,
    skipped,
    height,
  };
}

/**
 * `nearest` scrolls as little as possible, `center` puts a row that is out of sight into the middle, `start` puts the
 * row to the top wherever it is.
 */
export type RevealMode = 'nearest' | 'center' | 'start';

export interface RevealInput {
  readonly index: number;
  readonly scrollTop: number;
  readonly viewportHeight: number;
  readonly count: number;
  readonly rowHeight: number;
  readonly mode: RevealMode;
}

/** The scroll position, px, at which a row is wholly visible; the present one when it already is. */
export function scrollTopFor({ index, scrollTop, viewportHeight, count, rowHeight, mode }: RevealInput): number {
  const skipped = skippedRows(count, rowHeight);
  const top = Math.max(0, index - skipped) * rowHeight;
  const isAbove = top < scrollTop;
  const isBelow = top + rowHeight > scrollTop + viewportHeight;
  if (!isAbove && !isBelow && mode !== 'start') {
    return scrollTop;
  }
  const wanted = {
    start: top,
    nearest: isAbove ? top : top + rowHeight - viewportHeight,
    center: top - (viewportHeight - rowHeight) / 2,
  };
  return clamp(wanted[mode], 0, Math.max(0, (count - skipped) * rowHeight - viewportHeight));
}
