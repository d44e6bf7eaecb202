import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { fill, formatCount } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { Layout } from './layout.ts';
import type { PageState } from './store.ts';

/** Filter field with the count of rows, Follow, and in the sidebar the way to the wide page. */
export function toolbarView(
  state: PageState,
  layout: Layout,
  placement: 'sidebar' | 'editor',
  intents: Intents,
): TemplateResult {
  const { snapshot, strings, filterError } = state;
  const isNarrow = layout.rows === 'narrow';
  const shownOf = fill(strings.shownOf, {
    shown: formatCount(snapshot.total),
    recorded: formatCount(snapshot.recorded),
  });
  const onInput = (event: Event) => {
    if (event.target instanceof HTMLInputElement) {
      intents.typeFilter(event.target.value);
    }
  };
  return html`<div class="toolbar">
    <div class="filter ${filterError === undefined ? '' : 'is-invalid'}">
      ${icon('filter')}
      <input
        id="filter"
        type="text"
        maxlength="1000"
        spellcheck="false"
        autocomplete="off"
        placeholder=${strings.filterPlaceholder}
        aria-label=${strings.filterPlaceholder}
        aria-invalid=${filterError !== undefined}
        aria-describedby=${filterError === undefined ? nothing : 'filter-error'}
        .value=${live(state.filterText)}
        @input=${onInput}
      />
      ${snapshot.recorded > 0 ? html`<span class="shown-of">${isNarrow ? formatCount(snapshot.total) : shownOf}</span>` : nothing}
    </div>
    <button
      type="button"
      class="tool"
      id="follow"
      aria-pressed=${state.isFollowing}
      aria-label=${isNarrow ? strings.actions.follow : nothing}
      title=${isNarrow ? strings.actions.follow : nothing}
      @click=${intents.toggleFollowing}
    >${icon('arrow-down')}${isNarrow ? nothing : html`<span>${strings.actions.follow}</span>`}</button>
    ${
      placement === 'sidebar'
        ? html`<button
            type="button"
            class="tool"
            aria-label=${strings.actions.openInEditor}
            title=${strings.actions.openInEditor}
            @click=${() => intents.runCommand('openInEditor')}
          >${icon('link-external')}</button>`
        : nothing
    }
    ${filterError === undefined ? nothing : html`<p class="filter-error" id="filter-error">${filterError}</p>`}
  </div>`;
}

/** The status line: servers, what went wrong with the last action, the recording. */
export function footerView({ snapshot, strings, actionError }: PageState): TemplateResult {
  const { status } = snapshot;
  return html`<footer class="footer">
    <span class="footer-servers">${status.servers}</span>
    ${actionError === undefined ? nothing : html`<span class="footer-error" role="status">${icon('warning')}${actionError}</span>`}
    <span class="footer-space"></span>
    ${status.isInMemory ? html`<span class="footer-memory" title=${strings.inMemory}>${icon('warning')}<span>${strings.inMemory}</span></span>` : nothing}
    <span class="footer-recording">${status.recording}</span>
  </footer>`;
}
