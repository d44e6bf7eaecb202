import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit-html';
import type { LatencyBin, OverviewCell, PageStrings, TimeRange } from '../src/protocol/webview.ts';
import { fill, formatCount, formatDuration } from './format.ts';
import { OUTCOMES, toneOf } from './outcomes.ts';
import { totalOf } from './overviewCounts.ts';
import type { OverviewHost } from './overviewPart.ts';
import { scaleOf } from './overviewScale.ts';
import { axisTime, bucketText, spanOfSegments } from './overviewText.ts';
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

/** Height of the bars, lower where one chart stands over the other, and room for the words over and under them; px. */
const BESIDE_PLOT_PX = 84;
const STACKED_PLOT_PX = 54;
const TOP_PX = 14;
const BOTTOM_PX = 16;

/** px of a bar of the time chart with its gap: as many as can be told apart and hit. */
const TIME_BAR_PX = 8;

/** How often the charts are asked for while rows stream in, ms: seldom where each count takes the host a while. */
const everyMs = (recorded: number) => (recorded > 100_000 ? 3000 : 1000);

/** What a chart's bar is: its place in px, its parts from the ground up, and what it says and does. */
interface Bar {
  readonly left: number;
  readonly width: number;
  readonly parts: readonly { readonly tone: string; readonly count: number }[];
  readonly text: string;
  readonly act: () => void;
}

interface Chart {
  readonly id: string;
  readonly title: string;
  readonly width: number;
  /** Height of the bars, px. */
  readonly plot: number;
  readonly bars: readonly Bar[];
  /** Words under the axis. */
  readonly ticks: readonly { readonly x: number; readonly text: string; readonly anchor: 'start' | 'middle' | 'end' }[];
  /** Lines across the plot. */
  readonly lines: readonly { readonly x: number; readonly text: string }[];
  /** Header cell of the first column of its table. */
  readonly column: string;
}

