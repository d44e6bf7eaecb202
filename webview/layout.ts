/** Below this the rows have two lines and the details open over the list. The narrowest that the design asks for is 280. */
export const NARROW_BELOW_PX = 480;

/** From here on the details stand beside the list. */
const BESIDE_FROM_PX = 900;

const MIN_DETAILS_PX = 320;
const MIN_LIST_PX = 480;

export const DEFAULT_DETAILS_PX = 420;

export interface Layout {
  readonly rows: 'wide' | 'narrow';
  readonly details: 'beside' | 'over';
  /** px; the same as `--row-height`, which is set from here. */
  readonly rowHeight: number;
  /** Height of the column headers, px; none are drawn over two-line rows. */
  readonly headerHeight: number;
}

/** How the page lies in `width` px. */
export function layoutOf(width: number): Layout {
  const isNarrow = width < NARROW_BELOW_PX;
  return {
    rows: isNarrow ? 'narrow' : 'wide',
    details: width >= BESIDE_FROM_PX ? 'beside' : 'over',
    rowHeight: isNarrow ? 44 : 24,
    headerHeight: isNarrow ? 0 : 24,
  };
}

export interface DetailsRange {
  readonly min: number;
  readonly max: number;
}

/** The widths, px, that the details pane may take beside a list that stays readable. */
export function detailsRange(pageWidth: number): DetailsRange {
  return { min: MIN_DETAILS_PX, max: Math.max(MIN_DETAILS_PX, pageWidth - MIN_LIST_PX) };
}

/** `width` brought into the range that `pageWidth` allows. */
export function clampDetails(width: number, pageWidth: number): number {
  const { min, max } = detailsRange(pageWidth);
  return Math.round(Math.max(min, Math.min(max, width)));
}
