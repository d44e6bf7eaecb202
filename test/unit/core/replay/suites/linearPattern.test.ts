import { describe, expect, it } from 'vitest';
import { compileLinear } from '../../../../../src/core/replay/suites/linearPattern.ts';

const found = (source: string, text: string) => {
  const pattern = compileLinear(source);
  return 'problem' in pattern ? pattern.problem : pattern.test(text);
};

const patterns = [
  'a',
  '^a',
  'a$',
  '^$',
  '',
  '.',
  'a.c',
  'a|b|',
  '(?:ab|a)c',
  '(ab)+$',
  '^(a|b)*c$',
  'a?b?c?$',
  'a{2}',
  'a{2,}b',
  '^a{1,3}$',
  'a{0,2}b',
  '[a-c]+x',
  '[^a]b',
  '[\\]\\-]',
  '\\d{3}',
  '^\\w+\\s\\w+$',
  '\\bab\\b',
  'a\\Bb',
  '\\u0041',
  '\\x41',
  '\\u{1F600}',
  '\\p{Lu}',
  '\\.\\*',
  'a+?b',
  'a*?$',
  '(?<name>a)b',
  '\\t|\\n',
  '(?:a|b){2}c',
  '((a))',
  '(?:)*a',
  '(?:a*)*b',
  '[😀-😂]',
];
const texts = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'aab',
  'aaab',
  'ababx',
  'A',
  '😀',
  'x 123 y',
  'foo bar',
  'a]b-',
  'cc',
  'abac',
  '.*',
  'b\n',
  'ac',
  'ab ab',
];

describe('a pattern that is run as an automaton', () => {
  it.each(patterns)('finds what the platform finds: %s', (source) => {
    const own = texts.map((text) => found(source, text));
    expect(own).toEqual(texts.map((text) => new RegExp(source, 'u').test(text)));
  });

  it.each([
    ['(a', /Unterminated group/],
    ['(?=a)', /look-around/],
    ['(?<!a)b', /look-around/],
    ['(a)\\1', /back-references/],
    ['a{501}', /repeats more than 500 times/],
    ['(?:a{400}){400}', /too large/],
    ['('.repeat(60) + ')'.repeat(60), /nested too deep/],
  ])('refuses %s', (source, why) => {
    expect(found(source, 'a')).toMatch(why);
  });

  it('looks at each state once a character, whatever would make others try again and again', () => {
    const text = 'a'.repeat(20_000);
    expect(['^(a+)+$', '^(a|a)*b', '(a*)*c', '^(?:a?){50}a{50}$'].map((source) => found(source, text))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