/** The charts of the shown rows: how they ended over time, and how long they took. */
export function createCharts({ rpc, store, times, intents, requestRender }: OverviewHost): ChartsPart {
  let buckets = 0;
  const puller = createPuller(store, everyMs, requestRender, async () => {
    const charts = await rpc.request('charts', { buckets });
    store.dispatch({ type: 'chartsArrived', charts });
  });
  /** Bar under the keyboard of each chart. */
  const cursors = new Map<string, number>();

  const widthOf = ({ pageWidth }: PageState) =>
    pageWidth >= BESIDE_FROM_PX ? Math.floor((pageWidth - 2 * PADDING_PX - GAP_PX) / 2) : pageWidth - 2 * PADDING_PX;

  const plotOf = ({ pageWidth }: PageState) => (pageWidth >= BESIDE_FROM_PX ? BESIDE_PLOT_PX : STACKED_PLOT_PX);

  function timeChart(state: PageState, width: number): Chart {
    const { segments = [], cells = [] } = state.overview.charts ?? {};
    const { strings } = state;
    const scale = scaleOf(segments, width);
    const span = spanOfSegments(segments);
    const time = axisTime(times, span);
    const bars = cells.map((cell): Bar => {
      const range = scale.rangeOf(cell.bucket);
      return {
        left: scale.xOfBucket(cell.bucket),
        width: scale.bucketPx,
        parts: partsOf(cell),
        text: bucketText(range, cell, strings, times),
        act: () => intents.chooseRange(wholeRange(range)),
      };
    });
    return {
      id: 'time',
      title: strings.overview.overTime,
      width,
      plot: plotOf(state),
      bars,
      ticks:
        scale.buckets === 0
          ? []
          : [
              { x: 0, text: time(span.fromUs), anchor: 'start' },
              { x: width, text: time(span.toUs), anchor: 'end' },
            ],
      lines: [],
      column: strings.overview.time,
    };
  }

  function latencyChart(state: PageState, width: number): Chart {
    const bins = state.overview.charts?.latency.bins ?? [];
    const { percentiles } = state.overview.charts?.latency ?? {};
    const { overview } = state.strings;
    const barPx = width / Math.max(6, bins.length);
    const bars = bins.map((bin, index): Bar => {
      const words = [
        [bin.passed, overview.passed],
        [bin.failed, overview.failed],
      ] as const;
      return {
        left: index * barPx,
        width: barPx,
        parts: [
          { tone: 'tone-success', count: bin.passed },
          { tone: 'tone-failed', count: bin.failed },
        ],
        text: `${binText(bin, state.strings)}: ${words.map(([count, word]) => `${formatCount(count)} ${word}`).join(', ')}`,
        act: () => intents.filterSlower(bin.fromUs),
      };
    });
    const every = Math.max(1, Math.ceil(44 / barPx));
    return {
      id: 'latency',
      title: overview.latency,
      width,
      plot: plotOf(state),
      bars,
      ticks: bins.flatMap((bin, index) =>
        index % every === 0
          ? [{ x: index * barPx, text: shortDuration(bin.fromUs), anchor: index === 0 ? 'start' : 'middle' } as const]
          : [],
      ),
      lines:
        percentiles === undefined
          ? []
          : [
              { x: placeOf(bins, percentiles.p50Us, barPx), text: 'p50' },
              { x: placeOf(bins, percentiles.p95Us, barPx), text: 'p95' },
              { x: placeOf(bins, percentiles.p99Us, barPx), text: 'p99' },
            ],
      column: overview.duration,
    };
  }

  function onKey(event: KeyboardEvent, chart: Chart): void {
    const at = cursors.get(chart.id) ?? 0;
    const last = chart.bars.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: last,
    };
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

  function chartView(chart: Chart, aside: TemplateResult | typeof nothing): TemplateResult {
    const { strings } = store.state;
    const max = chart.bars.reduce((most, { parts }) => Math.max(most, sumOf(parts)), 1);
    const cursor = Math.min(cursors.get(chart.id) ?? 0, Math.max(0, chart.bars.length - 1));
    const hasBars = chart.bars.length > 0;
    const ground = TOP_PX + chart.plot;
    const height = ground + BOTTOM_PX;
    return html`<figure class="chart" id="chart-${chart.id}">
      <figcaption><span class="chart-title">${chart.title}</span>${aside}</figcaption>
      <svg
        class="plot"
        role="listbox"
        tabindex=${hasBars ? 0 : -1}
        aria-label=${chart.title}
        aria-activedescendant=${hasBars ? `bar-${chart.id}-${cursor}` : nothing}
        width=${chart.width}
        height=${height}
        viewBox="0 0 ${chart.width} ${height}"
        @keydown=${(event: KeyboardEvent) => onKey(event, chart)}
      >
        <g aria-hidden="true">
          <line class="ground" x1="0" x2=${chart.width} y1=${ground + 0.5} y2=${ground + 0.5}></line>
          <line class="ceiling" x1="0" x2=${chart.width} y1=${TOP_PX + 0.5} y2=${TOP_PX + 0.5}></line>
          <text class="tick" x="0" y="10">${hasBars ? formatCount(max) : ''}</text>
        </g>
        ${chart.bars.map((bar, index) => barView(bar, chart, index, max, index === cursor))}
        <g aria-hidden="true">${linesView(chart)}${chart.ticks.map(
          ({ x, text, anchor }) => svg`<text class="tick" x=${x} y=${height - 4} text-anchor=${anchor}>${text}</text>`,
        )}</g>
      </svg>
      <table class="sr-only">
        <caption>${chart.title}</caption>
        <tbody>
          ${chart.bars.map(({ text }) => html`<tr><td>${text}</td></tr>`)}
        </tbody>
      </table>
      ${hasBars ? nothing : html`<p class="chart-empty">${chart.id === 'time' ? strings.overview.nothing : strings.overview.noLatency}</p>`}
    </figure>`;
  }

  return {
    view() {
      const { state } = store;
      const { charts } = state.overview;
      if (charts === undefined) {
        return html`<section class="charts is-loading" aria-hidden="true"></section>`;
      }
      const width = widthOf(state);
      return html`<section class="charts ${state.pageWidth >= BESIDE_FROM_PX ? 'is-beside' : ''} ${state.overview.hasLanes ? 'is-tight' : ''}" aria-label=${state.strings.overview.charts}>
        ${chartView(timeChart(state, width), nothing)}
        ${chartView(latencyChart(state, width), percentilesView(state))}
      </section>`;
    },
    settle() {
      buckets = Math.max(8, Math.floor(widthOf(store.state) / TIME_BAR_PX));
      puller.ensure(`${buckets} ${filterName(store, true)}`, store.state.overview.charts?.epoch);
    },
    dispose: () => puller.dispose(),
  };

  function percentilesView({ overview }: PageState): TemplateResult | typeof nothing {
    const percentiles = overview.charts?.latency.percentiles;
    if (percentiles === undefined) {
      return nothing;
    }
    const { p50Us, p95Us, p99Us } = percentiles;
    return html`<span class="percentiles"
      >${[['p50', p50Us] as const, ['p95', p95Us] as const, ['p99', p99Us] as const].map(
        ([name, us]) =>
          html`<button type="button" class="percentile" title=${`ms≥${Math.round(us / 100) / 10}`} @click=${() => intents.filterSlower(us)}
            >${name} <b>${formatDuration(us)}</b></button
          >`,
      )}</span
    >`;
  }
}

