import { isLevel } from './quoting.ts';

/** What stands after a separator, and how. */
export type FoundValue =
  /** Within quotes; `quote` with its backslashes, `start` behind it. */
  | { readonly shape: 'quoted'; readonly start: number; readonly quote: string }
  /** An object or array that opens at `start`. */
  | { readonly shape: 'container'; readonly start: number }
  | { readonly shape: 'bare'; readonly start: number };

/** Skips white space, as much as anyone writes between a separator and a value on its line. */
export function afterSpaces(text: string, from: number, isJson: boolean): number {
  let at = from;
  for (let code = text.charCodeAt(at); at - from < 80; code = text.charCodeAt(++at)) {
    if (code !== 0x20 && code !== 0x09 && !(isJson && (code === 0x0a || code === 0x0d))) {
      break;
    }
  }
  return at;
}

/** What begins at `at`. */
export function valueAt(text: string, at: number): FoundValue {
  let open = at;
  while (text.charCodeAt(open) === 0x5c) {
    open++;
  }
  const code = text.charCodeAt(open);
  if ((code === 0x22 || code === 0x27) && isLevel(open - at) && !isClosing(text, open + 1)) {
    return { shape: 'quoted', start: open + 1, quote: text.slice(at, open + 1) };
  }
  return open === at && (code === 0x7b || code === 0x5b)
    ? { shape: 'container', start: at }
    : { shape: 'bare', start: at };
}

/** What follows a quote that ends a string of JSON: a text that ended with `password: ` has no value. */
function isClosing(text: string, at: number): boolean {
  return at >= text.length || /^(?:\s*[,}\]:]|\\+["'],)/.test(text.slice(at, at + 16));
}
