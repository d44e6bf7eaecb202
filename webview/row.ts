import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { RowView } from '../src/protocol/timelineViews.ts';
import { escapeLine } from './escape.ts';
import { formatDuration, formatMs, type TimeFormats } from './format.ts';
import { icon } from './icon.ts';
import type { Layout } from './layout.ts';
import { iconOf, isFailure, MARK_ICONS, toneOf } from './outcomes.ts';
import { styled } from './styled.ts';
import { waterfallView } from './waterfall.ts';
import type { WaterfallAxis } from './waterfallAxis.ts';

/** What all rows of one render share. */
export interface RowContext {
  readonly strings: PageStrings;
  readonly times: TimeFormats;
  readonly layout: Layout;
  readonly axis: WaterfallAxis | undefined;
  readonly nowUs: number;
  readonly selected: number | undefined;
}

/** Where a row stands: its index among all rows, and px from the top of the list. */
export interface RowPlace {
  readonly index: number;
  readonly top: number;
}

/** Id of a row's element, for `aria-activedescendant`. */
export function rowId(key: number): string {
  return `row-${key}`;
}

/** Column headers are row 1. */
const ariaRow = (index: number) => index + 2;

/** A question about the era, to which a refusal is an answer. */
function isProbe(row: RowView): boolean {
  return row.marks.some(({ mark }) => mark === 'era_probe');
}

/** Is this row still waiting, so that the page ticks its duration? */
export function isTicking(row: RowView): boolean {
  return row.outcome === 'pending' && row.durationUs === undefined;
}

/** How long a row took, or has waited so far, in µs; `undefined` for a row that is a moment. */
function elapsedUs(row: RowView, nowUs: number): number | undefined {
  return row.durationUs ?? (isTicking(row) ? Math.max(0, nowUs - row.startUs) : undefined);
}

function marksView(row: RowView): TemplateResult[] {
  return row.marks.map(({ mark, text }) => {
    const word = escapeLine(text);
    return html`<span class="mark mark-${mark}" title=${word}>${icon(MARK_ICONS[mark])}<span class="sr-only">${word}</span></span>`;
  });
}

function twistyView(row: RowView, strings: PageStrings): TemplateResult | typeof nothing {
  if (!row.isExpandable) {
    return nothing;
  }
  const label = row.isExpanded ? strings.collapse : strings.expand;
  return html`<button
    type="button"
    class="twisty"
    tabindex="-1"
    aria-expanded=${row.isExpanded}
    aria-label=${label}
    title=${label}
  >${icon(row.isExpanded ? 'chevron-down' : 'chevron-right')}</button>`;
}

/** Name, method and reason on one line. The method steps back where a failure's reason needs its room. */
function callView(row: RowView, strings: PageStrings): TemplateResult {
  const name = escapeLine(row.target ?? row.method);
  const method = row.target === undefined ? '' : escapeLine(row.method);
  const reason = escapeLine(row.reason);
  const isAttempt = row.depth === 1 && row.attempt !== undefined;
  const remark = reason === '' && isAttempt ? name : reason;
  return html`${twistyView(row, strings)}${
    row.initiator === 'server' ? html`<span class="from-server">${icon('arrow-left')}</span>` : nothing
  }${
    isAttempt
      ? html`<span class="attempt">${row.attempt.number}/${row.attempt.of}</span>`
      : html`<span class="name">${name}</span>`
  }${method === '' || isAttempt ? nothing : html`<span class="method">${method}</span>`}${marksView(row)}${
    remark === '' ? nothing : html`<span class="reason">${remark}</span>`
  }`;
}

/** The server, and the client whose call it is where that is not us. */
function serverView(row: RowView): TemplateResult {
  return html`${escapeLine(row.server)}${
    row.client === undefined ? nothing : html`<span class="client"> · ${escapeLine(row.client)}</span>`
  }`;
}

/** Where there is no room for both. */
function callerOf({ server, client = '' }: RowView): string {
  return `${escapeLine(server)} · ${escapeLine(client)}`;
}