function barView(bar: Bar, { id, plot }: Chart, index: number, max: number, isActive: boolean): SVGTemplateResult {
  const gap = bar.width > 4 ? 1 : 0;
  const width = Math.max(1, bar.width - gap);
  let ground = TOP_PX + plot;
  const parts = bar.parts
    .filter(({ count }) => count > 0)
    .map(({ tone, count }) => {
      // What is there must be seen, however few it is.
      const height = Math.max(2, (count / max) * plot);
      ground -= height;
      return svg`<rect class="bar ${tone}" x=${bar.left} y=${ground} width=${width} height=${height}></rect>`;
    });
  return svg`<g
    class="bar-group ${isActive ? 'is-active' : ''}"
    role="option"
    id="bar-${id}-${index}"
    aria-label=${bar.text}
    aria-selected=${isActive}
    @click=${bar.act}
  ><title>${bar.text}</title>${parts}<rect class="hit" x=${bar.left} y=${TOP_PX} width=${bar.width} height=${plot}></rect></g>`;
}

/** Lines that are near to one another share their words. */
function linesView({ lines, width, plot }: Chart): SVGTemplateResult[] {
  // The fullest bar's number stands at the left.
  let free = 26;
  return lines.map(({ x, text }) => {
    const isFree = x >= free;
    free = isFree ? x + 26 : free;
    const anchor = x > width - 26 ? 'end' : 'start';
    return svg`<line class="percentile-line" x1=${x} x2=${x} y1="2" y2=${TOP_PX + plot}></line>${
      isFree
        ? svg`<text class="tick" x=${anchor === 'end' ? x - 3 : x + 3} y="10" text-anchor=${anchor}>${text}</text>`
        : nothing
    }`;
  });
}

/** A cell's outcomes from the ground up: successes first, so that failures stand out at the top of each bar. */
function partsOf(cell: OverviewCell): Bar['parts'] {
  const known = OUTCOMES.map((kind) => ({ tone: toneOf(kind), count: cell.counts[kind] ?? 0 }));
  return [...known, { tone: 'tone-none', count: totalOf(cell) - sumOf(known) }];
}

const sumOf = (parts: Bar['parts']) => parts.reduce((sum, { count }) => sum + count, 0);

const wholeRange = ({ fromUs, toUs }: Required<TimeRange>) => ({ fromUs: Math.floor(fromUs), toUs: Math.ceil(toUs) });

/** px of a duration on the axis of the bins, whose bars are equally wide: even within a bar by its logarithm. */
export function placeOf(bins: readonly LatencyBin[], us: number, barPx: number): number {
  const index = bins.findLastIndex(({ fromUs }) => us >= fromUs);
  const bin = bins[index];
  if (bin === undefined) {
    return 0;
  }
  const from = Math.max(1, bin.fromUs);
  const to = bin.toUs ?? from * 2;
  const within = Math.log(Math.max(1, us / from)) / Math.log(to / from);
  return (index + Math.max(0, Math.min(1, within))) * barPx;
}

function binText({ fromUs, toUs }: LatencyBin, { overview }: PageStrings): string {
  return toUs === undefined
    ? fill(overview.orMore, { from: formatDuration(fromUs) })
    : fill(overview.between, { from: shortDuration(fromUs), to: shortDuration(toUs) });
}

/** A bound of a bar: "0", "20 ms", "5 s". All of them are whole in their unit. */
function shortDuration(us: number): string {
  if (us < 1_000_000) {
    return us === 0 ? '0' : `${us / 1000} ms`;
  }
  return `${us / 1_000_000} s`;
}
