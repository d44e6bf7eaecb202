import type { Bundle } from './extract.ts';

/** What is wrong with one translation of one string. */
export interface Flaw {
  readonly key: string;
  readonly flaw: string;
}

/** A translation beside its English: what it lacks, what it has too many, what in it is wrong. */
export interface Comparison {
  readonly missing: Bundle;
  readonly stale: readonly string[];
  readonly flaws: readonly Flaw[];
}

/** Compares a translation with the English strings, by key. */
export function compare(english: Bundle, translation: Bundle): Comparison {
  return {
    missing: Object.fromEntries(Object.entries(english).filter(([key]) => !Object.hasOwn(translation, key))),
    stale: Object.keys(translation).filter((key) => !Object.hasOwn(english, key)),
    flaws: Object.entries(translation).flatMap(([key, text]) => {
      const original = english[key];
      return original === undefined ? [] : flawsOf(original, text).map((flaw) => ({ key, flaw }));
    }),
  };
}

/** What must stand in a translation as it does in the English: places, icons, targets of links, code. */
const KEPT: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'places', pattern: /\{\w+\}/g },
  { what: 'icons', pattern: /\$\([\w~-]+\)/g },
  { what: 'links', pattern: /\]\([^)]*\)/g },
  { what: 'code', pattern: /`[^`]*`/g },
];

/** Marks at an end that a translation has too; German quotes apart, an ending says what kind of text it is. */
const ENDINGS = /(?:…|\.|:|\?|\s)$/;

/** What is wrong with a translation of a string; nothing when it may stand. */
export function flawsOf(english: string, translation: string): readonly string[] {
  const kept = KEPT.flatMap(({ what, pattern }) => {
    const wanted = [...new Set(english.match(pattern) ?? [])].sort().join(' ');
    const found = [...new Set(translation.match(pattern) ?? [])].sort().join(' ');
    return wanted === found ? [] : [`${what}: ${wanted || 'none'} became ${found || 'none'}`];
  });
  const [wanted = '', found = ''] = [english, translation].map((text) => ENDINGS.exec(text)?.[0] ?? '');
  const ending = wanted === found ? [] : [`ends in “${found}”, not in “${wanted}”`];
  const blank = translation.trim() === '' && english.trim() !== '' ? ['is empty'] : [];
  return [...kept, ...ending, ...blank];
}

/** The translation in the order of the English strings, with what was added and without what is stale. */
export function merged(english: Bundle, translation: Bundle, added: Bundle = {}): Bundle {
  const all = { ...translation, ...added };
  return Object.fromEntries(
    Object.keys(english).flatMap((key) => {
      const text = all[key];
      return text === undefined ? [] : [[key, text]];
    }),
  );
}
