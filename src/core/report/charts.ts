import { OUTCOME_KINDS } from '../../protocol/outcome.ts';
import type { Report, ReportTool } from '../../protocol/report.ts';
import { htmlText } from '../export/htmlText.ts';

// Small pictures as SVG without style attributes, which the page's policy would refuse: classes give the colours.

const BAR_WIDTH = 160;
const BAR_HEIGHT = 10;
/** What few calls came to is seen all the same. */
const MIN_SEGMENT = 2;

/** One bar of outcomes, failures to the right of successes. `label` says in words what it shows. */
export function outcomeBar(outcomes: ReportTool['outcomes'], label: string, width = BAR_WIDTH): string {
  const counts = OUTCOME_KINDS.map((kind) => ({ kind, count: outcomes[kind] ?? 0 })).filter(({ count }) => count > 0);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const small = counts.filter(({ count }) => (count / total) * width < MIN_SEGMENT);
  const rest = width - small.length * MIN_SEGMENT;
  const restTotal = total - small.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  const segments = counts.map(({ kind, count }) => {
    const size = (count / total) * width < MIN_SEGMENT ? MIN_SEGMENT : (count / restTotal) * rest;
    const from = x;
    x += size;
    return `<rect class="o-${kind}" x="${tenth(from)}" width="${tenth(size)}" height="${BAR_HEIGHT}"/>`;
  });
  return svg(width, BAR_HEIGHT, label, segments.join(''), 'bar');
}

const TIME_WIDTH = 720;
const TIME_HEIGHT = 64;
const COLUMN_GAP = 1;

/** Calls by time, failures at the foot of each column. Steps without a call are left out of the data, not of the picture. */
export function timeChart({ stepUs, buckets }: Report['timeline'], label: string): string {
  const [first] = buckets;
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) {
    return '';
  }
  const steps = Math.round((last.fromUs - first.fromUs) / stepUs) + 1;
  const width = Math.min(24, TIME_WIDTH / steps);
  const most = Math.max(...buckets.map(({ calls }) => calls));
  const columns = buckets.map(({ fromUs, calls, failures }) => {
    const x = tenth(Math.round((fromUs - first.fromUs) / stepUs) * width);
    const height = Math.max(1, (calls / most) * TIME_HEIGHT);
    const failed = failures === 0 ? 0 : Math.max(1, (failures / most) * TIME_HEIGHT);
    const size = tenth(Math.max(0.5, width - COLUMN_GAP));
    return [
      `<rect class="passed" x="${x}" y="${tenth(TIME_HEIGHT - height)}" width="${size}" height="${tenth(height - failed)}"/>`,
      failed === 0
        ? ''
        : `<rect class="failed" x="${x}" y="${tenth(TIME_HEIGHT - failed)}" width="${size}" height="${tenth(failed)}"/>`,
    ].join('');
  });
  return svg(TIME_WIDTH, TIME_HEIGHT, label, columns.join(''), 'time');
}

const STRIP_WIDTH = 120;
const STRIP_HEIGHT = 10;
/** From a millisecond to a hundred seconds, by powers of ten. */
const STRIP_FROM = 3;
const STRIP_TO = 8;

/** Where half, 95 and 99 of a hundred answers lie on a logarithmic scale, the same for every tool. */
export function latencyStrip({ p50Us, p95Us, p99Us }: NonNullable<ReportTool['latency']>, label: string): string {
  const at = (us: number) => {
    const share = (Math.log10(Math.max(1, us)) - STRIP_FROM) / (STRIP_TO - STRIP_FROM);
    return 3 + Math.min(1, Math.max(0, share)) * (STRIP_WIDTH - 6);
  };
  const middle = STRIP_HEIGHT / 2;
  const content = [
    `<line class="axis" x1="0" x2="${STRIP_WIDTH}" y1="${middle}" y2="${middle}"/>`,
    `<line class="range" x1="${tenth(at(p50Us))}" x2="${tenth(at(p99Us))}" y1="${middle}" y2="${middle}"/>`,
    `<circle class="p50" cx="${tenth(at(p50Us))}" cy="${middle}" r="3"/>`,
    `<circle class="p95" cx="${tenth(at(p95Us))}" cy="${middle}" r="2"/>`,
  ];
  return svg(STRIP_WIDTH, STRIP_HEIGHT, label, content.join(''), 'strip');
}

function svg(width: number, height: number, label: string, content: string, kind: string): string {
  return `<svg class="${kind}" role="img" aria-label="${htmlText(label)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" preserveAspectRatio="none"><title>${htmlText(label)}</title>${content}</svg>`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
