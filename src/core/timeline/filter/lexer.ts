import { KEYWORDS, type Keyword, keyMeta } from './keys.ts';

interface Place {
  /** In UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
}

/** A bare or quoted piece of text. `isOpen`: its closing quote is missing. */
export interface TextPiece extends Place {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isOpen: boolean;
}

export type Token =
  | (Place & { readonly kind: 'open' | 'close' | 'minus' })
  | (Place & { readonly kind: 'keyword'; readonly keyword: Keyword })
  | (Place & { readonly kind: 'text'; readonly piece: TextPiece })
  | (Place & {
      readonly kind: 'term';
      readonly key: string;
      readonly operator: string;
      readonly operatorAt: number;
      /** Where the values begin. */
      readonly valuesAt: number;
      /** One at least, which is empty when nothing follows the operator. */
      readonly values: readonly TextPiece[];
    });

const SPACE = /\s*/y;
const KEY = /[a-z]\w*/iy;
const OPERATOR = /:?[<>]=?|!=|[:=]/y;
const SPACED_COMPARISON = /\s*(?:[<>]=?|!=|=)/y;
const WORD = /[^\s()]+/y;
const VALUE = /[^\s(),]*/y;

/** Splits a filter into tokens, linear in its length. Never fails: what is wrong is left to the parser. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = match(SPACE, text, 0); at < text.length; ) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = match(SPACE, text, at + token.length);
  }
  return tokens;
}

function tokenAt(text: string, offset: number): Token {
  switch (text.charAt(offset)) {
    case '(':
      return { kind: 'open', offset, length: 1 };
    case ')':
      return { kind: 'close', offset, length: 1 };
    case '-':
      return { kind: 'minus', offset, length: 1 };
    case '"': {
      const piece = quotedAt(text, offset);
      return { kind: 'text', piece, offset, length: piece.length };
    }
    default:
      return termAt(text, offset) ?? wordAt(text, offset);
  }
}

function termAt(text: string, offset: number): Token | undefined {
  const keyEnd = match(KEY, text, offset);
  const key = text.slice(offset, keyEnd);
  // `ms > 500` is a comparison, while `a = b` is three words.
  const isKnown = keyMeta(key) !== undefined;
  const tightEnd = keyEnd === offset ? -1 : match(OPERATOR, text, keyEnd);
  const spacedEnd = isKnown && tightEnd <= keyEnd ? match(SPACED_COMPARISON, text, keyEnd) : keyEnd;
  const operatorEnd = Math.max(tightEnd, spacedEnd);
  if (operatorEnd <= keyEnd) {
    return undefined;
  }
  const operator = text.slice(keyEnd, operatorEnd).trim();
  const isComparison = /[<>]/.test(operator) || spacedEnd > keyEnd;
  const valuesAt = isKnown && isComparison ? match(SPACE, text, operatorEnd) : operatorEnd;
  const values = [valueAt(text, valuesAt)];
  let end = endOf(values[0]);
  while (text.charAt(end) === ',') {
    const value = valueAt(text, end + 1);
    values.push(value);
    end = endOf(value);
  }
  const operatorAt = operatorEnd - operator.length;
  return { kind: 'term', key, operator, operatorAt, valuesAt, values, offset, length: end - offset };
}

function wordAt(text: string, offset: number): Token {
  const end = match(WORD, text, offset);
  const word = text.slice(offset, end);
  const length = end - offset;
  const keyword = KEYWORDS.find((each) => each === word.toLowerCase());
  return keyword === undefined
    ? { kind: 'text', piece: { text: word, isQuoted: false, isOpen: false, offset, length }, offset, length }
    : { kind: 'keyword', keyword, offset, length };
}

function valueAt(text: string, offset: number): TextPiece {
  if (text.charAt(offset) === '"') {
    return quotedAt(text, offset);
  }
  const end = match(VALUE, text, offset);
  return { text: text.slice(offset, end), isQuoted: false, isOpen: false, offset, length: end - offset };
}

/** From a quote to the next one; `\"` and `\\` stand for a quote and a backslash. */
function quotedAt(text: string, offset: number): TextPiece {
  const pieces: string[] = [];
  let from = offset + 1;
  let at = from;
  for (; at < text.length && text.charAt(at) !== '"'; at += 1) {
    const next = text.charAt(at + 1);
    if (text.charAt(at) === '\\' && (next === '"' || next === '\\')) {
      pieces.push(text.slice(from, at));
      at += 1;
      from = at;
    }
  }
  pieces.push(text.slice(from, at));
  const isOpen = at >= text.length;
  return { text: pieces.join(''), isQuoted: true, isOpen, offset, length: (isOpen ? at : at + 1) - offset };
}

/** Where a match of the sticky `pattern` at `offset` ends; `offset` when there is none. */
function match(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  const found = pattern.exec(text);
  return found === null ? offset : offset + found[0].length;
}

function endOf(piece: TextPiece | undefined): number {
  return piece === undefined ? 0 : piece.offset + piece.length;
}
