import { ROW_KINDS } from '../../../protocol/exchange.ts';
import { MARKS, OUTCOME_KINDS } from '../../../protocol/outcome.ts';

/**
 * What the values of a key are. `name`: a name of the recording, whole, with `*` for any text. `choice`: one of a list.
 * `integer`: a whole number without a unit. `duration` and `size`: a number with a unit, `ms` and `b` where it has none.
 * `time`: a moment, or a duration before now.
 */
export type ValueType = 'name' | 'choice' | 'integer' | 'duration' | 'size' | 'time';

interface KeyMeta {
  readonly type: ValueType;
  readonly choices?: readonly string[];
  /** The key that this one is another word for. */
  readonly same?: string;
}

/** Choices of `is` beside outcomes and kinds of rows. */
export const IS_GROUPS = ['failure', 'silent'] as const;

/** Choices of `has` beside the marks. */
export const HAS_GROUPS = ['retry', 'anomaly'] as const;

/** Every key of the filter language, in the order in which they are offered. `docs/filter.md` tells of each. */
export const FILTER_KEYS = {
  server: { type: 'name' },
  outcome: { type: 'choice', choices: OUTCOME_KINDS },
  tool: { type: 'name' },
  method: { type: 'name' },
  target: { type: 'name' },
  code: { type: 'integer' },
  ms: { type: 'duration' },
  duration: { type: 'duration', same: 'ms' },
  attempt: { type: 'integer' },
  size: { type: 'size' },
  is: { type: 'choice', choices: [...IS_GROUPS, ...OUTCOME_KINDS, ...ROW_KINDS] },
  has: { type: 'choice', choices: [...HAS_GROUPS, ...MARKS] },
  from: { type: 'choice', choices: ['client', 'server'] },
  origin: { type: 'name' },
  session: { type: 'name' },
  since: { type: 'time' },
  until: { type: 'time' },
} as const satisfies Readonly<Record<string, KeyMeta>>;

export type FilterKey = keyof typeof FILTER_KEYS;

/** What is known of a key, or `undefined` when there is no such key. Keys are written in any case. */
export function keyMeta(name: string): (KeyMeta & { readonly key: FilterKey }) | undefined {
  const key = name.toLowerCase();
  return isKey(key) ? { ...FILTER_KEYS[key], key } : undefined;
}

function isKey(name: string): name is FilterKey {
  return Object.hasOwn(FILTER_KEYS, name);
}

/** Words that join terms, unless they are quoted. */
export const KEYWORDS = ['and', 'or', 'not'] as const;

export type Keyword = (typeof KEYWORDS)[number];

/** Operators by the type of the value. `:` is `=`; `!=` is the negation of it. */
export function takesComparison(type: ValueType): boolean {
  return type === 'integer' || type === 'duration' || type === 'size';
}
