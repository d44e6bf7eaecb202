import { html, nothing, type TemplateResult } from 'lit-html';
import { escapeLine } from './escape.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { Layout } from './layout.ts';
import { type PageState, rowOfKey } from './store.ts';

/** Name of the pane: what it is about. */
export function detailsLabel(state: PageState): string {
  const { details } = state;
  if (details.kind === 'shown') {
    return escapeLine(details.view.title);
  }
  const row = state.selected === undefined ? undefined : rowOfKey(state, state.selected);
  return row === undefined ? state.strings.gridLabel : escapeLine(row.target ?? row.method);
}

/** The pane about the selected row: its title at once, everything else when it has come. */
export function detailsView(state: PageState, layout: Layout, intents: Intents): TemplateResult {
  const { details, strings } = state;
  const label = detailsLabel(state);
  const isOver = layout.details === 'over';
  const close = (name: string, id: string | typeof nothing) => html`<button
    type="button"
    class="tool"
    id=${id}
    aria-label=${strings.actions.close}
    title=${strings.actions.close}
    @click=${intents.closeDetails}
  >${icon(name)}</button>`;
  return html`<section class="details is-${layout.details}" id="details" aria-label=${label} tabindex="-1">
    <header class="details-title">
      ${isOver ? close('arrow-left', 'back') : nothing}
      <h2>${label}</h2>
      ${isOver ? nothing : close('close', nothing)}
    </header>
    ${details.kind === 'shown' ? details.pane(details.view, state, intents) : nothing}
    ${details.kind === 'failed' ? html`<p class="details-error">${icon('warning')}${details.message}</p>` : nothing}
  </section>`;
}
