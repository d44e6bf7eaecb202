import { OURS, type PeerRow } from './row.ts';

/** What stands above the table: when, where and with what it was measured. */
export interface RunFacts {
  /** `2026-12-01`. */
  readonly date: string;
  readonly machine: string;
  readonly versions: readonly string[];
}

/**
 * The rows as one Markdown table, those of a measure together, in the order of their first, each with its ratio to ours in
 * the same measure. A measure of which we have no number has no ratios.
 */
export function peerTable(rows: readonly PeerRow[], facts: RunFacts): string {
  const measures = [...new Set(rows.map(({ measure }) => measure))];
  const lines = measures.flatMap((measure) => {
    const group = rows.filter((row) => row.measure === measure);
    const ours = group.find(({ subject }) => subject === OURS)?.value ?? Number.NaN;
    return group.map((row, index) =>
      cells([
        index === 0 ? measure : '',
        row.subject,
        ...[numberText(row), ratioText(row.value, ours)].map((text) => (row.isAtLeast === true ? `> ${text}` : text)),
        row.note ?? '',
      ]),
    );
  });
  return [
    `Found on ${facts.date}, all in one run: ${[facts.machine, ...facts.versions].join(', ')}.`,
    '',
    cells(['measure', 'program', 'found', 'to ours', 'note']),
    cells(['---', '---', '---:', '---:', '---']),
    ...lines,
  ].join('\n');
}

/** `document` with the table of a part in the place that its markers name; undefined when it has no such place. */
export function withTable(document: string, part: string, table: string): string | undefined {
  const marker = `<!-- bench:peers ${part} begin -->`;
  const begin = document.indexOf(marker);
  const end = document.indexOf(`<!-- bench:peers ${part} end -->`, begin);
  return begin === -1 || end === -1
    ? undefined
    : `${document.slice(0, begin + marker.length)}\n\n${table}\n\n${document.slice(end)}`;
}

function cells(texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |`;
}

function numberText({ value, unit }: PeerRow): string {
  if (!Number.isFinite(value)) {
    return '–';
  }
  switch (unit) {
    case 'bytes':
      return `${(value / 1e6).toFixed(1)} MB`;
    case 'ms':
      return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
    default:
      return `${Number.isInteger(value) ? value : significant(value)} ${unit}`.trim();
  }
}

function ratioText(value: number, ours: number): string {
  const ratio = value / ours;
  return Number.isFinite(ratio) ? significant(ratio) : '–';
}

/** To three digits, beyond which no machine here repeats itself. */
function significant(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
