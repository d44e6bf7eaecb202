import { html, type TemplateResult } from 'lit-html';
import type { OutcomeKind } from '../src/protocol/outcome.ts';
import type { RowView } from '../src/protocol/timelineViews.ts';
import { toneOf } from './outcomes.ts';
import { styled } from './styled.ts';
import type { BusyTime, WaterfallAxis } from './waterfallAxis.ts';

/** Wall time in µs. */
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

/** When a row ran, waits between its attempts included. */
export function busyTime(row: TimedRow, nowUs: number): BusyTime {
  return { startUs: row.startUs, endUs: endOf(row, nowUs) };
}

/** What to draw for a row on an axis: one piece, or a chain's attempts with the waits between them. */
export function piecesOf(row: TimedRow, axis: WaterfallAxis, nowUs: number): readonly WaterfallPiece[] {
  const piece = (kind: 'attempt' | 'gap', outcome: OutcomeKind | undefined, startUs: number, endUs: number) => {
    const left = axis.fraction(startUs);
    return { kind, outcome, left, width: axis.fraction(endUs) - left };
  };
  const { segments = [] } = row;
  if (segments.length === 0) {
    return [piece('attempt', row.outcome, row.startUs, endOf(row, nowUs))];
  }
  return segments.map(({ kind, outcome, startUs, durationUs }, index) => {
    const endUs = row.startUs + startUs + durationUs;
    // The last attempt of a chain that still waits goes on.
    const isOpen = index === segments.length - 1 && row.durationUs === undefined;
    return piece(kind, outcome, row.startUs + startUs, isOpen ? Math.max(endUs, endOf(row, nowUs)) : endUs);
  });
}

const percent = (fraction: number) => `${(fraction * 100).toFixed(3)}%`;

/** The waterfall of one row. Decoration: what it shows is in the time, duration and attempt columns as text. */
export function waterfallView(row: RowView, axis: WaterfallAxis | undefined, nowUs: number): TemplateResult {
  const pieces = axis === undefined ? [] : piecesOf(row, axis, nowUs);
  const folds = axis?.folds ?? [];
  return html`<span class="waterfall" aria-hidden="true"
    >${folds.map(({ at }) => html`<span class="fold" ${styled({ left: percent(at) })}></span>`)}${pieces.map(
      ({ kind, outcome, left, width }) =>
        html`<span
          class="piece ${kind === 'gap' ? 'is-gap' : toneOf(outcome)}"
          ${styled({ left: percent(left), width: percent(width) })}
        ></span>`,
    )}</span
  >`;
}
