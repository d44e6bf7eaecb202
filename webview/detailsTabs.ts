import { html, nothing, type TemplateResult } from 'lit-html';
import type { DetailsView, PageStrings } from '../src/protocol/webview.ts';
import { assertNever } from './assertNever.ts';
import { escapeLine } from './escape.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import { iconOf, OUTCOME_LOOKS, toneOf } from './outcomes.ts';
import { excerptOf, payloadView, preView } from './payload.ts';
import { DETAILS_TABS, type DetailsTab } from './store.ts';

/** Tabs that have something to say about this row, in order. */
export function tabsOf(view: DetailsView): readonly DetailsTab[] {
  const hasContent: Readonly<Record<DetailsTab, boolean>> = {
    why: true,
    request: view.request !== undefined,
    response: view.response !== undefined,
    attempts: view.attempts.length > 0,
    stderr: view.stderr.length > 0,
    related: view.related.length > 0,
  };
  return DETAILS_TABS.filter((tab) => hasContent[tab]);
}

/** How many things a tab lists; `undefined` for a tab that shows one. */
export function countOf(tab: DetailsTab, view: DetailsView): number | undefined {
  switch (tab) {
    case 'attempts':
      return view.attempts.length;
    case 'related':
      return view.related.length;
    default:
      return undefined;
  }
}

function signalsView(view: DetailsView): TemplateResult | typeof nothing {
  const { signals } = view.why;
  return signals.length === 0
    ? nothing
    : html`<ul class="signals">
        ${signals.map(
          ({ text, strength, strengthText, pointer }) => html`<li class="signal strength-${strength}">
            ${icon(iconOf(view.row))}
            <div>
              <div class="signal-text">${escapeLine(text)}</div>
              <div class="signal-place">
                ${pointer === undefined || pointer === '' ? nothing : html`<code>${escapeLine(pointer)}</code> · `}${strengthText}
              </div>
            </div>
          </li>`,
        )}
      </ul>`;
}

const SEVERITY_ICONS = { chat: 'comment', note: 'note', warn: 'warning', error: 'bug' } as const;

/** What was unusual beside the outcome: each leads to the message in which it was seen. */
function anomaliesView(view: DetailsView, strings: PageStrings, intents: Intents): TemplateResult | typeof nothing {
  const anomalies = view.anomalies ?? [];
  return anomalies.length === 0
    ? nothing
    : html`<div class="anomalies">
        <b>${strings.unusual ?? ''}</b>
        <ul class="signals">
          ${anomalies.map(
            ({ severity, severityText, text, remedy, pointer, seq }) => html`<li class="signal severity-${severity}">
              ${icon(SEVERITY_ICONS[severity])}
              <div>
                <div class="signal-text">${escapeLine(text)}</div>
                <div class="anomaly-remedy">${escapeLine(remedy)}</div>
                <div class="signal-place">
                  <button type="button" class="link" @click=${() => intents.openPayload(seq)}>
                    ${pointer === undefined || pointer === '' ? `#${seq}` : escapeLine(pointer)}</button
                  > · ${severityText}
                </div>
              </div>
            </li>`,
          )}
        </ul>
      </div>`;
}

/** Nobody asks whether to retry what went well or what has not ended. */
function isRetryWorthAWord({ row, why }: DetailsView): boolean {
  return why.retry.text !== '' && row.outcome !== undefined && row.outcome !== 'success' && row.outcome !== 'pending';
}

function whyView(view: DetailsView, strings: PageStrings, intents: Intents): TemplateResult {
  const { why, response } = view;
  const excerpt = response === undefined ? undefined : excerptOf(response);
  return html`
    <p class="summary">${escapeLine(why.summary)}</p>
    ${signalsView(view)} ${excerpt === undefined ? nothing : preView(excerpt.text, excerpt.highlights)}
    ${
      why.failure.length === 0
        ? nothing
        : html`<ul class="failure">
            ${why.failure.map((line) => html`<li>${escapeLine(line)}</li>`)}
          </ul>`
    }
    ${
      why.missing.length === 0
        ? nothing
        : html`<div class="missing">
            <b>${strings.missing}</b>
            <ul>
              ${why.missing.map((item) => html`<li>${escapeLine(item)}</li>`)}
            </ul>
          </div>`
    }
    ${!isRetryWorthAWord(view) ? nothing : html`<p class="retry"><b>${strings.retryQuestion}</b> ${escapeLine(why.retry.text)}</p>`}
    ${anomaliesView(view, strings, intents)}
  `;
}

function attemptsView(view: DetailsView, intents: Intents): TemplateResult {
  return html`<ol class="entries">
    ${view.attempts.map(
      ({ key, text, outcome, outcomeText }) => html`<li>
        <button type="button" class="entry ${toneOf(outcome)}" @click=${() => intents.revealKey(key)}>
          ${icon(outcome === undefined ? 'dot' : OUTCOME_LOOKS[outcome].icon)}
          <span class="entry-outcome">${escapeLine(outcomeText)}</span>
          <span class="entry-text">${escapeLine(text)}</span>
        </button>
      </li>`,
    )}
  </ol>`;
}

function relatedView(view: DetailsView, intents: Intents): TemplateResult {
  return html`<ul class="entries">
    ${view.related.map(
      ({ seq, text, key }) => html`<li>
        <button
          type="button"
          class="entry tone-none"
          @click=${() => (key === undefined ? intents.openPayload(seq) : intents.revealKey(key))}
        >
          ${icon(key === undefined ? 'go-to-file' : 'history')}<span class="entry-text">${escapeLine(text)}</span>
        </button>
      </li>`,
    )}
  </ul>`;
}

/** The body of a tab. */
export function tabView(tab: DetailsTab, view: DetailsView, strings: PageStrings, intents: Intents): TemplateResult {
  switch (tab) {
    case 'why':
      return whyView(view, strings, intents);
    case 'request':
    case 'response': {
      const payload = view[tab];
      return payload === undefined ? html`` : payloadView(payload, strings, intents.openPayload);
    }
    case 'attempts':
      return attemptsView(view, intents);
    case 'stderr':
      return preView(view.stderr.join('\n'));
    case 'related':
      return relatedView(view, intents);
    default:
      return assertNever(tab);
  }
}
