import { safeText } from '../../base/safeText.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text as HTML shows it, in elements and in quoted attributes. Control characters and bidirectional controls, which could
 * make text read as another, are shown as escapes; line ends and tabs stay.
 */
export function htmlText(text: string): string {
  return safeText(text)
    .replace(/\p{Cs}/gu, (surrogate) => `\\u${surrogate.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
