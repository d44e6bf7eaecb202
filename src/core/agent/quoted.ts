import { safeText } from '../../base/safeText.ts';

/** Longest message that is quoted whole, UTF-16 code units: an agent's context is dear. */
export const MAX_QUOTED = 20_000;

/**
 * Recorded text for a model: fenced by more backticks than it holds, so that nothing in it ends the quote, control and
 * bidirectional characters as escapes, and cut when it is long, with what is left out said.
 */
export function quoted(text: string): string {
  const shown = safeText(text.slice(0, MAX_QUOTED));
  const longest = [...shown.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const cut = text.length > MAX_QUOTED ? `\n(cut: ${text.length - MAX_QUOTED} more characters)` : '';
  return `${fence}\n${shown}\n${fence}${cut}`;
}
