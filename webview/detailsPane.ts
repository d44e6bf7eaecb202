import { html, nothing, type TemplateResult } from 'lit-html';
import type { DetailsView } from '../src/protocol/details.ts';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { RowView } from '../src/protocol/timelineViews.ts';
import { actionsView } from './detailsActions.ts';
import { countOf, tabName, tabsOf, tabView } from './detailsTabs.ts';
import { escapeLine } from './escape.ts';
import { formatDuration } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import { iconOf, MARK_ICONS, toneOf } from './outcomes.ts';
import type { DetailsTab, PageState } from './store.ts';

// A chunk of its own, loaded with the first details: rows are seen before any of it is needed.

/** What the pane shows of a row under its title. */
export type DetailsPane = typeof detailsPane;

function badgeView(row: RowView): TemplateResult {
  return html`<span class="badge ${toneOf(row.outcome)}">${icon(iconOf(row))}${escapeLine(row.outcomeText)}</span>`;
}

function marksView(row: RowView): TemplateResult | typeof nothing {
  return row.marks.length === 0
    ? nothing
    : html`<div class="details-marks">
        ${row.marks.map(({ mark, text }) => html`<span class="mark mark-${mark}">${icon(MARK_ICONS[mark])}${escapeLine(text)}</span>`)}
      </div>`;
}

const TAB_KEYS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

function tabListView(
  tabs: readonly DetailsTab[],
  current: DetailsTab,
  view: DetailsView,
  strings: PageStrings,
  intents: Intents,
): TemplateResult {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabs[TAB_KEYS[event.key]?.(tabs.indexOf(current), tabs.length) ?? -1];
    if (next !== undefined && event.currentTarget instanceof HTMLElement) {
      event.preventDefault();
      intents.chooseTab(next);
      event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
    }
  };
  return html`<div class="tabs" role="tablist" aria-label=${escapeLine(view.title)} @keydown=${onKeyDown}>
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
      >${tabName(tab, strings)}${count === undefined ? nothing : html`<span class="tab-count">${count}</span>`}</button>`;
    })}
  </div>`;
}

/** Outcome, facts, the next action, and the tabs. */
export function detailsPane(view: DetailsView, state: PageState, intents: Intents): TemplateResult {
  const { strings } = state;
  const tabs = tabsOf(view);
  const current = tabs.includes(state.tab) ? state.tab : 'why';
  const duration = view.row.durationUs === undefined ? [] : [formatDuration(view.row.durationUs)];
  return html`<div class="details-summary">
      <p class="details-subtitle">${escapeLine(view.subtitle)}</p>
      <div class="details-facts">${badgeView(view.row)}<span>${[...duration, escapeLine(view.facts)].join(' · ')}</span></div>
      ${marksView(view.row)} ${actionsView(view, state, intents)}
    </div>
    ${tabListView(tabs, current, view, strings, intents)}
    <div class="tab-body is-${current} ${toneOf(view.row.outcome)}" id="tab-body" role="tabpanel" aria-labelledby="tab-${current}" tabindex="-1">
      ${tabView(current, view, state, intents)}
    </div>`;
}
