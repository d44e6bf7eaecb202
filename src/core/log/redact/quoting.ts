// JSON within JSON: what is `"` in a document is `\"` in a string of it, and `\\\"` one deeper. A quote is known by the
// number of backslashes before it: 0, 1, 3, 7, … for the levels.

/** Deeper than this nobody nests, and counting would cost. */
const MAX_BACKSLASHES = 15;

/** Backslashes directly before `index`. */
export function backslashesBefore(text: string, index: number): number {
  let count = 0;
  while (text.charCodeAt(index - 1 - count) === 0x5c) {
    count++;
  }
  return count;
}

/** Can a string begin with a quote that has so many backslashes before it? */
export function isLevel(backslashes: number): boolean {
  return backslashes <= MAX_BACKSLASHES && (backslashes & (backslashes + 1)) === 0;
}

/**
 * Where the content of a string ends whose opening quote, `level` backslashes before it, is just before `from`: at its
 * closing quote, or at the end of the string or text around it when it has none.
 */
export function contentEnd(text: string, from: number, level: number, quote = '"'): number {
  const period = 2 * (level + 1);
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    const before = Math.min(backslashesBefore(text, at), at - from) % period;
    if (before <= level) {
      return at - before;
    }
  }
  return text.length;
}
