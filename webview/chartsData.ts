import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { ChartsView, LatencyBin, OverviewCell } from '../src/protocol/timelineViews.ts';
import type { Bar, Chart } from './chartsPlot.ts';
import { sumOf } from './chartsPlot.ts';
import { fill, formatCount, formatDuration, type TimeFormats } from './format.ts';
import type { Intents } from './intents.ts';
import { OUTCOMES, toneOf } from './outcomes.ts';
import { totalOf } from './overviewCounts.ts';
import { scaleOf } from './overviewScale.ts';
import { axisTime, bucketTime, cellText, spanOfSegments } from './overviewText.ts';

/** What the charts are made of. Sizes in px. */
export interface ChartsInput {
  readonly charts: ChartsView;
  readonly strings: PageStrings;
  readonly times: TimeFormats;
  readonly width: number;
  readonly plot: number;
  readonly intents: Pick<Intents, 'chooseRange' | 'filterSlower'>;
}

/** Bars take at most this part of the width each, so that a single one is not a wall. */
const MIN_BARS = 6;

/** px from one word under the axis to the next. */
const TICK_PX = 44;

/** How the shown rows ended, over time; a bar chooses its time. */
export function timeChart({ charts, strings, times, width, plot, intents }: ChartsInput): Chart {
  const { segments, cells } = charts;
  const { overview } = strings;
  const scale = scaleOf(segments, width);
  const span = spanOfSegments(segments);
  const time = axisTime(times, span);
  const bars = cells.map((cell): Bar => {
    const { fromUs, toUs } = scale.rangeOf(cell.bucket);
    const say = bucketTime({ fromUs, toUs }, times);
    return {
      left: scale.xOfBucket(cell.bucket),
      width: scale.bucketPx,
      parts: partsOf(cell),
      label: fill(overview.between, { from: say(fromUs), to: say(toUs) }),
      what: cellText(cell, strings),
      act: () => intents.chooseRange({ fromUs: Math.floor(fromUs), toUs: Math.ceil(toUs) }),
    };
  });
  const ends = [
    { x: 0, text: time(span.fromUs), anchor: 'start' },
    { x: width, text: time(span.toUs), anchor: 'end' },
  ] as const;
  return {
    id: 'time',
    title: overview.overTime,
    width,
    plot,
    bars,
    ticks: bars.length === 0 ? [] : ends,
    lines: [],
    column: overview.time,
    empty: overview.nothing,
  };
}

/** How long the shown requests took; a bar asks for those that took at least as long. */
export function latencyChart({ charts, strings, width, plot, intents }: ChartsInput): Chart {
  const { bins, percentiles } = charts.latency;
  const { overview } = strings;
  const barPx = width / Math.max(MIN_BARS, bins.length);
  const every = Math.max(1, Math.ceil(TICK_PX / barPx));
  const bars = bins.map(
    (bin, index): Bar => ({
      left: index * barPx,
      width: barPx,
      parts: [
        { tone: 'tone-success', count: bin.passed },
        { tone: 'tone-failed', count: bin.failed },
      ],
      label: binText(bin, strings),
      what: `${formatCount(bin.passed)} ${overview.passed}, ${formatCount(bin.failed)} ${overview.failed}`,
      act: () => intents.filterSlower(bin.fromUs),
    }),
  );
  const { p50Us = 0, p95Us = 0, p99Us = 0 } = percentiles ?? {};
  const lines = Object.entries({ p50: p50Us, p95: p95Us, p99: p99Us });
  return {
    id: 'latency',
    title: overview.latency,
    width,
    plot,
    bars,
    ticks: bins.flatMap(({ fromUs }, index) =>
      index % every === 0
        ? [{ x: index * barPx, text: shortDuration(fromUs), anchor: index === 0 ? 'start' : 'middle' } as const]
        : [],
    ),
    lines: percentiles === undefined ? [] : lines.map(([text, us]) => ({ x: placeOf(bins, us, barPx), text })),
    column: overview.duration,
    empty: overview.noLatency,
  };
}

/** A cell's outcomes from the ground up: successes first, so that failures stand out at the top of each bar. */
function partsOf(cell: OverviewCell): Bar['parts'] {
  const known = OUTCOMES.map((kind) => ({ tone: toneOf(kind), count: cell.counts[kind] ?? 0 }));
  return [...known, { tone: 'tone-none', count: totalOf(cell) - sumOf(known) }];
}

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
