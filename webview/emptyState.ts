import { html, type TemplateResult } from 'lit-html';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { PageState } from './store.ts';

/** What stands in the place of rows: how to get some when nothing is recorded, how to see them when all are hidden. */
export function emptyView({ snapshot, strings }: PageState, intents: Intents): TemplateResult {
  if (snapshot.recorded > 0) {
    return html`<div class="empty">
      <p class="empty-title">${strings.empty.filtered}</p>
      <div class="empty-actions">
        <button type="button" class="button secondary" @click=${intents.clearFilter}>
          ${icon('clear-all')}${strings.empty.clearFilter}
        </button>
      </div>
    </div>`;
  }
  const isUntrusted = snapshot.status.isUntrusted === true;
  return html`<div class="empty">
    <span class="empty-glyph">${icon(isUntrusted ? 'lock' : 'pulse')}</span>
    <p class="empty-title">${strings.empty.title}</p>
    <p class="empty-body">${isUntrusted ? strings.empty.untrusted : strings.empty.body}</p>
    <div class="empty-actions">${isUntrusted ? trustButton(strings, intents) : beginButtons(strings, intents)}</div>
  </div>`;
}

function trustButton({ actions }: PageStrings, intents: Intents): TemplateResult {
  return html`<button type="button" class="button primary" @click=${() => intents.runCommand('manageTrust')}>
    ${icon('lock')}${actions.manageTrust}
  </button>`;
}

function beginButtons({ actions }: PageStrings, intents: Intents): TemplateResult {
  return html`<button type="button" class="button primary" @click=${() => intents.runCommand('runDemo')}>
      ${icon('play')}${actions.runDemo}
    </button>
    <button type="button" class="button secondary" @click=${() => intents.runCommand('connectAll')}>
      ${icon('plug')}${actions.connectAll}
    </button>`;
}
