import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { OverviewCell, OverviewView, TimeRange } from '../src/protocol/timelineViews.ts';
import { formatCount, type TimeFormats } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import { createLanes, type Lanes, NARROW_LABEL_PX, WIDE_LANES_FROM_PX } from './lanes.ts';
import { NARROW_BELOW_PX } from './layout.ts';
import { failedOf, totalOf } from './overviewCounts.ts';
import { createPaletteReader } from './overviewPalette.ts';
import { brushOfRange, cellOf, type OverviewScale, scaleOf } from './overviewScale.ts';
import { createStrip, type Strip } from './overviewStrip.ts';
import { axisTime, cellText, lengthText, rangeText, spanOfSegments, summaryText } from './overviewText.ts';
import { createPuller, filterName } from './puller.ts';
import type { Rpc } from './rpc.ts';
import type { PageState, Store } from './store.ts';
import type { TimeSpan } from './waterfall.ts';

// A chunk of its own: the rows are there before it is.

/** px on both sides of the strips; on the right there is room for the scroll bar of the lanes. */
const MARGIN_PX = 20;

/** px of a bar and the gap beside it. */
const BUCKET_PX = 4;

/**
 * Bars for a strip: few rows get wider ones, for a thin line here and there is hard to hit. In steps of two, so that not each
 * new row changes all bars.
 */
export function bucketsFor(width: number, recorded: number): number {
  const wanted = 60 * 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1, recorded) / 30)));
  return Math.max(10, Math.min(wanted, Math.floor(width / BUCKET_PX)));
}

/** How often the overview is asked for while rows stream in, ms: seldom where each count takes the host a while. */
const everyMs = (recorded: number) => (recorded > 100_000 ? 1500 : 400);

export interface OverviewHost {
  readonly rpc: Rpc;
  readonly store: Store;
  readonly times: TimeFormats;
  readonly intents: Intents;
  readonly requestRender: () => void;
}

export interface OverviewPart {
  /** The strip, its axis and the lanes. `visible`: the time of the rows on screen. */
  view(visible: TimeSpan | undefined): TemplateResult;
  /** Paints what has changed and asks for what is old; after each render. */
  settle(root: ParentNode): void;
  dispose(): void;
}

/** What of the overview is derived from its state and the page's width. */
export interface OverviewContext {
  readonly state: PageState;
  readonly view: OverviewView;
  readonly scale: OverviewScale;
  /** Rows of the fullest bucket, of all and of any lane. */
  readonly max: number;
  readonly laneMax: number;
  readonly visible: TimeSpan | undefined;
}

