import { html, type TemplateResult } from 'lit-html';
import type { OutcomeKind } from '../src/protocol/outcome.ts';
import type { RowView } from '../src/protocol/webview.ts';
import { toneOf } from './outcomes.ts';
import { styled } from './styled.ts';

/** Wall time in µs that a waterfall column covers. */
export interface TimeSpan {
  readonly fromUs: number;
  readonly toUs: number;
}

/** A piece of a waterfall; `left` and `width` are fractions of the column, 0 to 1. */
export interface WaterfallPiece {
  readonly kind: 'attempt' | 'gap';
  readonly outcome: OutcomeKind | undefined;
  readonly left: number;
  readonly width: number;
}

type TimedRow = Pick<RowView, 'startUs' | 'durationUs' | 'outcome' | 'segments'>;

/** When a row ended: its own end, or now for one that still waits; a row without a duration is a moment. */
function endOf(row: TimedRow, nowUs: number): number {
  if (row.durationUs !== undefined) {
    return row.startUs + row.durationUs;
  }
  return row.outcome === 'pending' ? Math.max(row.startUs, nowUs) : row.startUs;
}

/** The time from the first start to the last end of `rows`; `undefined` for none. */
export function spanOf(rows: readonly TimedRow[], nowUs: number): TimeSpan | undefined {
  let fromUs = Number.POSITIVE_INFINITY;
  let toUs = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    fromUs = Math.min(fromUs, row.startUs);
    toUs = Math.max(toUs, endOf(row, nowUs));
  }
  return rows.length === 0 ? undefined : { fromUs, toUs };
}

/** What to draw for a row on the scale of `span`: one piece, or a chain's attempts with the waits between them. */
export function piecesOf(row: TimedRow, span: TimeSpan, nowUs: number): readonly WaterfallPiece[] {
  const lengthUs = span.toUs - span.fromUs;
  const fraction = (us: number) => (lengthUs > 0 ? Math.max(0, Math.min(1, (us - span.fromUs) / lengthUs)) : 0);
  const piece = (kind: 'attempt' | 'gap', outcome: OutcomeKind | undefined, startUs: number, endUs: number) => {
    const left = fraction(startUs);
    return { kind, outcome, left, width: fraction(endUs) - left };
  };
  if (row.segments === undefined || row.segments.length === 0) {
    return [piece('attempt', row.outcome, row.startUs, endOf(row, nowUs))];
  }
  return row.segments.map(({ kind, outcome, startUs, durationUs }) =>
    piece(kind, outcome, row.startUs + startUs, row.startUs + startUs + durationUs),
  );
}

const percent = (fraction: number) => `${(fraction * 100).toFixed(3)}%`;

/** The waterfall of one row. Decoration: what it shows is in the time, duration and attempt columns as text. */
export function waterfallView(row: RowView, span: TimeSpan | undefined, nowUs: number): TemplateResult {
  const pieces = span === undefined ? [] : piecesOf(row, span, nowUs);
  return html`<span class="waterfall" aria-hidden="true"
    >${pieces.map(
      ({ kind, outcome, left, width }) =>
        html`<span
          class="piece ${kind === 'gap' ? 'is-gap' : toneOf(outcome)}"
          ${styled({ left: percent(left), width: percent(width) })}
        ></span>`,
    )}</span
  >`;
}
