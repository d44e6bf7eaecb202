import type { HostToPage } from '../../../src/protocol/webview.ts';
import { pseudo } from '../../tools/l10n/pseudo.ts';

/** Members that hold words of the contract, which the page compares and never shows. */
const CONTRACT = new Set([
  ...['type', 'kind', 'outcome', 'initiator', 'mark', 'strength', 'class', 'severity', 'state', 'hiddenOutcomes'],
  ...[
    'filterText',
    'action',
    'format',
    'language',
    'mode',
    'tab',
    'direction',
    'placement',
    'level',
    'change',
    'insert',
  ],
]);

/** The member that holds every sentence of the page. */
const STRINGS = 'strings';

/** What the host sends as it would in another language, what it was sent by servers included. */
export function pseudoMessage(message: HostToPage): HostToPage {
  const said = message.type === 'notification' ? { params: message.params } : message;
  return { ...message, ...(translated(said, '') as object) } as HostToPage;
}

function translated(value: unknown, member: string): unknown {
  if (typeof value === 'string') {
    return CONTRACT.has(member) ? value : pseudo(value);
  }
  if (Array.isArray(value)) {
    return value.map((each) => translated(each, member));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        // The members of the page's own strings are named as those of the contract are, and are all shown.
        Object.entries(value).map(([key, each]) => [
          key,
          translated(each, member === STRINGS || key === STRINGS ? STRINGS : key),
        ]),
      )
    : value;
}
