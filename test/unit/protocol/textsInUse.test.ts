import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '../../../src/protocol/texts.ts';

const root = path.resolve(import.meta.dirname, '../../../src');

/** All that can say a sentence. */
const source = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.split(path.sep).join('/').startsWith('protocol/texts/'))
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');

const literals = new Set([...source.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, text]) => text ?? ''));
const words = new Set(source.match(/[\w-]+/g));
/** What stands before the first place of a template: `usability.grade.${…}`. */
const beginnings = [...new Set([...source.matchAll(/`([\w.-]*\w\.)\$\{/g)].map(([, text]) => text ?? ''))];

/** Codes that are made from another code. */
const MADE: readonly (readonly [made: RegExp, from: string])[] = [
  [/\.remedy$/, ''],
  [/\.one$/, ''],
  [/OnAttempt$/, ''],
  [/^replay\.confirm\./, 'notIdempotent.'],
];

function isInUse(code: string): boolean {
  if (literals.has(code)) {
    return true;
  }
  if (
    beginnings.some(
      (start) => code.startsWith(start) && wordsOf(code.slice(start.length)).every((one) => words.has(one)),
    )
  ) {
    return true;
  }
  return MADE.some(([made, from]) => made.test(code) && isInUse(code.replace(made, from)));
}

const wordsOf = (text: string) => text.split('.');

describe('the sentences of core and lint', () => {
  it('are all said by somebody', () => {
    expect(Object.keys(TEXTS).filter((code) => !isInUse(code))).toEqual([]);
  });

  it.each(['usability.grade.nobodyHasIt', 'suite.neverWritten', 'connection.neverWritten.remedy', 'nowhere'])(
    'would be missed, such as %s',
    (code) => {
      expect(isInUse(code)).toBe(false);
    },
  );
});
