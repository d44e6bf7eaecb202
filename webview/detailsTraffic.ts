import { html, nothing, type TemplateResult } from 'lit-html';
import type { DetailsView, HttpView, StderrView } from '../src/protocol/details.ts';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import { escapeLine, segmentsOf } from './escape.ts';
import { fill, formatDuration } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import { OUTCOME_LOOKS, toneOf } from './outcomes.ts';
import { preView } from './payload.ts';

/** The attempts of a call: how each ended, how long it took, how long was waited before it and why it was made. */
export function attemptsView(view: DetailsView, strings: PageStrings, intents: Intents): TemplateResult {
  return html`<ol class="attempts">
    ${view.attempts.map(
      ({ key, text, reason, outcome, outcomeText, delayMs, durationUs }) => html`<li>
        ${
          delayMs > 0
            ? html`<div class="attempt-gap">${icon('watch')}${fill(strings.details.waited, { delay: formatDuration(delayMs * 1000) })}</div>`
            : nothing
        }
        <button type="button" class="attempt-entry ${toneOf(outcome)}" @click=${() => intents.revealKey(key)}>
          ${icon(outcome === undefined ? 'dot' : OUTCOME_LOOKS[outcome].icon)}
          <span class="attempt-line">
            <span class="entry-outcome">${escapeLine(outcomeText)}</span>
            <span class="attempt-number">${escapeLine(text)}</span>
            <span class="attempt-time">${durationUs === undefined ? '' : formatDuration(durationUs)}</span>
          </span>
          ${reason === '' ? nothing : html`<span class="attempt-reason">${escapeLine(reason)}</span>`}
        </button>
      </li>`,
    )}
  </ol>`;
}

/** The HTTP exchanges that carried a call. */
export function httpView(exchanges: readonly HttpView[], strings: PageStrings): TemplateResult {
  return html`${exchanges.map((exchange) => oneHttp(exchange, strings))}`;
}

function oneHttp(exchange: HttpView, { details }: PageStrings): TemplateResult {
  const { method, url, status, statusText, durationUs, failure, body, requestHeaders, responseHeaders } = exchange;
  const isBad = failure !== undefined || (status !== undefined && status >= 400);
  return html`<article class="http ${isBad ? 'is-bad' : ''}">
    <div class="http-line"><b>${escapeLine(method)}</b> <span class="http-url">${escapeLine(url)}</span></div>
    <div class="http-answer">
      <span class="http-status">${icon(isBad ? 'error' : 'pass')}${status === undefined ? nothing : html`<b>${status}</b> ${escapeLine(statusText ?? '')}`}</span>
      <span>${formatDuration(durationUs)}</span>
    </div>
    ${failure === undefined ? nothing : html`<p class="http-failure">${escapeLine(failure)}</p>`}
    ${headersView(details.requestHeaders, requestHeaders)} ${headersView(details.responseHeaders, responseHeaders)}
    ${body === undefined ? nothing : html`<div class="http-body"><b>${details.body}</b>${preView(body)}</div>`}
  </article>`;
}

function headersView(
  title: string,
  headers: readonly (readonly [name: string, value: string])[],
): TemplateResult | typeof nothing {
  return headers.length === 0
    ? nothing
    : html`<details class="headers" open>
        <summary>${title} <span class="tab-count">${headers.length}</span></summary>
        <dl>${headers.map(([name, value]) => html`<div><dt>${escapeLine(name)}</dt><dd>${escapeLine(value)}</dd></div>`)}</dl>
      </details>`;
}

const LEVEL_ICONS: Readonly<Record<StderrView['level'], string>> = {
  debug: 'bug',
  info: 'info',
  warning: 'warning',
  error: 'error',
  unknown: 'dot',
};

/** What the server wrote to stderr, by its distance from the start of the call. */
export function stderrView(lines: readonly StderrView[], label: string): TemplateResult {
  return html`<ol class="stderr" tabindex="0" aria-label=${label}>
    ${lines.map(
      ({ offsetUs, level, levelText, text }) => html`<li class="stderr-line level-${level}">
        <span class="stderr-offset">${offsetUs < 0 ? '−' : '+'}${formatDuration(Math.abs(offsetUs))}</span>
        <span class="stderr-level" title=${escapeLine(levelText)}>${icon(LEVEL_ICONS[level])}<span class="sr-only">${escapeLine(levelText)}</span></span>
        <span class="stderr-text">${segmentsOf(text, []).map((part) => (part.isEscape ? html`<span class="escape">${part.text}</span>` : part.text))}</span>
      </li>`,
    )}
  </ol>`;
}
