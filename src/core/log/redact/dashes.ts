import { nameAt } from './names.ts';
import { contentEnd } from './quoting.ts';
import type { SecretNames } from './secretNames.ts';
import { valueAt } from './separators.ts';
import type { AddSpan } from './spans.ts';
import { isWorthHiding } from './values.ts';

const BEGIN = /-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const END = /-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
/** Base64, white space and its escapes, the headers of an encrypted key. */
const BODY = /(?:[A-Za-z0-9+/=:,\s]|\\+[nrt/]|-(?!-))*/y;
const OPTION = /[A-Za-z][\w-]{1,40}/y;

/** Is this line the beginning of a private key, or its end? A key that comes line by line is one secret. */
export function privateKeyEdge(line: string): 'begin' | 'end' | 'both' | undefined {
  const hasBegin = /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/.test(line);
  const hasEnd = /END [A-Z0-9 ]{0,40}PRIVATE KEY/.test(line);
  return hasBegin && hasEnd ? 'both' : hasBegin ? 'begin' : hasEnd ? 'end' : undefined;
}

/** Finds private keys (RFC 7468 and OpenPGP armour; certificates and public keys may stay) and values of `--options`. */
export function findAfterDashes(text: string, names: SecretNames, add: AddSpan): void {
  for (let at = text.indexOf('--'); at !== -1; ) {
    let behind = at + 2;
    while (text.charCodeAt(behind) === 0x2d) {
      behind++;
    }
    const isOption = behind === at + 2 && isOptionStart(text, at);
    at = text.indexOf('--', Math.max(behind, isOption ? option(text, behind, names, add) : privateKey(text, at, add)));
  }
}

function isOptionStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return at === 0 || code === 0x20 || code === 0x22 || code === 0x27 || code === 0x6e;
}

/** From its first line to its last, which stay: they say what was there. */
function privateKey(text: string, at: number, add: AddSpan): number {
  BEGIN.lastIndex = at;
  const begin = BEGIN.exec(text);
  if (begin === null) {
    return at;
  }
  const start = at + begin[0].length;
  BODY.lastIndex = start;
  const end = start + (BODY.exec(text)?.[0].length ?? 0);
  END.lastIndex = end;
  const rest = END.exec(text)?.[0].length ?? 0;
  if (end - start > 40) {
    add({ start, end, kind: 'private-key' });
  }
  return end + rest;
}

/** `--api-key abc` of a command line, `"--api-key","abc"` of a list of arguments. */
function option(text: string, from: number, names: SecretNames, add: AddSpan): number {
  OPTION.lastIndex = from;
  const length = OPTION.exec(text)?.[0].length ?? 0;
  const end = from + length;
  if (length === 0 || !names.mayEndHere(text, end)) {
    return from;
  }
  const rule = names.classOf(nameAt(text, end, '')?.name.replace(/^-+/, '') ?? '');
  if (rule === undefined || (rule.rule !== 'secret' && rule.rule !== 'token')) {
    return from;
  }
  const between = /\\*["'],\s{0,80}(?=\\*["'])| {1,4}(?=\S)|\s{1,4}(?=["'])/y;
  between.lastIndex = end;
  const gap = between.exec(text)?.[0].length ?? 0;
  const value = gap === 0 ? undefined : valueAt(text, end + gap);
  if (value === undefined || value.shape === 'container') {
    return end;
  }
  const { start } = value;
  const valueEnd =
    value.shape === 'quoted'
      ? contentEnd(text, start, value.quote.length - 1, value.quote.slice(-1))
      : start + (/^[^\s"'`\\]+/.exec(text.slice(start, start + 1000))?.[0].length ?? 0);
  const secret = text.slice(start, valueEnd);
  const isProse = value.shape === 'bare' && /^[a-z]+[.,;:)]?$/.test(secret);
  if (isWorthHiding(secret) && !secret.startsWith('-') && !isProse) {
    add({ start, end: valueEnd, kind: rule.kind });
  }
  return Math.max(end, valueEnd);
}
