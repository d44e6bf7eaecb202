import type { HostToPage } from '../../../src/protocol/webview.ts';
import { pseudo } from '../../tools/l10n/pseudo.ts';
import { hostile } from './hostile.ts';

/** Members that hold words of the contract, which the page compares and never shows. */
const CONTRACT = new Set([
  ...['type', 'kind', 'outcome', 'initiator', 'mark', 'strength', 'class', 'severity', 'state', 'hiddenOutcomes'],
  ...['filterText', 'action', 'format', 'language', 'mode', 'tab', 'direction', 'placement', 'level', 'change'],
  'insert',
]);

/** Members whose texts the page goes by as well as showing them. */
const ADDRESSES = new Set([
  ...['pointer', 'pointers', 'copyFormats', 'id', 'mimeType', 'data', 'tone', 'base64', 'before', 'after'],
  // These say nothing of a server: how sure a sign is, how bad.
  ...['strengthText', 'severityText'],
]);

/** The member that holds every sentence of the page. */
const STRINGS = 'strings';

/** What the host sends as it would in another language, what it was sent by servers included. */
export function pseudoMessage(message: HostToPage): HostToPage {
  return mapped(message, (text, member) => (CONTRACT.has(member) ? text : pseudo(text)));
}

/** What the host sends with something hostile in every text but the page's own sentences. */
export function hostileMessage(message: HostToPage): HostToPage {
  return mapped(message, (text, member) =>
    CONTRACT.has(member) || ADDRESSES.has(member) || member === STRINGS ? text : hostile(text),
  );
}

function mapped(message: HostToPage, of: (text: string, member: string) => string): HostToPage {
  const said = message.type === 'notification' ? { params: message.params } : message;
  return { ...message, ...(translated(said, '', of) as object) } as HostToPage;
}

function translated(value: unknown, member: string, of: (text: string, member: string) => string): unknown {
  if (typeof value === 'string') {
    return of(value, member);
  }
  if (Array.isArray(value)) {
    return value.map((each) => translated(each, member, of));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        // The members of the page's own strings are named as those of the contract are, and are all shown.
        Object.entries(value).map(([key, each]) => [
          key,
          translated(each, member === STRINGS || key === STRINGS ? STRINGS : key, of),
        ]),
      )
    : value;
}
