import { describe, expect, it } from 'vitest';
import { mismatchesOf, textIn } from '../../../../../src/core/replay/suites/matchers.ts';
import type { Matcher } from '../../../../../src/core/replay/suites/suiteFile.ts';
import { valueAt } from '../../../../../src/protocol/json.ts';
import type { JsonValue } from '../../../../../src/protocol/jsonrpc.ts';

const answer: JsonValue = {
  content: [
    { type: 'text', text: 'Dune costs 12 EUR' },
    { type: 'text', text: 'as of 2026-11-30T10:00:00Z' },
  ],
  structuredContent: {
    'a/b': 1,
    requestId: '9f1c2d3e4f5a6b7c',
    items: [{ id: 1, n: 'x' }, { id: 2, n: 'y' }, 3],
    none: null,
  },
};

const of = (matcher: Matcher, ignore: readonly string[] = []) =>
  mismatchesOf(answer, matcher, ignore).map(({ code, pointer }) => `${code} ${pointer}`.trim());

const items = (value: JsonValue) => ({ at: '/structuredContent/items', subset: value });

const holds: readonly (readonly [name: string, matcher: Matcher, ignore?: readonly string[]])[] = [
  ['the same', { exact: answer }],
  ['the same, members in another order', { at: '/structuredContent/items/0', exact: { n: 'x', id: 1 } }],
  ['equal but for a time', { at: '/content/1/text', equals: 'as of 2020-01-01T00:00:00Z' }],
  ['equal but for a generated id', { at: '/structuredContent/requestId', equals: '0000000000000001' }],
  ['equal but for what is ignored', { at: '/content/0', equals: { type: 'text', text: '?' } }, ['/content/0/text']],
  [
    'equal but for what is ignored in every item',
    {
      at: '/content',
      equals: [
        { type: 'text', text: '?' },
        { type: 'text', text: '!' },
      ],
    },
    ['/content/*/text'],
  ],
  ['ignored from above', { at: '/content/0/text', equals: '?' }, ['/content']],
  ['some members', { at: '/structuredContent', subset: { 'a/b': 1, items: [] } }],
  ['some items in order', items([{ n: 'x' }, 3])],
  ['part of an ignored text', { subset: { content: [{ text: '?' }] } }, ['/content/*/text']],
  ['a text of the blocks', { contains: 'costs 12' }],
  ['a text over two blocks', { contains: 'EUR\nas of' }],
  ['a pattern', { at: '/content/0/text', pattern: '^\\w+ costs \\d+ EUR$' }],
  ['something', { at: '/structuredContent/none', exists: true }],
  ['nothing', { at: '/structuredContent/no', absent: true }],
  ['nothing at an index', { at: '/content/2', absent: true }],
  ['nothing at a bad index', { at: '/content/01', absent: true }],
  ['an escaped step', { at: '/structuredContent/a~1b', type: 'integer' }],
  ['null', { at: '/structuredContent/none', type: 'null' }],
  ['an object', { type: 'object' }],
  ['a list', { at: '/content', type: 'array' }],
];

const fails: readonly (readonly [string, Matcher, readonly string[]])[] = [
  [
    'another time, exactly',
    { at: '/content/1/text', exact: 'as of 2020-01-01T00:00:00Z' },
    ['suite.difference.changed /content/1/text'],
  ],
  [
    'another text',
    { at: '/content/0', equals: { type: 'text', text: 'x' } },
    ['suite.difference.changed /content/0/text'],
  ],
  ['more than there is', { at: '/structuredContent', subset: { x: 1 } }, ['suite.notInSubset /structuredContent/x']],
  ['items in another order', items([3, { n: 'x' }]), ['suite.notInSubset /structuredContent/items/1']],
  [
    'an item that differs: the nearest is told',
    items([{ id: 2, n: 'z' }]),
    ['suite.notInSubset /structuredContent/items/1/n'],
  ],
  [
    'a list where there is none',
    { at: '/structuredContent/none', subset: [] },
    ['suite.notInSubset /structuredContent/none'],
  ],
  ['other text', { contains: 'Solaris' }, ['suite.notContained']],
  ['other pattern', { at: '/content/0/text', pattern: '^costs' }, ['suite.patternNotFound /content/0/text']],
  ['nothing there', { at: '/content/9', exists: true }, ['suite.absent /content/9']],
  ['equal to nothing', { at: '/x', equals: 1 }, ['suite.absent /x']],
  ['what should not be', { at: '/content', absent: true }, ['suite.notAbsent /content']],
  ['another type', { at: '/content/0/text', type: 'number' }, ['suite.otherType /content/0/text']],
  [
    'no inherited member',
    { at: '/structuredContent/constructor', exists: true },
    ['suite.absent /structuredContent/constructor'],
  ],
];

describe('a matcher', () => {
  it.each(holds.map(([name, matcher, ignore = []]) => [name, matcher, ignore] as const))(
    'is content with %s',
    (_, matcher, ignore) => {
      expect(of(matcher, ignore)).toEqual([]);
    },
  );

  it.each(fails)('complains of %s', (_, matcher, expected) => {
    expect(of(matcher)).toEqual(expected);
  });

  it('takes the matcher of lists no longer than their product, within a bound', () => {
    const many = Array.from({ length: 3000 }, (_, index) => index);
    expect(mismatchesOf(many, { subset: many }, [])).toEqual([]);
    expect(mismatchesOf(many, { subset: [-1, ...many] }, [])).toHaveLength(1);
  });

  it('looks for no pattern in a text without end', () => {
    const [first] = mismatchesOf('a'.repeat(1_000_001), { pattern: 'a' }, []);
    expect(first?.code).toBe('suite.textTooLong');
  });

  it('reads texts of answers, messages of errors, and JSON of the rest', () => {
    expect([
      textIn('a'),
      textIn({ code: 1, message: 'no' }),
      textIn({ contents: [{ text: 'b' }] }),
      textIn([1]),
    ]).toEqual(['a', 'no', 'b', '[1]']);
    expect(valueAt([1], '/-')).toBeUndefined();
  });
});
