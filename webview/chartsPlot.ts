import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit-html';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import { formatCount } from './format.ts';

/** What a chart's bar is: its place in px, its parts from the ground up, and what it says and does. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  readonly parts: readonly { readonly tone: string; readonly count: number }[];
  /** What it stands for, and what is in it. */
  readonly label: string;
  readonly what: string;
  readonly act: () => void;
}

export interface Chart {
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
  /** What the labels of the bars are, for the head of its table. */
  readonly column: string;
  /** What stands in the place of bars when there are none. */
  readonly empty: string;
}

/** Room for the words over and under the bars, px. */
const TOP_PX = 14;
const BOTTOM_PX = 16;

/** px that a word over the plot takes. */
const WORD_PX = 26;

/** Rows of a bar. */
export function sumOf(parts: Bar['parts']): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/**
 * A chart: bars as a list to choose from, by mouse and with the bar `cursor` by keyboard, and the same as a table for whoever
 * reads rather than sees.
 */
export function chartView(
  chart: Chart,
  cursor: number,
  aside: TemplateResult | typeof nothing,
  { columns }: PageStrings,
  onKey: (event: KeyboardEvent) => void,
): TemplateResult {
  const { id, title, width, bars } = chart;
  const max = bars.reduce((most, { parts }) => Math.max(most, sumOf(parts)), 1);
  const hasBars = bars.length > 0;
  const ground = TOP_PX + chart.plot;
  const height = ground + BOTTOM_PX;
  return html`<figure class="chart" id="chart-${id}">
    <figcaption><span class="chart-title">${title}</span>${aside}</figcaption>
    <svg
      class="plot"
      role="listbox"
      tabindex=${hasBars ? 0 : -1}
      aria-label=${title}
      aria-activedescendant=${hasBars ? `bar-${id}-${cursor}` : nothing}
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
      @keydown=${onKey}
    >
      <g aria-hidden="true">
        <line class="ground" x1="0" x2=${width} y1=${ground + 0.5} y2=${ground + 0.5}></line>
        <line class="ceiling" x1="0" x2=${width} y1=${TOP_PX + 0.5} y2=${TOP_PX + 0.5}></line>
        <text class="tick" x="0" y="10">${hasBars ? formatCount(max) : ''}</text>
      </g>
      ${bars.map((bar, index) => barView(bar, chart, index, max, index === cursor))}
      <g aria-hidden="true">${linesView(chart)}${chart.ticks.map(
        ({ x, text, anchor }) => svg`<text class="tick" x=${x} y=${height - 4} text-anchor=${anchor}>${text}</text>`,
      )}</g>
    </svg>
    <table class="sr-only">
      <caption>${title}</caption>
      <thead><tr><th scope="col">${chart.column}</th><th scope="col">${columns.outcome}</th></tr></thead>
      <tbody>${bars.map(({ label, what }) => html`<tr><th scope="row">${label}</th><td>${what}</td></tr>`)}</tbody>
    </table>
    ${hasBars ? nothing : html`<p class="chart-empty">${chart.empty}</p>`}
  </figure>`;
}

function barView(bar: Bar, { id, plot }: Chart, index: number, max: number, isActive: boolean): SVGTemplateResult {
  const gap = bar.width > 4 ? 1 : 0;
  const width = Math.max(1, bar.width - gap);
  const text = `${bar.label}: ${bar.what}`;
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
    aria-label=${text}
    aria-selected=${isActive}
    @click=${bar.act}
  ><title>${text}</title>${parts}<rect class="hit" x=${bar.left} y=${TOP_PX} width=${bar.width} height=${plot}></rect></g>`;
}

/** Of lines that are near to one another only the first has its word. */
function linesView({ lines, width, plot }: Chart): SVGTemplateResult[] {
  // The fullest bar's number stands at the left.
  let free = WORD_PX;
  return lines.map(({ x, text }) => {
    const isFree = x >= free;
    free = isFree ? x + WORD_PX : free;
    const isLast = x > width - WORD_PX;
    return svg`<line class="percentile-line" x1=${x} x2=${x} y1="2" y2=${TOP_PX + plot}></line>${
      isFree
        ? svg`<text class="tick" x=${isLast ? x - 3 : x + 3} y="10" text-anchor=${isLast ? 'end' : 'start'}>${text}</text>`
        : nothing
    }`;
  });
}
