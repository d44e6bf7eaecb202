/** Letters, digits, `_` and `-`: what tokens are made of, and words are too short to be. */
const IS_TOKEN = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  IS_TOKEN[letter.charCodeAt(0)] = 1;
}

/** No secret that is known by its shape has less in one piece. */
const MIN_RUN = 17;

export function isTokenCode(code: number): boolean {
  return IS_TOKEN[code] === 1;
}

/**
 * Calls `visit` with the beginning and end of each run of at least 17 token characters; it returns from where to go on.
 * Looks at every seventeenth character and only then back, so that text of words costs a fraction of its length.
 */
export function forEachRun(text: string, visit: (start: number, end: number) => number): void {
  const { length } = text;
  let from = 0;
  for (let at = MIN_RUN - 1; at < length; ) {
    let start = at;
    while (start >= from && IS_TOKEN[text.charCodeAt(start)] === 1) {
      start--;
    }
    start++;
    if (start > at - MIN_RUN + 1) {
      // A run of 17 cannot reach over the character before `start`.
      from = start;
      at = start + MIN_RUN - 1;
      continue;
    }
    let end = at + 1;
    while (end < length && IS_TOKEN[text.charCodeAt(end)] === 1) {
      end++;
    }
    from = Math.max(end, visit(start, end));
    at = from + MIN_RUN - 1;
  }
}
