import { backslashesBefore, isLevel } from './quoting.ts';

/** The name before a separator, where it is, and how it was quoted. */
export interface FoundName {
  readonly name: string;
  readonly start: number;
  /** The quote with its backslashes; empty for a bare name. */
  readonly quote: string;
}

const MAX_NAME = 64;

/** Where a name ends before the separator at `at`: before its closing quote, if it has one. */
export function nameEndBefore(text: string, at: number): number {
  let end = at;
  while (end > 0 && at - end < 8 && text.charCodeAt(end - 1) === 0x20) {
    end--;
  }
  const last = text.charCodeAt(end - 1);
  return last === 0x22 || last === 0x27 ? end - 1 - backslashesBefore(text, end - 1) : end;
}

/** Behind the quote that closes the name which ends at `end`; `end` itself for a bare name. */
export function quoteEndAfter(text: string, end: number): number {
  let at = end;
  while (text.charCodeAt(at) === 0x5c) {
    at++;
  }
  const code = text.charCodeAt(at);
  return (code === 0x22 || code === 0x27) && isLevel(at - end) ? at + 1 : end;
}

/** The name that ends at `end`, or `undefined` where there is none that could be one. */
export function nameAt(text: string, end: number, quote: string): FoundName | undefined {
  let start = end;
  while (start > 0 && end - start <= MAX_NAME && isNameCode(text.charCodeAt(start - 1))) {
    start--;
  }
  if (start === end || end - start > MAX_NAME) {
    return undefined;
  }
  // The letter of an escape is none of the name's: \npassword=
  if (quote === '' && text.charCodeAt(start - 1) === 0x5c) {
    start += text.startsWith('u00', start) ? 5 : 1;
  }
  return start < end ? { name: text.slice(start, end), start, quote } : undefined;
}

/** A key that is written with `\u` escapes, decoded. Rare, and no reason to let its value through. */
export function escapedKeyAt(text: string, end: number): string | undefined {
  const open = text.lastIndexOf('"', end - 1);
  if (open === -1 || end - open > 6 * MAX_NAME || !text.slice(open, end).includes('\\u')) {
    return undefined;
  }
  try {
    return JSON.parse(text.slice(open, end + 1));
  } catch {
    return undefined;
  }
}

/** Letters, digits and what joins them in names of variables, headers and parameters. */
function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}
