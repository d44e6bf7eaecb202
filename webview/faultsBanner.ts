import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { PageState } from './store.ts';

/** While faults are injected: that they are, and a way to stop it. Above all else, so that nobody takes them for real ones. */
export function faultsBanner({ snapshot }: PageState, intents: Intents): TemplateResult | typeof nothing {
  const { faults } = snapshot;
  return faults === undefined
    ? nothing
    : html`<div class="faults" role="note">
        ${icon('beaker')}<span class="faults-text">${faults.text}</span>
        <button type="button" class="button" id="stop-faults" @click=${() => intents.runCommand('stopFaults')}>
          ${faults.stop}
        </button>
      </div>`;
}
