import { html, nothing, type TemplateResult } from 'lit-html';
import { escapeLine } from './escape.ts';
import { filterBox } from './filterBar.ts';
import type { FilterCompletion } from './filterCompletion.ts';
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
  completion: FilterCompletion,
): TemplateResult {
  const { strings } = state;
  const isNarrow = layout.rows === 'narrow';
  return html`<div class="toolbar">
    ${filterBox(state, isNarrow, intents, completion)}
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
  </div>`;
}

/** The status line: servers, what went wrong with the last action, the recording. */
export function footerView({ snapshot, strings, actionError }: PageState): TemplateResult {
  const { status } = snapshot;
  return html`<footer class="footer">
    <span class="footer-servers">${escapeLine(status.servers)}</span>
    ${actionError === undefined ? nothing : html`<span class="footer-error">${icon('warning')}${escapeLine(actionError)}</span>`}
    <span class="footer-space"></span>
    ${status.isInMemory ? html`<span class="footer-memory" title=${strings.inMemory}>${icon('warning')}<span>${strings.inMemory}</span></span>` : nothing}
    <span class="footer-recording">${escapeLine(status.recording)}</span>
  </footer>`;
}
