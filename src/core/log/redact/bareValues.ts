import type { FoundName } from './names.ts';
import type { NameClass, SecretNames } from './secretNames.ts';
import type { Span } from './spans.ts';
import { isDirectory, isIdentifierPath, isWorthHiding, looksRandom, schemeLength } from './values.ts';

/** Up to white space, a quote, or what ends a value in a list, a URL, a call. An escaped backslash belongs to the value, an escaped line end does not. */
const VALUE = /(?:[^\s"'`,;&<>()[\]{}\\]|\\\\(?![nrt"]))+/y;
/** To the end of the line, of the header's quotes, or of the text around. */
const LINE = /[^"'\\\r\n]+/y;
/** So much of a value is judged: what is refused costs no more than this, however many names a text has. */
const JUDGED = 256;

/**
 * The secret of a `name=value` or `Name: value` in running text, of which `at` is the separator and `from` the value's
 * beginning; `undefined` when this is code, prose or a description.
 */
export function bareSpan(
  text: string,
  at: number,
  from: number,
  { name, start }: FoundName,
  { rule, kind }: NameClass,
  names: SecretNames,
): Span | undefined {
  // A placeholder has a name and a colon too.
  if (isOperator(text, at) || text.startsWith('[redacted:', start - 10)) {
    return undefined;
  }
  const pattern = rule === 'header' && from > at + 1 ? LINE : VALUE;
  const value = matchAt(pattern, text.slice(from, from + JUDGED), 0);
  if (!isWorthHiding(value) || isDirectory(name, value)) {
    return undefined;
  }
  const end = from + value.length;
  const whole = () => (value.length < JUDGED - 1 ? end : from + matchAt(pattern, text, from).length);
  const skipped = schemeLength(value);
  const span = () => ({ start: from + skipped, end: whole(), kind });
  switch (rule) {
    case 'header':
      // "Cookie: none was sent" is prose.
      return skipped > 0 || value.includes('=') || looksRandom(value, 8) ? span() : undefined;
    case 'parameter':
      return isInQuery(text, start) && looksRandom(value, 12) ? span() : undefined;
    case 'values':
    case 'pair':
      return undefined;
    case 'secret':
    case 'token':
      return isAssigned(text, at, from, end, value, start, names) && !isName(value, kind) ? span() : undefined;
  }
}

function matchAt(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? '';
}

/** `==`, `=>`, `:=`, `::`, `!=` and `://` assign nothing. */
function isOperator(text: string, at: number): boolean {
  return /[=:!<>~+]/.test(text.charAt(at - 1)) || /[=>~:]/.test(text.charAt(at + 1)) || text.startsWith('//', at + 1);
}

function isInQuery(text: string, nameStart: number): boolean {
  const before = text.charAt(nameStart - 1);
  return (
    before === '?' ||
    before === '&' ||
    text.startsWith('u0026', nameStart - 5) ||
    text.startsWith('amp;', nameStart - 4)
  );
}

function isAssigned(
  text: string,
  at: number,
  from: number,
  end: number,
  value: string,
  nameStart: number,
  names: SecretNames,
): boolean {
  // A call, an index, a path of identifiers, another name: code.
  if (/[([]/.test(text.charAt(end)) || isIdentifierPath(value) || names.classOf(value) !== undefined) {
    return false;
  }
  const isTight = text.charAt(at) === '=' && from === at + 1;
  if (isTight || looksRandom(value, 6)) {
    return true;
  }
  // A configuration has the name at the beginning of its line and nothing behind the value.
  return (
    value.length >= 6 &&
    isLineStart(text, nameStart) &&
    isLineEnd(text, end) &&
    !/^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(value)
  );
}

function isName(value: string, kind: string): boolean {
  return value.toLowerCase() === kind;
}

function isLineStart(text: string, nameStart: number): boolean {
  const before = text.slice(Math.max(0, nameStart - 24), nameStart).trimEnd();
  return before === '' || /(?:\\n|\n|")$/.test(before);
}

function isLineEnd(text: string, end: number): boolean {
  return end >= text.length || /^\s*(?:[\r\n"]|\\+[nr"])/.test(text.slice(end, end + 8));
}
