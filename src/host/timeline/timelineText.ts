import { lightFormat } from 'date-fns/lightFormat';
import { safeLine } from '../../base/safeText.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';
import type { RowView } from '../../protocol/timelineViews.ts';
import type { TextLine } from './textLines.ts';

/** Names of the columns, translated. */
export interface TextLabels {
  readonly time: string;
  readonly server: string;
  readonly call: string;
  readonly outcome: string;
  readonly duration: string;
  readonly why: string;
}

export interface TimelineText {
  readonly text: string;
  readonly lines: readonly TextLine[];
}

/** Widest a column gets, UTF-16 code units: longer text is cut, so that one long name does not push all others away. */
const WIDEST = { server: 24, call: 40, outcome: 28 } as const;
const MAX_REASON = 400;

/** The rows as lines with aligned columns under a head, with a line for each new day. Local time. Linear in the rows. */
export function timelineText(head: readonly string[], rows: readonly RowView[], labels: TextLabels): TimelineText {
  const cells = rows.map(cellsOf);
  const names: Cells = { ...labels, day: '', marks: '' };
  const width = (column: 'time' | 'server' | 'call' | 'outcome' | 'duration') =>
    [names, ...cells].reduce((widest, row) => Math.max(widest, row[column].length), 0);
  const widths = {
    time: width('time'),
    server: width('server'),
    call: width('call'),
    outcome: width('outcome'),
    duration: width('duration'),
  };
  const join = (row: Cells) =>
    [
      row.time.padEnd(widths.time),
      row.server.padEnd(widths.server),
      row.call.padEnd(widths.call),
      row.outcome.padEnd(widths.outcome),
      row.duration.padStart(widths.duration),
      [row.why, row.marks].filter((text) => text !== '').join(' '),
    ]
      .join('  ')
      .trimEnd();

  const written = [...head, ''];
  const lines: TextLine[] = [];
  if (rows.length > 0) {
    written.push(join(names));
  }
  let day = '';
  rows.forEach((row, index) => {
    const own = cells[index] as Cells;
    if (own.day !== day) {
      day = own.day;
      written.push('', day);
    }
    const isFailure = row.depth === 0 && row.outcome !== undefined && FAILURE_KINDS.has(row.outcome) && !isProbe(row);
    lines.push({ line: written.length, key: row.key, isFailure, timeLength: own.time.length });
    written.push(join(own));
  });
  return { text: `${written.join('\n')}\n`, lines };
}

interface Cells extends TextLabels {
  readonly day: string;
  readonly marks: string;
}

function cellsOf(row: RowView): Cells {
  const start = new Date(row.startUs / 1000);
  // A tool's name says enough, and most rows are calls of tools.
  const words = row.method === 'tools/call' ? [row.target ?? row.method] : [row.method, row.target ?? ''];
  const call = words.join(' ').trimEnd();
  const attempt = row.depth === 1 && row.attempt !== undefined ? ` (${row.attempt.number}/${row.attempt.of})` : '';
  return {
    day: lightFormat(start, 'yyyy-MM-dd'),
    time: lightFormat(start, 'HH:mm:ss.SSS'),
    server: safeLine(row.server, WIDEST.server),
    call: safeLine(`${row.depth === 1 ? '  ' : ''}${call}`, WIDEST.call),
    outcome: safeLine(`${row.outcomeText}${attempt}`, WIDEST.outcome),
    duration: row.durationUs === undefined ? '' : (row.durationUs / 1000).toFixed(row.durationUs < 950 ? 1 : 0),
    why: safeLine(row.reason, MAX_REASON),
    marks: row.marks.map(({ text }) => `[${text}]`).join(' '),
  };
}

/** A refusal of a question about the era is an answer: "next error" passes it over in the timeline too. */
function isProbe({ marks }: RowView): boolean {
  return marks.some(({ mark }) => mark === 'era_probe');
}
