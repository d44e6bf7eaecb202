import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { ChartsView } from '../src/protocol/timelineViews.ts';
import { latencyChart, timeChart } from './chartsData.ts';
import { type Chart, chartView } from './chartsPlot.ts';
import { formatDuration } from './format.ts';
import type { OverviewHost } from './overviewPart.ts';
import { createPuller, filterName } from './puller.ts';
import type { PageState } from './store.ts';

// A chunk of its own, loaded when the charts are first shown.

export interface ChartsPart {
  view(): TemplateResult;
  /** Asks for what is old; after each render. */
  settle(): void;
  dispose(): void;
}

/** From this width of the page on the charts stand side by side. */
const BESIDE_FROM_PX = 560;

const PADDING_PX = 10;
const GAP_PX = 20;

/** Height of the bars, lower where one chart stands over the other; px. */
const BESIDE_PLOT_PX = 84;
const STACKED_PLOT_PX = 54;

/** px of a bar of the time chart with its gap: as many as can be told apart and hit. */
const TIME_BAR_PX = 8;

/** How often the charts are asked for while rows stream in, ms: seldom where each count takes the host a while. */
const everyMs = (recorded: number) => (recorded > 100_000 ? 3000 : 1000);

const isBeside = ({ pageWidth }: PageState) => pageWidth >= BESIDE_FROM_PX;

/** px of a chart. */
const widthOf = (state: PageState) =>
  isBeside(state)
    ? Math.floor((state.pageWidth - 2 * PADDING_PX - GAP_PX) / 2)
    : Math.max(40, state.pageWidth - 2 * PADDING_PX);

/** The charts of the shown rows: how they ended over time, and how long they took. */
export function createCharts({ rpc, store, times, intents, requestRender }: OverviewHost): ChartsPart {
  let buckets = 0;
  const puller = createPuller(store, everyMs, requestRender, async () => {
    const charts = await rpc.request('charts', { buckets });
    store.dispatch({ type: 'chartsArrived', charts });
  });
  /** Bar under the keyboard of each chart. */
  const cursors = new Map<string, number>();

  const cursorOf = ({ id, bars }: Chart) => Math.min(cursors.get(id) ?? 0, Math.max(0, bars.length - 1));

  function onKey(event: KeyboardEvent, chart: Chart): void {
    const at = cursorOf(chart);
    const last = chart.bars.length - 1;
    const steps: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const next = steps[event.key];
    if (next !== undefined) {
      cursors.set(chart.id, Math.max(0, Math.min(last, next)));
      requestRender();
    } else if (event.key === 'Enter' || event.key === ' ') {
      chart.bars[at]?.act();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function chartsView(state: PageState, charts: ChartsView): TemplateResult {
    const { strings } = state;
    const plot = isBeside(state) ? BESIDE_PLOT_PX : STACKED_PLOT_PX;
    const input = { charts, strings, times, width: widthOf(state), plot, intents };
    const classes = ['charts', isBeside(state) ? 'is-beside' : '', state.overview.hasLanes ? 'is-tight' : ''];
    const draw = (chart: Chart, aside: TemplateResult | typeof nothing) =>
      chartView(chart, cursorOf(chart), aside, strings, (event) => onKey(event, chart));
    return html`<section class=${classes.join(' ')} aria-label=${strings.overview.charts}>
      ${draw(timeChart(input), nothing)} ${draw(latencyChart(input), percentilesView(charts))}
    </section>`;
  }

  function percentilesView({ latency: { percentiles } }: ChartsView): TemplateResult | typeof nothing {
    if (percentiles === undefined) {
      return nothing;
    }
    const { p50Us, p95Us, p99Us } = percentiles;
    return html`<span class="percentiles"
      >${Object.entries({ p50: p50Us, p95: p95Us, p99: p99Us }).map(
        ([name, us]) =>
          html`<button type="button" class="percentile" title=${`ms≥${Math.round(us / 100) / 10}`} @click=${() => intents.filterSlower(us)}
            >${name} <b>${formatDuration(us)}</b></button
          >`,
      )}</span
    >`;
  }

  return {
    view() {
      const { state } = store;
      const { charts, hasLanes } = state.overview;
      // The page renders at every scroll, and the charts change seldom.
      const parts = [charts, state.pageWidth, hasLanes, cursors.get('time'), cursors.get('latency')];
      return html`${guard(parts, () =>
        charts === undefined
          ? html`<section class="charts is-loading" aria-hidden="true"></section>`
          : chartsView(state, charts),
      )}`;
    },
    settle() {
      buckets = Math.max(8, Math.floor(widthOf(store.state) / TIME_BAR_PX));
      puller.ensure(`${buckets} ${filterName(store, true)}`, store.state.overview.charts?.epoch);
    },
    dispose: () => puller.dispose(),
  };
}
