/** Offsets in the file, the end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const OPENS = '([{';
const CLOSES = ')]}';

/** Where the string or character that starts at `at` ends; `at` itself when none does. */
function skipLiteral(text: string, at: number, end: number): number {
  const char = text[at];
  if (char === 'r' && !/\w/.test(text[at - 1] ?? '')) {
    const hashes = /^r(#*)"/.exec(text.slice(at, at + 12));
    if (hashes !== null) {
      const close = text.indexOf(`"${hashes[1]}`, at + hashes[0].length);
      return close < 0 || close >= end ? end : close + 1 + (hashes[1]?.length ?? 0);
    }
  }
  if (char === "'") {
    // A lifetime has no closing quote.
    const literal = /^'(?:[^'\\]|\\.[^']{0,8})'/.exec(text.slice(at, at + 14));
    return literal === null ? at : at + literal[0].length;
  }
  if (char !== '"') {
    return at;
  }
  for (let index = at + 1; index < end; index++) {
    if (text[index] === '\\') {
      index++;
    } else if (text[index] === '"') {
      return index + 1;
    }
  }
  return end;
}

/** The offset of the bracket that closes the one at `open`; undefined when there is none before `end`. */
export function closeOf(text: string, open: number, end: number): number | undefined {
  let depth = 0;
  for (let at = open; at < end; at++) {
    const next = skipLiteral(text, at, end);
    if (next > at) {
      at = next - 1;
      continue;
    }
    const char = text[at] ?? '';
    if (OPENS.includes(char)) {
      depth++;
    } else if (CLOSES.includes(char)) {
      depth--;
      if (depth === 0) {
        return at;
      }
    }
  }
  return undefined;
}

/** The parts of `range` between `separator`s that stand in no bracket and no string; at most `limit` of them. */
export function splitTop(text: string, range: Range, separator: string, limit = 200): Range[] {
  const parts: Range[] = [];
  let depth = 0;
  let start = range.start;
  for (let at = range.start; at < range.end; at++) {
    const next = skipLiteral(text, at, range.end);
    if (next > at) {
      at = next - 1;
      continue;
    }
    const char = text[at] ?? '';
    if (OPENS.includes(char)) {
      depth++;
    } else if (CLOSES.includes(char)) {
      depth--;
    } else if (
      depth === 0 &&
      char === separator &&
      parts.length < limit - 1 &&
      text[at + 1] !== ':' &&
      text[at - 1] !== ':'
    ) {
      parts.push({ start, end: at });
      start = at + 1;
    }
  }
  parts.push({ start, end: range.end });
  return parts.filter((part) => text.slice(part.start, part.end).trim() !== '');
}

/** `range` without the white space at its ends. */
export function trimmed(text: string, { start, end }: Range): Range {
  const slice = text.slice(start, end);
  const lead = slice.length - slice.trimStart().length;
  return { start: start + lead, end: start + Math.max(lead, slice.trimEnd().length) };
}
