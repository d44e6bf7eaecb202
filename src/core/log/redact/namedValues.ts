import { bareSpan } from './bareValues.ts';
import { redactContainer } from './containers.ts';
import { escapedKeyAt, type FoundName, nameAt, nameEndBefore, quoteEndAfter } from './names.ts';
import { contentEnd } from './quoting.ts';
import type { NameClass, SecretNames } from './secretNames.ts';
import { afterSpaces, valueAt } from './separators.ts';
import type { AddSpan } from './spans.ts';
import { findUrlPassword } from './urlPasswords.ts';
import { isDirectory, isWorthHiding, schemeLength } from './values.ts';

/**
 * Finds values by the names before them: members of JSON at any depth of strings within strings, `name=value` of shells,
 * URLs and connection strings, `Name: value` of headers and configurations; and passwords of URLs, which a colon gives away as
 * well. Linear: a value is looked at once.
 */
export function findNamedValues(text: string, names: SecretNames, add: AddSpan): void {
  const hasEscapes = text.includes('\\u');
  for (let at = text.indexOf(':'); at !== -1; ) {
    findUrlPassword(text, at, add);
    at = text.indexOf(':', Math.max(at + 1, lookAt(text, at, hasEscapes, names, add)));
  }
  for (let at = text.indexOf('='); at !== -1; ) {
    at = text.indexOf('=', Math.max(at + 1, lookAt(text, at, false, names, add)));
  }
}

/** Returns from where to go on. */
function lookAt(text: string, at: number, hasEscapes: boolean, names: SecretNames, add: AddSpan): number {
  const end = nameEndBefore(text, at);
  if (!names.mayEndHere(text, end) && !hasEscapes) {
    return at;
  }
  const quote = text.slice(end, quoteEndAfter(text, end));
  const name = nameAt(text, end, quote);
  const known = name === undefined ? undefined : names.classOf(name.name);
  if (name !== undefined && known !== undefined) {
    return lookAtNamed(text, at, name, known, names, add);
  }
  const escaped = hasEscapes && quote === '"' ? escapedKeyAt(text, end) : undefined;
  const knownToo = escaped === undefined ? undefined : names.classOf(escaped);
  return escaped === undefined || knownToo === undefined
    ? at
    : lookAtNamed(text, at, { name: escaped, start: end, quote }, knownToo, names, add);
}

function lookAtNamed(
  text: string,
  at: number,
  found: FoundName,
  known: NameClass,
  names: SecretNames,
  add: AddSpan,
): number {
  const { rule, kind } = known;
  const isJson = found.quote !== '';
  const value = valueAt(text, afterSpaces(text, at + 1, isJson));
  switch (value.shape) {
    case 'container':
      return isJson && takesContainer(found.name, known) ? redactContainer(text, value.start, kind, add) : at;
    case 'bare': {
      if (isJson) {
        return numberSpan(text, value.start, found.quote, known, add);
      }
      const span = bareSpan(text, at, value.start, found, known, names);
      if (span !== undefined) {
        add(span);
      }
      return span?.end ?? at;
    }
    case 'quoted': {
      const { start, quote } = value;
      const end = contentEnd(text, start, quote.length - 1, quote.slice(-1));
      const head = text.slice(start, Math.min(end, start + 200));
      const isSecret =
        rule === 'secret' ||
        rule === 'token' ||
        rule === 'header' ||
        (rule === 'pair' && isNamedSecret(text, found, names));
      if (!isSecret || !isWorthHiding(head) || isDirectory(found.name, head)) {
        return start;
      }
      add({ start: start + schemeLength(head), end, kind });
      return end;
    }
  }
}

/** A list of tokens may be the words of a text, and an object of that name anything. */
function takesContainer(name: string, { rule }: NameClass): boolean {
  return rule === 'values' || (rule === 'secret' && /s$|env/i.test(name)) || (rule === 'header' && name.endsWith('s'));
}

/** Only in JSON does a number hide something: in a text, four digits under such a name are anything. */
function numberSpan(text: string, start: number, quote: string, { rule, kind }: NameClass, add: AddSpan): number {
  const number = /-?\d[\d.eE+-]*/y;
  number.lastIndex = start;
  const length = number.exec(text)?.[0].length ?? 0;
  if (length > 0 && quote.endsWith('"') && (rule === 'secret' || (rule === 'token' && length >= 6))) {
    add({ start, end: start + length, kind, quote });
  }
  return start + length;
}

const NAME_BEFORE = /(?:[nN]ame|[kK]ey)\\*"\s{0,8}:\s{0,8}\\*"([\w.-]{1,64})\\*"\s{0,8},\s{0,80}\\*"$/;

/** `{"name": "API_KEY", "value": "…"}`: the name stands in the member before. */
function isNamedSecret(text: string, { start, quote }: FoundName, names: SecretNames): boolean {
  const before = NAME_BEFORE.exec(text.slice(Math.max(0, start - 240), start))?.[1];
  const rule = quote === '' || before === undefined ? undefined : names.classOf(before)?.rule;
  return rule === 'secret' || rule === 'token' || rule === 'header';
}
