import { html, nothing, type TemplateResult } from 'lit-html';
import type { DetailsView } from '../src/protocol/details.ts';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import { assertNever } from './assertNever.ts';
import { attemptsView, httpView, stderrView } from './detailsTraffic.ts';
import { createDiffPanel } from './diffPanel.ts';
import { escapeLine } from './escape.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import { island } from './island.ts';
import { iconOf } from './outcomes.ts';
import { excerptOf, payloadView, preView } from './payload.ts';
import { DETAILS_TABS, type DetailsTab, type PageState } from './store.ts';

/** Tabs that have something to say about this row, in order. */
export function tabsOf(view: DetailsView): readonly DetailsTab[] {
  const hasContent: Readonly<Record<DetailsTab, boolean>> = {
    why: true,
    request: view.request !== undefined,
    response: view.response !== undefined || view.noResponse !== '',
    attempts: view.attempts.length > 0,
    http: view.http.length > 0,
    stderr: view.stderr.length > 0,
    compare: view.compare !== undefined,
    related: view.related.length > 0,
  };
  return DETAILS_TABS.filter((tab) => hasContent[tab]);
}

/** Name of a tab. */
export function tabName(tab: DetailsTab, { tabs, details }: PageStrings): string {
  return tab === 'http' || tab === 'compare' ? details[tab] : tabs[tab];
}

/** How many things a tab lists; `undefined` for a tab that shows one. */
export function countOf(tab: DetailsTab, view: DetailsView): number | undefined {
  switch (tab) {
    case 'attempts':
      return view.attempts.length;
    case 'related':
      return view.related.length;
    case 'http':
      return view.http.length > 1 ? view.http.length : undefined;
    default:
      return undefined;
  }
}

/** The tab in which a message of the row is shown; `undefined` for a message of another. */
function tabOfMessage(view: DetailsView, seq: number): 'request' | 'response' | undefined {
  return seq === view.response?.seq ? 'response' : seq === view.request?.seq ? 'request' : undefined;
}

function signalsView(view: DetailsView, strings: PageStrings, intents: Intents): TemplateResult | typeof nothing {
  const { signals } = view.why;
  const canGo = view.response !== undefined;
  return signals.length === 0
    ? nothing
    : html`<ul class="signals">
        ${signals.map(
          ({ text, strength, strengthText, pointer }) => html`<li class="signal strength-${strength}">
            ${icon(iconOf(view.row))}
            <div>
              <div class="signal-text">${escapeLine(text)}</div>
              <div class="signal-place">
                ${
                  pointer === undefined || pointer === ''
                    ? nothing
                    : canGo
                      ? html`<button
                            type="button"
                            class="link is-code"
                            title=${strings.details.showPlace}
                            @click=${() => intents.showPlace({ tab: 'response', pointer })}
                          >${escapeLine(pointer)}</button> · `
                      : html`<code>${escapeLine(pointer)}</code> · `
                }${strengthText}
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
                  <button type="button" class="link is-code" @click=${() => showAnomaly(view, seq, pointer, intents)}>
                    ${pointer === undefined || pointer === '' ? `#${seq}` : escapeLine(pointer)}</button
                  > · ${severityText}
                </div>
              </div>
            </li>`,
          )}
        </ul>
      </div>`;
}

/** Goes to the place when the message is one of the row's own, else opens it as a document. */
function showAnomaly(view: DetailsView, seq: number, pointer: string | undefined, intents: Intents): void {
  const tab = tabOfMessage(view, seq);
  if (tab === undefined) {
    intents.openPayload(seq);
  } else {
    intents.showPlace({ tab, pointer: pointer ?? '' });
  }
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
    ${signalsView(view, strings, intents)} ${excerpt === undefined ? nothing : preView(excerpt.text, excerpt.highlights)}
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
export function tabView(tab: DetailsTab, view: DetailsView, state: PageState, intents: Intents): TemplateResult {
  const { strings, isRaw, place } = state;
  switch (tab) {
    case 'why':
      return whyView(view, strings, intents);
    case 'request':
    case 'response': {
      const payload = view[tab];
      return payload === undefined
        ? html`<p class="payload-note"><b>${strings.details.noResponse}</b> ${escapeLine(view.noResponse)}</p>`
        : payloadView(payload, {
            strings,
            isRaw,
            place: place?.tab === tab ? place : undefined,
            label: strings.tabs[tab],
            intents,
          });
    }
    case 'attempts':
      return attemptsView(view, strings, intents);
    case 'http':
      return httpView(view.http, strings);
    case 'stderr':
      return stderrView(view.stderr, strings.tabs.stderr);
    case 'compare':
      return compareView(view, strings, intents);
    case 'related':
      return relatedView(view, intents);
    default:
      return assertNever(tab);
  }
}

function compareView({ row, compare }: DetailsView, strings: PageStrings, intents: Intents): TemplateResult {
  return compare === undefined
    ? html``
    : html`<div
        class="diff"
        ${island(createDiffPanel, {
          key: row.key,
          compare,
          strings,
          load: async (key, base, ignoreVolatile) =>
            (await intents.ask('compare', { key, base, ignoreVolatile }))?.diff,
          reveal: intents.revealKey,
          openTextDiff: (key, base) => void intents.ask('openTextDiff', { key, base }),
        })}
      ></div>`;
}
