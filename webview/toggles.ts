import { html, nothing, type TemplateResult } from 'lit-html';
import { formatCount } from './format.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import type { Layout } from './layout.ts';
import { OUTCOME_LOOKS, OUTCOMES } from './outcomes.ts';
import type { PageState } from './store.ts';

/**
 * One toggle an outcome, pressed while its rows are shown. An outcome that never came has none, unless it is switched
 * off: then it must be possible to switch it on.
 */
export function togglesView(state: PageState, layout: Layout, intents: Intents): TemplateResult | typeof nothing {
  const { snapshot, strings, hiddenOutcomes } = state;
  const isNarrow = layout.rows === 'narrow';
  const shown = OUTCOMES.filter((kind) => (snapshot.counts[kind] ?? 0) > 0 || hiddenOutcomes.includes(kind));
  if (shown.length === 0) {
    return nothing;
  }
  const toggles = shown.map((kind) => {
    const count = formatCount(snapshot.counts[kind] ?? 0);
    const label = strings.outcomes[kind];
    const look = OUTCOME_LOOKS[kind];
    return html`<button
      type="button"
      class="chip ${look.tone}"
      data-outcome=${kind}
      data-count=${snapshot.counts[kind] ?? 0}
      aria-pressed=${!hiddenOutcomes.includes(kind)}
      aria-label=${isNarrow ? `${label} ${count}` : nothing}
      title=${isNarrow ? label : nothing}
      @click=${() => intents.toggleOutcome(kind)}
    >${icon(look.icon)}${isNarrow ? nothing : html`<span>${label}</span>`}<b>${count}</b></button>`;
  });
  return html`<div class="chips" role="group" aria-label=${strings.outcomeToggles}>
    ${toggles}
    ${
      snapshot.retried > 0
        ? html`<span class="chip is-fact tone-retry" title=${strings.retried}
            >${icon('sync')}<span class=${isNarrow ? 'sr-only' : ''}>${strings.retried}</span
            ><b>${formatCount(snapshot.retried)}</b></span
          >`
        : nothing
    }
  </div>`;
}
