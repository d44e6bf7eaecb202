import { html, type TemplateResult } from 'lit-html';
import type { TimeRange } from '../src/protocol/timelineViews.ts';
import { clamp } from './clamp.ts';
import { formatCount, type TimeFormats } from './format.ts';
import type { Intents } from './intents.ts';
import { draggedTo, edgesOf, type Grip, gripAt } from './overviewDrag.ts';
import { stripAct } from './overviewKeys.ts';
import { paintStrip, type StripPicture } from './overviewPaint.ts';
import type { PaletteReader } from './overviewPalette.ts';
import type { OverviewContext } from './overviewPart.ts';
import { type Brush, cellOf, type OverviewScale, rangeOfBrush } from './overviewScale.ts';
import { bucketText } from './overviewText.ts';
import { styled } from './styled.ts';

/** Heights in px; the style sheet has the same. */
const STRIP_PX = 38;
const LANE_STRIP_PX = 18;

export interface StripHost {
  readonly times: TimeFormats;
  readonly intents: Intents;
  readonly palette: PaletteReader;
  readonly requestRender: () => void;
}

export interface Strip {
  /** Takes in another axis or brush, before the view. */
  follow(scale: OverviewScale, brush: Brush | undefined): void;
  view(context: OverviewContext): TemplateResult;
  /** The canvas of a lane on the same axis, for the mouse alone. `server` is its id. */
  laneCanvas(context: OverviewContext, server: string): TemplateResult;
  /** The bucket under the mouse, or under the keyboard's cursor when that is wanted too. */
  pointed(hasCursor: boolean): number | undefined;
  /** The range that is being dragged. */
  draft(): TimeRange | undefined;
  paint(root: ParentNode, context: OverviewContext): void;
}

