import type { OverviewCell } from '../src/protocol/timelineViews.ts';
import { failedOf, totalOf, worstOf } from './overviewCounts.ts';
import type { Palette } from './overviewPalette.ts';
import { FOLD_PX, type OverviewScale } from './overviewScale.ts';

/** Everything that a strip shows. Places are px from its left. */
export interface StripPicture {
  readonly scale: OverviewScale;
  readonly cells: readonly OverviewCell[];
  /** Rows of the tallest bar. */
  readonly max: number;
  readonly height: number;
  readonly brush: { readonly fromX: number; readonly toX: number } | undefined;
  /** Bucket that is pointed at by keyboard or mouse. */
  readonly cursor: number | undefined;
  /** What the list shows now. */
  readonly visible: { readonly fromX: number; readonly toX: number } | undefined;
  readonly palette: Palette;
}

/** The smallest height at which a bar, and a failure in it, is seen; px. */
const MIN_BAR_PX = 3;
const MIN_FAILURE_PX = 5;

/** Successes are quiet. */
const QUIET_ALPHA = 0.5;

/** Room above the tallest bar, px. */
const HEADROOM_PX = 4;

/** Height of a bar for `count` of `max` rows, px: by the root, so that a single failure beside thousands of calls is seen. */
export function barHeight(count: number, max: number, height: number, minPx: number): number {
  return count <= 0 ? 0 : Math.max(minPx, Math.sqrt(count / Math.max(1, max)) * (height - HEADROOM_PX));
}

/** Paints a strip into a canvas of any resolution; its transform is set here. */
export function paintStrip(canvas: HTMLCanvasElement, picture: StripPicture): void {
  const context = canvas.getContext('2d');
  if (context === null) {
    return;
  }
  const { scale, height, brush, palette } = picture;
  const ratio = window.devicePixelRatio;
  const [width, tall] = [Math.round(scale.width * ratio), Math.round(height * ratio)];
  if (canvas.width !== width || canvas.height !== tall) {
    canvas.width = width;
    canvas.height = tall;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scale.width, height);
  // Under the bars, or it would change their colours.
  if (brush !== undefined && !palette.isForced && !palette.isHighContrast) {
    context.globalAlpha = 0.14;
    context.fillStyle = palette.focus;
    context.fillRect(brush.fromX, 0, brush.toX - brush.fromX, height);
  }
  paintFolds(context, picture);
  paintBars(context, picture);
  if (brush !== undefined) {
    paintEdges(context, picture, brush);
  }
  paintVisible(context, picture);
  paintCursor(context, picture, palette);
}

function paintBars(context: CanvasRenderingContext2D, { scale, cells, max, height, palette }: StripPicture): void {
  const gap = scale.bucketPx >= 3 ? 1 : 0;
  for (const cell of cells) {
    // On whole pixels, or a row of bars shimmers.
    const left = Math.round(scale.xOfBucket(cell.bucket));
    const width = Math.max(1, Math.min(14, Math.round(scale.xOfBucket(cell.bucket) + scale.bucketPx) - left - gap));
    const failed = failedOf(cell);
    const total = barHeight(totalOf(cell), max, height, failed > 0 ? MIN_FAILURE_PX : MIN_BAR_PX);
    context.globalAlpha = palette.isForced || palette.isHighContrast ? 0.75 : QUIET_ALPHA;
    context.fillStyle = palette.isForced ? palette.dim : palette.tone(worstOf(cell, false));
    context.fillRect(left, height - total, width, total);
    if (failed > 0) {
      context.globalAlpha = 1;
      context.fillStyle = palette.isForced ? palette.foreground : palette.tone(worstOf(cell, true));
      const bad = Math.min(total, barHeight(failed, max, height, MIN_FAILURE_PX));
      context.fillRect(left, height - bad, Math.max(2, width), bad);
      if (palette.isForced) {
        // A cap, since all colours are one.
        context.fillRect(left - 1, height - bad - 2, Math.max(2, width) + 2, 2);
      }
    }
  }
  context.globalAlpha = 1;
}

/** Where time is left out, the axis is broken. */
function paintFolds(context: CanvasRenderingContext2D, { scale, height, palette }: StripPicture): void {
  context.globalAlpha = 0.55;
  context.fillStyle = palette.dim;
  for (const { left } of scale.segments.slice(1)) {
    const x = Math.round(left - FOLD_PX / 2) - 0.5;
    for (let y = 2; y < height - 2; y += 5) {
      context.fillRect(x, y, 1, 2);
    }
  }
  context.globalAlpha = 1;
}

/** What is outside of the brush steps back, and its edges can be taken hold of. */
function paintEdges(
  context: CanvasRenderingContext2D,
  { scale, height, palette }: StripPicture,
  { fromX, toX }: { readonly fromX: number; readonly toX: number },
): void {
  context.globalAlpha = palette.isForced ? 0.6 : 0.66;
  context.fillStyle = palette.background;
  context.fillRect(0, 0, fromX, height);
  context.fillRect(toX, 0, scale.width - toX, height);
  context.fillStyle = palette.focus;
  context.globalAlpha = 1;
  const middle = Math.round(height / 2);
  for (const x of [fromX, toX]) {
    const edge = Math.max(0, Math.min(scale.width - 1, Math.round(x) - (x === toX ? 1 : 0)));
    context.fillRect(edge, 0, 1, height);
    context.fillRect(edge - 1, middle - 5, 3, 10);
  }
}

function paintVisible(context: CanvasRenderingContext2D, { visible, palette, scale }: StripPicture): void {
  if (visible !== undefined) {
    context.globalAlpha = 0.7;
    context.fillStyle = palette.foreground;
    const left = Math.max(0, Math.min(scale.width - 3, visible.fromX - 1));
    context.fillRect(left, 0, Math.max(3, visible.toX - visible.fromX + 2), 2);
    context.globalAlpha = 1;
  }
}

function paintCursor(
  context: CanvasRenderingContext2D,
  { cursor, scale, height }: StripPicture,
  palette: Palette,
): void {
  if (cursor !== undefined && cursor >= 0) {
    const left = Math.round(scale.xOfBucket(cursor)) - 1;
    context.strokeStyle = palette.focus;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, 2.5, Math.max(4, Math.round(scale.bucketPx) + 1), height - 3);
  }
}
