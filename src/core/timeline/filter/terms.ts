import { assertNever } from '../../../base/assertNever.ts';
import type { TextArgs } from '../../../base/text.ts';
import type { Comparison, FilterError, FilterNode } from './ast.ts';
import { FILTER_KEYS, type FilterKey, keyMeta, takesComparison } from './keys.ts';
import type { TextPiece, Token } from './lexer.ts';
import { isMatch, patternOf } from './names.ts';
import { nearest } from './near.ts';
import { readInteger, readMoment, readQuantity, UNIT_NAMES } from './values.ts';

/** Choices that an error lists; completion has them all. */
const MAX_TOLD = 5;

type Term = Extract<Token, { kind: 'term' }>;
type Meta = NonNullable<ReturnType<typeof keyMeta>>;
type Read<T> = { readonly value: T } | FilterError;

/** The node of a term or of a free text, or what is wrong with it. */
export function termNode(token: Extract<Token, { kind: 'term' | 'text' }>): FilterNode | FilterError {
  if (token.kind === 'text') {
    const { piece } = token;
    return piece.isOpen ? openQuote(piece) : { kind: 'text', text: piece.text.toLowerCase() };
  }
  const meta = keyMeta(token.key);
  if (meta === undefined) {
    return unknownKey(token);
  }
  const comparison = comparisonOf(token.operator);
  const hasOrder = comparison !== '=';
  if ((hasOrder && !takesComparison(meta.type)) || (token.operator === '!=' && meta.type === 'time')) {
    const place = { offset: token.operatorAt, length: token.operator.length };
    return { code: 'filter.operator', args: { key: meta.key, operator: token.operator }, ...place };
  }
  const [, second] = token.values;
  if (second !== undefined && (hasOrder || meta.type === 'time')) {
    return error('filter.list', second, { key: meta.key });
  }
  const node = valuesNode(meta, comparison, token.values);
  return 'code' in node || token.operator !== '!=' ? node : { kind: 'not', node };
}

function valuesNode(meta: Meta, comparison: Comparison, pieces: readonly TextPiece[]): FilterNode | FilterError {
  const { key } = meta;
  const bad = pieces.find((piece) => piece.isOpen || (piece.text === '' && !piece.isQuoted));
  if (bad !== undefined) {
    return bad.isOpen ? openQuote(bad) : error('filter.value.missing', bad, { key });
  }
  switch (meta.type) {
    case 'name':
      return { kind: 'names', key, patterns: pieces.map(({ text, isQuoted }) => patternOf(text, isQuoted)) };
    case 'choice': {
      const found = readAll(pieces, (piece) => readChoices(meta, piece));
      return 'code' in found ? found : { kind: 'choices', key, choices: [...new Set(found.value.flat())] };
    }
    case 'integer':
    case 'duration':
    case 'size': {
      const found = readAll(pieces, (piece) => readNumber(meta, piece));
      // `duration` is another word for `ms`.
      const same = (meta.same ?? key) as FilterKey;
      return 'code' in found ? found : { kind: 'numbers', key: same, comparison, values: found.value };
    }
    case 'time': {
      const [piece] = pieces;
      const found = piece === undefined ? undefined : readTime(piece);
      if (found === undefined || 'code' in found) {
        return found ?? { kind: 'all', nodes: [] };
      }
      return { kind: 'time', key: key === 'until' ? 'until' : 'since', at: found.value };
    }
    default:
      return assertNever(meta.type);
  }
}

/** All values, or the first error. */
function readAll<T>(pieces: readonly TextPiece[], read: (piece: TextPiece) => Read<T>): Read<readonly T[]> {
  const values: T[] = [];
  for (const piece of pieces) {
    const found = read(piece);
    if ('code' in found) {
      return found;
    }
    values.push(found.value);
  }
  return { value: values };
}

function readChoices({ key, choices = [] }: Meta, piece: TextPiece): Read<readonly string[]> {
  const pattern = patternOf(piece.text.replaceAll('-', '_'), piece.isQuoted);
  const found = choices.filter((choice) => isMatch(pattern, choice));
  if (found.length > 0) {
    return { value: found };
  }
  const meant = nearest(piece.text, choices);
  const known = `${choices.slice(0, MAX_TOLD).join(', ')}${choices.length > MAX_TOLD ? ', …' : ''}`;
  return meant === undefined
    ? error('filter.value.unknown', piece, { key, value: piece.text, known })
    : error('filter.value.meant', piece, { key, value: piece.text, meant });
}

function readNumber({ key, type }: Meta, piece: TextPiece): Read<number> {
  const { text } = piece;
  if (type !== 'duration' && type !== 'size') {
    const value = readInteger(text);
    return value === undefined ? error('filter.integer', piece, { key, value: text }) : { value };
  }
  const found = readQuantity(text, type);
  if (typeof found === 'object') {
    return { value: found.value };
  }
  return found === 'no-unit'
    ? error('filter.unit', piece, { value: text, units: UNIT_NAMES[type] })
    : error(`filter.${type}`, piece, { key, value: text, units: UNIT_NAMES[type] });
}

function readTime(piece: TextPiece): Read<Extract<FilterNode, { kind: 'time' }>['at']> {
  const wallUs = readMoment(piece.text);
  if (wallUs !== undefined) {
    return { value: { wallUs } };
  }
  const found = readQuantity(piece.text, 'duration');
  // A bare number would be milliseconds, which nobody means here.
  return typeof found === 'object' && found.hasUnit && found.value >= 0
    ? { value: { agoUs: found.value * 1000 } }
    : error('filter.time', piece, { value: piece.text });
}

function comparisonOf(operator: string): Comparison {
  const bare = operator.replace(':', '');
  return bare === '<' || bare === '<=' || bare === '>' || bare === '>=' ? bare : '=';
}

function unknownKey({ key, offset, length }: Term): FilterError {
  const meant = nearest(key, Object.keys(FILTER_KEYS));
  return meant === undefined
    ? { code: 'filter.key.unknown', args: { key }, offset, length }
    : { code: 'filter.key.meant', args: { key, meant }, offset, length: key.length };
}

function openQuote(piece: TextPiece): FilterError {
  return error('filter.quote.open', piece);
}

function error(code: string, { offset, length }: TextPiece, args: TextArgs = {}): FilterError {
  return { code, args, offset, length };
}
