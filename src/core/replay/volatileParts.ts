import { wordsOf } from '../../base/words.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { jsonWithin } from './jsonWithin.ts';

/** Why a value may differ from one answer to the next although nothing is different. */
export type VolatileKind = 'id' | 'timestamp' | 'duration' | 'cursor' | 'token';

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const TIME_OF_DAY = String.raw`\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?`;
const DATE_TIME = String.raw`\d{4}-\d{2}-\d{2}[T ]${TIME_OF_DAY}(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?`;
const HTTP_DATE = String.raw`[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT`;
const AMOUNT = String.raw`\d{1,12}(?:\.\d{1,9})? ?(?:ms|[µμu]s|ns|s|secs?|seconds?|milliseconds?|mins?|minutes?)`;

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`);
const IS_UUID = whole(UUID);
/** 26 characters of Crockford's base 32 (https://github.com/ulid/spec). */
const IS_ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const IS_HEX = /^(?:0x)?[0-9a-f]{12,128}$/i;
const IS_DATE_TIME = whole(`${DATE_TIME}|${HTTP_DATE}`);
const IS_DATE = /^\d{4}-\d{2}-\d{2}$/;
const IS_AMOUNT = whole(AMOUNT);

/** What a running text says of its moment; every part of it is bounded, so that no text takes long. */
const IN_TEXT: readonly (readonly [VolatileKind, RegExp])[] = [
  ['id', new RegExp(String.raw`(?<!\w)${UUID}(?!\w)`, 'g')],
  [
    'timestamp',
    new RegExp(String.raw`(?<!\w)(?:${DATE_TIME}|${HTTP_DATE}|\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?)(?!\w)`, 'g'),
  ],
  ['duration', new RegExp(String.raw`(?<![\w.])${AMOUNT}(?!\w)`, 'g')],
];

const TIME_WORDS = new Set(
  'at time timestamp date datetime when created updated modified expires expiry expiration now ts started finished ended'.split(
    ' ',
  ),
);
const DURATION_WORDS = new Set('duration elapsed took latency uptime runtime'.split(' '));
const UNIT_WORDS = new Set('ms millis milliseconds us micros microseconds ns nanos nanoseconds'.split(' '));
/** What is measured in the same units and is a choice, not a measurement. */
const CHOICE_WORDS = new Set('timeout limit delay interval max min ttl retry threshold budget'.split(' '));
const TOKEN_WORDS = new Set('token nonce etag signature csrf jwt ticket challenge'.split(' '));
const CURSOR_NAMES = /(?:^| )(?:cursor|continuation|continuation token|page token)$/;
const ID_NAMES =
  /(?:^| )(?:(?:request|trace|span|session|correlation|run|job|task|transaction|event|execution|invocation|call|operation) id|uuid|guid|ulid)$/;

/** Seconds, milli- or microseconds since the epoch, of the years 2001 to 2100. */
function isEpoch(value: number): boolean {
  return [1e9, 1e12, 1e15].some((unit) => value >= unit && value < unit * 4.1);
}

/**
 * What the value of the member `name` is of what changes by itself, or `undefined`: precision first, since a difference
 * that is taken for volatile may be hidden. A plain number called `id` is none: another number is another thing.
 */
function volatileKind(name: string | undefined, value: JsonValue): VolatileKind | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return undefined;
  }
  const words = name === undefined ? [] : wordsOf(name);
  return byName(words, value) ?? byShape(value);
}

function byName(words: readonly string[], value: string | number): VolatileKind | undefined {
  const last = words.at(-1) ?? '';
  const phrase = words.join(' ');
  if (CURSOR_NAMES.test(phrase) && typeof value === 'string') {
    return 'cursor';
  }
  if (TOKEN_WORDS.has(last) && (typeof value === 'string' || words.includes('progress'))) {
    return 'token';
  }
  if (ID_NAMES.test(phrase)) {
    return 'id';
  }
  if ((last === 'id' || last === 'ref') && typeof value === 'string' && IS_HEX.test(value) && /\d/.test(value)) {
    return 'id';
  }
  if (TIME_WORDS.has(last) && (typeof value === 'number' ? isEpoch(value) : IS_DATE.test(value))) {
    return 'timestamp';
  }
  const isMeasured =
    words.some((word) => DURATION_WORDS.has(word)) ||
    (UNIT_WORDS.has(last) && !words.some((word) => CHOICE_WORDS.has(word)));
  return isMeasured && (typeof value === 'number' || IS_AMOUNT.test(value)) ? 'duration' : undefined;
}

function byShape(value: string | number): VolatileKind | undefined {
  if (typeof value !== 'string' || value.length > 64) {
    return undefined;
  }
  if (IS_UUID.test(value) || IS_ULID.test(value)) {
    return 'id';
  }
  return IS_DATE_TIME.test(value) ? 'timestamp' : undefined;
}

/**
 * Why two values of the member `name` differ without meaning anything, or `undefined` when the difference may mean
 * something. Texts that differ in nothing but the times, durations and UUIDs within them count as well.
 */
export function volatileDifference(
  name: string | undefined,
  before: JsonValue,
  after: JsonValue,
): VolatileKind | undefined {
  const kind = volatileKind(name, before);
  if (kind !== undefined && kind === volatileKind(name, after)) {
    return kind;
  }
  if (typeof before !== 'string' || typeof after !== 'string') {
    return undefined;
  }
  const masked = maskVolatile(before);
  return masked.kind !== undefined && masked.text === maskVolatile(after).text ? masked.kind : undefined;
}

/** A text with what changes by itself replaced, and the first kind of it; linear in the text. */
function maskVolatile(text: string): { readonly text: string; readonly kind: VolatileKind | undefined } {
  let masked = text;
  let found: VolatileKind | undefined;
  for (const [kind, pattern] of IN_TEXT) {
    const next = masked.replace(pattern, `<${kind}>`);
    found ??= next === masked ? undefined : kind;
    masked = next;
  }
  return { text: masked, kind: found };
}

/**
 * Does a value say something that changes by itself? A text also counts by what it says in passing and, where it is
 * JSON, by what is in that.
 */
export function isVolatile(name: string | undefined, value: JsonValue): boolean {
  if (volatileKind(name, value) !== undefined) {
    return true;
  }
  if (typeof value !== 'string') {
    return false;
  }
  const within = jsonWithin(value);
  return within === undefined ? maskVolatile(value).kind !== undefined : holdsVolatile(within, 0);
}

const MAX_DEPTH = 100;

function holdsVolatile(value: JsonValue, depth: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    depth < MAX_DEPTH &&
    Object.entries(value).some(([name, item]) => isVolatile(name, item) || holdsVolatile(item, depth + 1))
  );
}