/** The overview of the page: one strip of all rows by time, and below it one of each server when asked for. */
export function createOverview({ rpc, store, times, intents, requestRender }: OverviewHost): OverviewPart {
  const palette = createPaletteReader(requestRender);
  let buckets = 0;
  const puller = createPuller(store, everyMs, requestRender, async () => {
    const view = await rpc.request('overview', { buckets, isByServer: store.state.overview.hasLanes });
    store.dispatch({ type: 'overviewArrived', view });
  });
  const strip: Strip = createStrip({ times, intents, palette, requestRender });
  const lanes: Lanes = createLanes({ strip, intents, requestRender });
  let scaled: (Pick<OverviewContext, 'view' | 'scale' | 'max' | 'laneMax'> & { readonly width: number }) | undefined;
  let context: OverviewContext | undefined;

  /** px left of the strips for the names of the lanes, when they stand beside them. */
  const insetOf = ({ overview, pageWidth }: PageState) =>
    overview.hasLanes && pageWidth >= WIDE_LANES_FROM_PX ? NARROW_LABEL_PX : 0;
  const widthOf = (state: PageState) => Math.max(40, Math.floor(state.pageWidth - MARGIN_PX - insetOf(state)));

  function contextOf(state: PageState, view: OverviewView, visible: TimeSpan | undefined): OverviewContext {
    const width = widthOf(state);
    if (scaled === undefined || scaled.view !== view || scaled.width !== width) {
      const fullest = (cells: readonly OverviewCell[]) =>
        cells.reduce((most, cell) => Math.max(most, totalOf(cell)), 1);
      scaled = {
        view,
        width,
        scale: scaleOf(view.segments, width),
        max: fullest(view.cells),
        laneMax: fullest((view.lanes ?? []).flatMap(({ cells }) => cells)),
      };
    }
    return { state, view, scale: scaled.scale, max: scaled.max, laneMax: scaled.laneMax, visible };
  }

  function axisView({ state, view, scale }: OverviewContext): TemplateResult {
    const { strings, overview } = state;
    const span = spanOfSegments(view.segments);
    const time = axisTime(times, span);
    const range: TimeRange | undefined = strip.draft() ?? overview.range;
    // In the sidebar there is no room for both, and the chip is what one must be able to reach.
    const pointed =
      range !== undefined && state.pageWidth < NARROW_BELOW_PX ? undefined : strip.pointed(range === undefined);
    const bucket = pointed === undefined || pointed < 0 ? undefined : pointed;
    return html`<div class="axis">
      ${
        bucket !== undefined && strip.draft() === undefined
          ? html`<span class="axis-readout" aria-hidden="true"
              ><span>${time(scale.rangeOf(bucket).fromUs)}</span><b>${cellText(cellOf(view.cells, bucket), strings)}</b></span
            >`
          : html`<span class="axis-end" aria-hidden="true">${scale.buckets === 0 ? '' : time(span.fromUs)}</span>`
      }
      <span class="axis-space"></span>
      ${range === undefined ? nothing : rangeChip(range, time, state)}
      ${range === undefined ? nothing : html`<span class="axis-space"></span>`}
      ${bucket === undefined ? html`<span class="axis-end" aria-hidden="true">${scale.buckets === 0 ? '' : time(span.toUs)}</span>` : nothing}
      ${toggleView('lanes', 'server', strings.overview.lanes, overview.hasLanes, intents.toggleLanes)}
      ${toggleView('charts', 'graph', strings.overview.charts, overview.hasCharts, intents.toggleCharts)}
    </div>`;
  }

  function rangeChip(range: TimeRange, time: (us: number) => string, { strings }: PageState): TemplateResult {
    const { overview } = strings;
    return html`<button
      type="button"
      class="range-chip"
      id="range"
      title=${overview.clearRange}
      @click=${() => intents.chooseRange(undefined)}
    ><span class="range-text">${rangeText(range, time)}</span><span class="range-length">${lengthText(range)}</span><span class="sr-only">. ${overview.clearRange}</span>${icon('close')}</button>`;
  }

  return {
    view(visible) {
      const { state } = store;
      const { view, range, hasLanes } = state.overview;
      if (view === undefined) {
        context = undefined;
        return html`<section class="overview is-loading" aria-hidden="true"></section>`;
      }
      context = contextOf(state, view, visible);
      strip.follow(context.scale, brushOfRange(context.scale, range));
      const { strings } = state;
      const inset = insetOf(state);
      return html`<section class="overview ${inset > 0 ? 'is-inset' : ''}" aria-label=${strings.overview.label}>
        <p class="sr-only" id="overview-help">
          ${summaryText(view.cells, view.segments, strings, times)} ${strings.overview.help}
        </p>
        ${inset > 0 ? html`<p class="overview-all" aria-hidden="true">${allView(view.cells, strings)}</p>` : nothing}
        ${strip.view(context)} ${axisView(context)} ${hasLanes ? lanes.view(context, inset > 0) : nothing}
      </section>`;
    },
    settle(root) {
      const { hasLanes, view } = store.state.overview;
      buckets = bucketsFor(widthOf(store.state), store.state.snapshot.recorded);
      puller.ensure(`${buckets} ${hasLanes} ${filterName(store, false)}`, view?.epoch);
      if (context !== undefined) {
        strip.paint(root, context);
      }
    },
    dispose() {
      palette.dispose();
      puller.dispose();
    },
  };
}

/** What stands in the place of a lane's name before the strip of all servers. */
function allView(cells: readonly OverviewCell[], { overview }: PageStrings): TemplateResult {
  const sum = (of: (cell: OverviewCell) => number) => cells.reduce((total, cell) => total + of(cell), 0);
  return html`<span class="lane-name">${overview.allServers}</span><span class="lane-count"
      ><b>${formatCount(sum(failedOf))}</b>/${formatCount(sum(totalOf))}</span
    >`;
}

function toggleView(id: string, glyph: string, label: string, isOn: boolean, onClick: () => void): TemplateResult {
  return html`<button
    type="button"
    class="tool is-small"
    id="toggle-${id}"
    aria-pressed=${isOn}
    aria-label=${label}
    title=${label}
    @click=${onClick}
  >${icon(glyph)}</button>`;
}