/** The strip with its brush, which the lanes share: all stand on one axis. */
export function createStrip({ times, intents, palette, requestRender }: StripHost): Strip {
  let scale: OverviewScale | undefined;
  let brush: Brush | undefined;
  let range: TimeRange | undefined;
  let grip: Grip | undefined;
  let draft: TimeRange | undefined;
  let hovered: number | undefined;
  let cursor: number | undefined;
  let hasFocus = false;
  /** What each canvas shows. */
  const painted = new WeakMap<HTMLCanvasElement, StripPicture & { readonly ratio: number }>();

  const cursorNow = () => clamp(cursor ?? (scale?.buckets ?? 1) - 1, 0, Math.max(0, (scale?.buckets ?? 1) - 1));
  const placeOf = (event: MouseEvent) =>
    event.currentTarget instanceof Element ? event.clientX - event.currentTarget.getBoundingClientRect().left : 0;

  function jump(bucket: number, server?: string): void {
    if (scale !== undefined && bucket >= 0) {
      const { fromUs, toUs } = scale.rangeOf(bucket);
      intents.jumpToTime(fromUs, toUs, server);
    }
  }

  const onDown = (event: PointerEvent) => {
    if (event.button === 0 && scale !== undefined && event.currentTarget instanceof Element) {
      event.currentTarget.setPointerCapture(event.pointerId);
      grip = gripAt(scale, range, placeOf(event));
    }
  };
  const onMove = (event: PointerEvent) => {
    if (scale === undefined) {
      return;
    }
    const x = placeOf(event);
    hovered = scale.bucketAt(x);
    draft = grip === undefined ? undefined : (draggedTo(scale, grip, x) ?? draft);
    if (event.currentTarget instanceof HTMLElement) {
      event.currentTarget.dataset['grip'] = (grip ?? gripAt(scale, range, x)).kind;
    }
    requestRender();
  };
  const onUp = (event: PointerEvent, server?: string) => {
    if (grip === undefined || scale === undefined) {
      return;
    }
    const chosen = draft;
    const wasNew = grip.kind === 'new';
    [grip, draft] = [undefined, undefined];
    if (chosen !== undefined) {
      intents.chooseRange(chosen);
    } else if (range !== undefined && wasNew) {
      // Beside the brush: away with it.
      intents.chooseRange(undefined);
    } else {
      cursor = scale.bucketAt(placeOf(event));
      jump(cursor, server);
    }
    requestRender();
  };
  const onCancel = () => {
    [grip, draft] = [undefined, undefined];
    requestRender();
  };
  const onLeave = () => {
    hovered = undefined;
    requestRender();
  };
  const onKey = (event: KeyboardEvent) => {
    if (scale === undefined || scale.buckets === 0 || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const act = stripAct({ cursor: cursorNow(), brush, buckets: scale.buckets }, event.key, event.shiftKey);
    if (act === undefined) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    switch (act.kind) {
      case 'move':
        cursor = act.cursor;
        break;
      case 'brush':
        cursor = act.cursor;
        intents.chooseRange(rangeOfBrush(scale, act.brush));
        break;
      case 'clear':
        intents.chooseRange(undefined);
        break;
      case 'jump':
        jump(cursorNow());
        break;
    }
    requestRender();
  };
  const onFocus = (event: Event) => {
    hasFocus = event.type === 'focus';
    requestRender();
  };

  function pictureOf(
    canvas: HTMLCanvasElement,
    { view, scale: axis, max, laneMax, visible }: OverviewContext,
  ): StripPicture {
    const lane = canvas.dataset['lane'];
    const edges = draft ?? range;
    return {
      scale: axis,
      cells: lane === undefined ? view.cells : (view.lanes?.find(({ id }) => id === lane)?.cells ?? []),
      max: lane === undefined ? max : laneMax,
      height: lane === undefined ? STRIP_PX : LANE_STRIP_PX,
      brush: edges === undefined ? undefined : edgesOf(axis, edges),
      cursor: grip !== undefined ? undefined : (hovered ?? (hasFocus && lane === undefined ? cursorNow() : undefined)),
      visible:
        visible === undefined || lane !== undefined
          ? undefined
          : { fromX: axis.xOf(visible.fromUs), toX: axis.xOf(visible.toUs) },
      palette: palette.read(),
    };
  }

  return {
    follow(nextScale, nextBrush) {
      scale = nextScale;
      brush = nextBrush;
    },
    view(context) {
      ({ range } = context.state.overview);
      const { strings } = context.state;
      const at = cursorNow();
      const has = context.scale.buckets > 0;
      return html`<div
        class="strip"
        id="overview"
        role="slider"
        tabindex="0"
        aria-label=${strings.overview.label}
        aria-describedby="overview-help"
        aria-valuemin="1"
        aria-valuemax=${Math.max(1, context.scale.buckets)}
        aria-valuenow=${at + 1}
        aria-valuetext=${
          has
            ? bucketText(context.scale.rangeOf(at), cellOf(context.view.cells, at), strings, times)
            : strings.overview.nothing
        }
        data-buckets=${formatCount(context.scale.buckets)}
        @pointerdown=${onDown}
        @pointermove=${onMove}
        @pointerup=${onUp}
        @pointercancel=${onCancel}
        @pointerleave=${onLeave}
        @dblclick=${() => intents.chooseRange(undefined)}
        @keydown=${onKey}
        @focus=${onFocus}
        @blur=${onFocus}
      ><canvas aria-hidden="true" ${styled({ width: `${context.scale.width}px` })}></canvas></div>`;
    },
    laneCanvas(context, server) {
      return html`<div
        class="lane-strip"
        @pointerdown=${onDown}
        @pointermove=${onMove}
        @pointerup=${(event: PointerEvent) => onUp(event, server)}
        @pointercancel=${onCancel}
        @pointerleave=${onLeave}
        @dblclick=${() => intents.chooseRange(undefined)}
      ><canvas aria-hidden="true" data-lane=${server} ${styled({ width: `${context.scale.width}px` })}></canvas></div>`;
    },
    pointed: (hasCursor) => hovered ?? (hasFocus && hasCursor ? cursorNow() : undefined),
    draft: () => draft,
    paint(root, context) {
      for (const canvas of root.querySelectorAll<HTMLCanvasElement>('.overview canvas')) {
        const picture = { ...pictureOf(canvas, context), ratio: window.devicePixelRatio };
        const before = painted.get(canvas);
        if (before === undefined || !isSamePicture(before, picture)) {
          painted.set(canvas, picture);
          paintStrip(canvas, picture);
        }
      }
    },
  };
}

/** Painting costs more than looking whether it is needed: a page renders at every scroll. */
function isSamePicture(a: object, b: object): boolean {
  return Object.entries(b).every(([name, value]: [string, unknown]) => {
    const other: unknown = (a as Readonly<Record<string, unknown>>)[name];
    if ((name === 'brush' || name === 'visible') && isEdges(value) && isEdges(other)) {
      return value.fromX === other.fromX && value.toX === other.toX;
    }
    return value === other;
  });
}

function isEdges(value: unknown): value is { readonly fromX: number; readonly toX: number } {
  return typeof value === 'object' && value !== null && 'fromX' in value;
}
