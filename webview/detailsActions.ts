import { html, nothing, type TemplateResult } from 'lit-html';
import type { DetailsView } from '../src/protocol/details.ts';
import { escapeLine } from './escape.ts';
import { icon } from './icon.ts';
import type { Intents } from './intents.ts';
import { type MenuItem, menuView } from './menu.ts';
import type { PageState } from './store.ts';

const FORMAT_ICONS = {
  json: 'json',
  raw: 'output',
  curl: 'terminal',
  call: 'terminal',
  vitest: 'beaker',
  pytest: 'beaker',
} as const;

/** What can be done with the row: the next action first, the rare ones in a menu. */
export function actionsView(view: DetailsView, { strings, isReplaying }: PageState, intents: Intents): TemplateResult {
  const { actions, details } = strings;
  const { key } = view.row;
  const refusal = view.replayRefusal;
  const canReplay = refusal === undefined && !isReplaying;
  const copyItems = view.copyFormats.map(
    (format): MenuItem => ({
      text: details.formats[format],
      icon: FORMAT_ICONS[format],
      run: () => void intents.ask('copy', { key, format }),
    }),
  );
  // Not `disabled`: a button that cannot be focused cannot tell a keyboard user why.
  return html`<div class="actions">
      <button
        type="button"
        class="button primary"
        aria-disabled=${!canReplay}
        aria-describedby=${refusal === undefined ? nothing : 'refusal'}
        @click=${() => (canReplay ? intents.run('replay') : undefined)}
      >${icon(isReplaying ? 'loading' : 'rerun')}${actions.replay}</button>
      ${
        view.canEditReplay
          ? html`<button type="button" class="button secondary" @click=${() => void intents.ask('editReplay', { key })}>
              ${icon('edit')}${details.editReplay}
            </button>`
          : nothing
      }
      ${menuView('copy', details.copyAs, 'copy', 'wide', copyItems)}
      ${
        view.hasToolSource === true
          ? html`<button
              type="button"
              class="button secondary is-icon"
              aria-label=${actions.goToToolSource}
              title=${actions.goToToolSource}
              @click=${() => intents.goToToolSource(key)}
            >${icon('file-code')}</button>`
          : nothing
      }
      ${menuView('more', details.moreActions, 'ellipsis', 'icon', moreItems(view, details, intents))}
    </div>
    ${refusal === undefined ? nothing : html`<p class="refusal" id="refusal">${escapeLine(refusal)}</p>`}`;
}

function moreItems(
  { row, request, response, isCompareChosen }: DetailsView,
  strings: PageState['strings']['details'],
  intents: Intents,
): readonly MenuItem[] {
  const { key } = row;
  const open = (seq: number) => () => void intents.ask('openPayload', { seq });
  return [
    {
      text: strings.selectForCompare,
      icon: 'git-compare',
      run: () => void intents.ask('selectForCompare', { key }),
    },
    ...(isCompareChosen
      ? [
          {
            text: strings.compareWithSelected,
            icon: 'diff',
            run: () => void intents.ask('compareWithSelected', { key }),
          },
        ]
      : []),
    ...(request === undefined ? [] : [{ text: strings.openRequest, icon: 'go-to-file', run: open(request.seq) }]),
    ...(response === undefined ? [] : [{ text: strings.openResponse, icon: 'go-to-file', run: open(response.seq) }]),
  ];
}
