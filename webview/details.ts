import { html, nothing, type TemplateResult } from 'lit-html';
import type { DetailsView, PageStrings, RowView } from '../src/protocol/webview.ts';
import { countOf, tabsOf, tabView } from './detailsTabs.ts';
import { escapeLine } from './escape.ts';
import { formatDuration } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { Layout } from './layout.ts';
import { iconOf, MARK_ICONS, toneOf } from './outcomes.ts';
import { type DetailsTab, type PageState, rowOfKey } from './store.ts';

function badgeView(row: RowView): TemplateResult {
  return html`<span class="badge ${toneOf(row.outcome)}">${icon(iconOf(row))}${escapeLine(row.outcomeText)}</span>`;
}

function actionsView(view: DetailsView, { strings, isReplaying }: PageState, intents: Intents): TemplateResult {
  const refusal = view.replayRefusal;
  const canReplay = refusal === undefined && !isReplaying;
  // Not `disabled`: a button that cannot be focused cannot tell a keyboard user why.
  return html`<div class="actions">
      <button
        type="button"
        class="button primary"
        aria-disabled=${!canReplay}
        aria-describedby=${refusal === undefined ? nothing : 'refusal'}
        @click=${() => (canReplay ? intents.run('replay') : undefined)}
      >${icon(isReplaying ? 'loading' : 'rerun')}${strings.actions.replay}</button>
      <button type="button" class="button secondary" @click=${() => intents.run('copy')}>
        ${icon('copy')}${strings.actions.copyJson}
      </button>
      ${
        view.hasToolSource === true
          ? html`<button type="button" class="button secondary" @click=${() => intents.goToToolSource(view.row.key)}>
              ${icon('go-to-file')}${strings.actions.goToToolSource}
            </button>`
          : nothing
      }
    </div>
    ${refusal === undefined ? nothing : html`<p class="refusal" id="refusal">${escapeLine(refusal)}</p>`}`;
}

function marksView(row: RowView): TemplateResult | typeof nothing {
  return row.marks.length === 0
    ? nothing
    : html`<div class="details-marks">
        ${row.marks.map(({ mark, text }) => html`<span class="mark mark-${mark}">${icon(MARK_ICONS[mark])}${text}</span>`)}
      </div>`;
}

function tabListView(
  tabs: readonly DetailsTab[],
  current: DetailsTab,
  view: DetailsView,
  strings: PageStrings,
  intents: Intents,
) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    if (step !== 0 && next !== undefined && event.currentTarget instanceof HTMLElement) {
      event.preventDefault();
      intents.chooseTab(next);
      event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
    }
  };
  return html`<div class="tabs" role="tablist" aria-label=${view.title} @keydown=${onKeyDown}>
    ${tabs.map((tab) => {
      const count = countOf(tab, view);
      return html`<button
        type="button"
        role="tab"
        id="tab-${tab}"
        class="tab"
        aria-selected=${tab === current}
        aria-controls="tab-body"
        tabindex=${tab === current ? 0 : -1}
        @click=${() => intents.chooseTab(tab)}
      >${strings.tabs[tab]}${count === undefined ? nothing : html`<span class="tab-count">${count}</span>`}</button>`;
    })}
  </div>`;
}

function bodyView(view: DetailsView, state: PageState, intents: Intents): TemplateResult {
  const tabs = tabsOf(view);
  const current = tabs.includes(state.tab) ? state.tab : 'why';
  return html`${tabListView(tabs, current, view, state.strings, intents)}
    <div class="tab-body ${toneOf(view.row.outcome)}" id="tab-body" role="tabpanel" aria-labelledby="tab-${current}" tabindex="0">
      ${tabView(current, view, state.strings, intents)}
    </div>`;
}

/** Name of the pane: what it is about. */
export function detailsLabel(state: PageState): string {
  const { details } = state;
  if (details.kind === 'shown') {
    return escapeLine(details.view.title);
  }
  const row = state.selected === undefined ? undefined : rowOfKey(state, state.selected);
  return row === undefined ? state.strings.gridLabel : escapeLine(row.target ?? row.method);
}

/** The pane about the selected row: title, outcome, facts, the next action, and why. */
export function detailsView(state: PageState, layout: Layout, intents: Intents): TemplateResult {
  const { details, strings } = state;
  const label = detailsLabel(state);
  const view = details.kind === 'shown' ? details.view : undefined;
  const isOver = layout.details === 'over';
  return html`<section class="details is-${layout.details}" id="details" aria-label=${label} tabindex="-1">
    <header class="details-head">
      <div class="details-title">
        ${
          isOver
            ? html`<button type="button" class="tool" id="back" aria-label=${strings.actions.close} title=${strings.actions.close} @click=${intents.closeDetails}>
                ${icon('arrow-left')}
              </button>`
            : nothing
        }
        <h2>${label}</h2>
        ${
          isOver
            ? nothing
            : html`<button type="button" class="tool" aria-label=${strings.actions.close} title=${strings.actions.close} @click=${intents.closeDetails}>
                ${icon('close')}
              </button>`
        }
      </div>
      ${
        view === undefined
          ? nothing
          : html`<p class="details-subtitle">${escapeLine(view.subtitle)}</p>
              <div class="details-facts">${badgeView(view.row)}<span>${[...(view.row.durationUs === undefined ? [] : [formatDuration(view.row.durationUs)]), escapeLine(view.facts)].join(' · ')}</span></div>
              ${marksView(view.row)} ${actionsView(view, state, intents)}`
      }
    </header>
    ${view === undefined ? nothing : bodyView(view, state, intents)}
    ${details.kind === 'failed' ? html`<p class="details-error">${icon('warning')}${details.message}</p>` : nothing}
  </section>`;
}
