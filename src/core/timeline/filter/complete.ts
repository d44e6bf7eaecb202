import { FILTER_KEYS, type FilterKey, KEYWORDS, keyMeta, takesComparison } from './keys.ts';
import { type TextPiece, type Token, tokensOf } from './lexer.ts';
import { quoteValue } from './quote.ts';
import type { RecordedValue, RecordedValues } from './recordedValues.ts';

/** What may stand at the cursor. */
export interface Completion {
  readonly kind: 'key' | 'value' | 'keyword';
  /** As it is listed. */
  readonly label: string;
  /** What takes the place of the text from `from` to `to`, offsets in UTF-16 code units; the cursor goes behind it. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  /** Rows that have the value. */
  readonly rows?: number;
  /** Names a sentence in `protocol/texts/filter.ts`. */
  readonly about?: string;
}

/** Items offered at most: a list that is longer is read by nobody. */
const MAX_ITEMS = 50;
/** Values of any key offered for a word without one. */
const MAX_GUESSES = 6;

/** Durations and times to begin with. */
const SAMPLES: Readonly<Partial<Record<FilterKey, readonly string[]>>> = {
  ms: ['100', '500', '1s', '10s'],
  duration: ['100', '500', '1s', '10s'],
  attempt: ['1', '2'],
  size: ['1kb', '10kb', '100kb', '1mb'],
  since: ['5m', '15m', '1h', '1d'],
  until: ['5m', '15m', '1h', '1d'],
};

/** Names whose values may be guessed from a bare word. */
const GUESSED: readonly FilterKey[] = ['server', 'tool', 'method', 'outcome', 'is', 'has'];

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * What a person may mean to write at `cursor`, best first: keys, values of the recording, words that join. `values` gives
 * servers by the names that people know. Never throws.
 */
export function completeFilter(text: string, cursor: number, values: RecordedValues): readonly Completion[] {
  const at = Math.max(0, Math.min(text.length, cursor));
  const tokens = tokensOf(text);
  const index = tokens.findIndex(({ offset, length }) => offset < at && at <= offset + length);
  const token = tokens[index];
  if (token?.kind === 'term' && at >= token.valuesAt) {
    return valuesAt(text, at, token, values);
  }
  if (token?.kind === 'text' && token.piece.isQuoted) {
    return [];
  }
  const isWord = token?.kind === 'text' || token?.kind === 'keyword' || token?.kind === 'term';
  const from = isWord ? token.offset : at;
  // Within a term the key alone is replaced.
  const to = token?.kind === 'term' ? token.operatorAt : isWord ? token.offset + token.length : at;
  const before = tokens.filter((each) => each.offset + each.length <= from).at(-1);
  return wordsAt(text, { from, to }, text.slice(from, at).toLowerCase(), before, values);
}

function wordsAt(
  text: string,
  span: Span,
  typed: string,
  before: Token | undefined,
  values: RecordedValues,
): readonly Completion[] {
  const hasOperator = /^\s*[:<>=!]/.test(text.slice(span.to));
  const keys = (Object.keys(FILTER_KEYS) as FilterKey[])
    .filter((key) => key.startsWith(typed) && (typed !== '' || !('same' in FILTER_KEYS[key])))
    .map((key): Completion => {
      const sign = takesComparison(FILTER_KEYS[key].type) && key !== 'code' ? '>' : ':';
      const label = `${key}${sign}`;
      return { kind: 'key', label, insert: hasOperator ? key : label, ...span, about: `filter.about.${key}` };
    });
  const canJoin =
    before !== undefined && before.kind !== 'open' && before.kind !== 'keyword' && before.kind !== 'minus';
  const keywords = KEYWORDS.filter(
    (word) => word.startsWith(typed) && word !== typed && (canJoin || word === 'not'),
  ).map(
    (word): Completion => ({
      kind: 'keyword',
      label: word,
      insert: `${word} `,
      ...span,
      about: `filter.about.${word}`,
    }),
  );
  const guesses = typed.length < 2 || hasOperator ? [] : guessesOf(text, span, typed, values);
  return [...keys, ...guesses, ...keywords].slice(0, MAX_ITEMS);
}

/** Terms whose value has the word in it. */
function guessesOf(text: string, span: Span, typed: string, values: RecordedValues): readonly Completion[] {
  return GUESSED.flatMap((key) =>
    offered(key, values)
      .filter(({ value, rows }) => isGuess(value.toLowerCase(), typed, rows) && !(key === 'is' && isOutcome(value)))
      .map(({ value, rows }): Completion => {
        const label = `${key}:${quoteValue(value)}`;
        return { kind: 'value', label, insert: spaced(label, text, span.to), ...span, ...(rows > 0 ? { rows } : {}) };
      }),
  ).slice(0, MAX_GUESSES);
}

function valuesAt(
  text: string,
  cursor: number,
  token: Extract<Token, { kind: 'term' }>,
  values: RecordedValues,
): readonly Completion[] {
  const meta = keyMeta(token.key);
  const piece = token.values.findLast(({ offset }) => offset <= cursor);
  if (meta === undefined || piece === undefined) {
    return [];
  }
  const { key } = meta;
  const span = { from: piece.offset, to: piece.offset + piece.length };
  const typed = typedIn(text, piece, cursor);
  const others = new Set(token.values.filter((each) => each !== piece).map((each) => each.text.toLowerCase()));
  const fitting = offered(key, values).filter(
    ({ value }) => value.toLowerCase().includes(typed) && !others.has(value.toLowerCase()),
  );
  const isFirst = ({ value }: RecordedValue) => value.toLowerCase().startsWith(typed);
  return [...fitting.filter(isFirst), ...fitting.filter((each) => !isFirst(each))]
    .slice(0, MAX_ITEMS)
    .map(({ value, rows }): Completion => {
      const insert = spaced(meta.type === 'name' ? quoteValue(value) : value, text, span.to);
      return { kind: 'value', label: value, insert, ...span, ...(rows > 0 ? { rows } : {}) };
    });
}

/** What was typed of a value, without its quote. */
function typedIn(text: string, piece: TextPiece, cursor: number): string {
  return text.slice(piece.offset + (piece.isQuoted ? 1 : 0), Math.max(piece.offset, cursor)).toLowerCase();
}

/** The values that a key may have, the most frequent first. */
function offered(key: FilterKey, values: RecordedValues): readonly RecordedValue[] {
  const meta = keyMeta(key);
  const fixed = meta?.choices ?? SAMPLES[key];
  return fixed === undefined ? values(key) : fixed.map((value) => ({ value, rows: 0 }));
}

/** Of the words of the language their beginnings; names of the recording by any part. */
function isGuess(value: string, typed: string, rows: number): boolean {
  return rows > 0 ? value.includes(typed) : value.startsWith(typed) || value.includes(`_${typed}`);
}

function isOutcome(value: string): boolean {
  return (FILTER_KEYS.outcome.choices as readonly string[]).includes(value);
}

/** A space after what ends a term, unless there is one or a list goes on. */
function spaced(insert: string, text: string, to: number): string {
  return /^[\s,)]/.test(text.slice(to)) ? insert : `${insert} `;
}
