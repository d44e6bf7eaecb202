import type { TextArgs } from '../../../base/text.ts';
import type { FilterKey } from './keys.ts';

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** A name to compare with: whole and without regard to case. `pieces` are what stands between its asterisks. */
export interface NamePattern {
  readonly pieces: readonly string[];
}

/** A parsed filter. Its depth is bounded by the parser, so that whoever walks it may recurse. */
export type FilterNode =
  | { readonly kind: 'all' | 'any'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly node: FilterNode }
  /** In lower case; sought in names and in messages. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'names'; readonly key: FilterKey; readonly patterns: readonly NamePattern[] }
  | { readonly kind: 'choices'; readonly key: FilterKey; readonly choices: readonly string[] }
  /** Any of the values; durations are in ms, sizes in bytes. */
  | {
      readonly kind: 'numbers';
      readonly key: FilterKey;
      readonly comparison: Comparison;
      readonly values: readonly number[];
    }
  /** Starts at this moment or later (`since`), or before it (`until`), µs; `agoUs` counts back from now. */
  | { readonly kind: 'time'; readonly key: 'since' | 'until'; readonly at: { agoUs: number } | { wallUs: number } };

/** What is wrong with a filter: a sentence of `protocol/texts/filter.ts`, and its place in UTF-16 code units. */
export interface FilterError {
  readonly code: string;
  readonly args: TextArgs;
  readonly offset: number;
  /** 0 where something is missing. */
  readonly length: number;
}

export type ParsedFilter =
  | { readonly kind: 'filter'; readonly root: FilterNode }
  | { readonly kind: 'error'; readonly error: FilterError };