function outcomeView(row: RowView): TemplateResult {
  return html`${icon(iconOf(row))}<span class="outcome-text">${escapeLine(row.outcomeText)}</span>`;
}

function wideCells(row: RowView, { strings, times, axis, nowUs }: RowContext): TemplateResult {
  const elapsed = elapsedUs(row, nowUs);
  const short = times.short(row.startUs);
  return html`<span role="gridcell" aria-colindex="1" class="cell time" title=${times.full(row.startUs)}
      >${short}<span class="fraction">${times.precise(row.startUs).slice(short.length)}</span></span
    ><span role="gridcell" aria-colindex="2" class="cell server" title=${row.client === undefined ? nothing : callerOf(row)}>${serverView(row)}</span
    ><span role="gridcell" aria-colindex="3" class="cell call">${callView(row, strings)}</span
    ><span role="gridcell" aria-colindex="4" class="cell outcome">${outcomeView(row)}</span
    ><span role="gridcell" aria-colindex="5" class="cell bars">${waterfallView(row, axis, nowUs)}</span
    ><span role="gridcell" aria-colindex="6" class="cell duration" title=${elapsed === undefined ? nothing : formatDuration(elapsed)}
      >${elapsed === undefined ? nothing : formatMs(elapsed)}</span>`;
}

function narrowCells(row: RowView, { strings, times, nowUs }: RowContext): TemplateResult {
  const elapsed = elapsedUs(row, nowUs);
  const name = escapeLine(row.target ?? row.method);
  const reason = escapeLine(row.reason);
  const isAttempt = row.depth === 1 && row.attempt !== undefined;
  return html`<span class="cell glyph" aria-hidden="true">${icon(iconOf(row))}</span
    ><span role="gridcell" aria-colindex="1" class="cell time" title=${times.full(row.startUs)}
      >${times.short(row.startUs)}</span
    ><span role="gridcell" aria-colindex="3" class="cell call"
      >${twistyView(row, strings)}${isAttempt ? html`<span class="attempt">${row.attempt.number}/${row.attempt.of}</span>` : nothing}<span
        class="name"
        >${name}</span
      >${marksView(row)}</span
    ><span role="gridcell" aria-colindex="4" class="cell outcome"
      ><span class="outcome-text">${escapeLine(row.outcomeText)}</span
      ><span class="server">${serverView(row)}</span
      >${reason === '' ? nothing : html`<span class="reason">${reason}</span>`}</span
    ><span role="gridcell" aria-colindex="6" class="cell duration"
      >${elapsed === undefined ? nothing : formatDuration(elapsed)}</span>`;
}

/** One row of the list; a calm placeholder while it is not loaded. */
export function rowView(row: RowView | undefined, { index, top }: RowPlace, context: RowContext): TemplateResult {
  const place = styled({ transform: `translateY(${top}px)` });
  if (row === undefined) {
    return html`<div role="row" class="row is-loading" data-index=${index} aria-rowindex=${ariaRow(index)} ${place}>
      <span role="gridcell" aria-colindex="3" class="cell call"><span class="skeleton"></span></span>
    </div>`;
  }
  const classes = [
    'row',
    toneOf(row.outcome),
    row.depth === 1 ? 'is-attempt' : '',
    isFailure(row.outcome) && !isProbe(row) ? 'is-failure' : '',
    row.reason === '' ? '' : 'has-reason',
    row.key === context.selected ? 'is-selected' : '',
  ].filter((name) => name !== '');
  return html`<div
    role="row"
    id=${rowId(row.key)}
    class=${classes.join(' ')}
    title=${row.reason === '' ? nothing : escapeLine(row.reason)}
    data-index=${index}
    data-outcome=${row.outcome ?? nothing}
    aria-rowindex=${ariaRow(index)}
    aria-selected=${row.key === context.selected}
    ${place}
  >${context.layout.rows === 'wide' ? wideCells(row, context) : narrowCells(row, context)}</div>`;
}
