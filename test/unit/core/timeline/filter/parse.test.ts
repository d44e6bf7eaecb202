import { describe, expect, it } from 'vitest';
import { formatText, type TextArgs } from '../../../../../src/base/text.ts';
import type { FilterNode } from '../../../../../src/core/timeline/filter/ast.ts';
import { FILTER_KEYS } from '../../../../../src/core/timeline/filter/keys.ts';
import { MAX_DEPTH, MAX_FILTER_LENGTH, MAX_TERMS } from '../../../../../src/core/timeline/filter/limits.ts';
import { parseFilter } from '../../../../../src/core/timeline/filter/parse.ts';
import { filterTerm, quoteValue } from '../../../../../src/core/timeline/filter/quote.ts';
import { TEXTS } from '../../../../../src/protocol/texts.ts';

/** A node in a few signs: `(a & -b)`, `key=1|2`, `"text"`. */
function told(node: FilterNode): string {
  switch (node.kind) {
    case 'all':
      return `(${node.nodes.map(told).join(' & ')})`;
    case 'any':
      return `(${node.nodes.map(told).join(' | ')})`;
    case 'not':
      return `!${told(node.node)}`;
    case 'text':
      return JSON.stringify(node.text);
    case 'names':
      return `${node.key}=${node.patterns.map(({ pieces }) => pieces.join('*')).join(',')}`;
    case 'choices':
      return `${node.key}=${node.choices.join(',')}`;
    case 'numbers':
      return `${node.key}${node.comparison}${node.values.join(',')}`;
    case 'time':
      return `${node.key} ${'agoUs' in node.at ? `-${node.at.agoUs}` : node.at.wallUs}`;
  }
}

function parsed(text: string): string {
  const result = parseFilter(text);
  return result.kind === 'filter' ? told(result.root) : `error ${result.error.code}`;
}

/** What is wrong: the sentence's code, the place as it stands in the text, and the arguments that matter. */
function wrong(text: string): readonly [string, number, number, TextArgs] | undefined {
  const result = parseFilter(text);
  if (result.kind === 'filter') {
    return undefined;
  }
  const { code, args, offset, length } = result.error;
  expect(TEXTS[code], code).toBeDefined();
  expect(formatText(TEXTS[code] ?? '', args)).not.toMatch(/\{\w+\}/);
  return [code.replace('filter.', ''), offset, length, args];
}

describe('a filter is read', () => {
  it.each([
    ['', '()'],
    ['   ', '()'],
    ['Hello', '"hello"'],
    ['a b', '("a" & "b")'],
    ['a and b', '("a" & "b")'],
    ['a AND b or c', '(("a" & "b") | "c")'],
    ['a or b c', '("a" | ("b" & "c"))'],
    ['(a or b) c', '(("a" | "b") & "c")'],
    ['(a)', '"a"'],
    ['((a))', '"a"'],
    ['(a)(b)', '("a" & "b")'],
    ['-a', '!"a"'],
    ['not a', '!"a"'],
    ['--a', '"a"'],
    ['not not -a', '!"a"'],
    ['-(a or b)', '!("a" | "b")'],
    ['a -b', '("a" & !"b")'],
    ['a-b', '"a-b"'],
    ['a and not b', '("a" & !"b")'],
    ['"or"', '"or"'],
    ['"a b" c', '("a b" & "c")'],
    ['"say \\"hi\\" C:\\\\x \\n"', '"say \\"hi\\" c:\\\\x \\\\n"'],
    ["it's", '"it\'s"'],
    ['a"b', '"a\\"b"'],
    ['""', '""'],
    ['tools/call', '"tools/call"'],
    ['server:github', 'server=github'],
    ['Server:GitHub', 'server=github'],
    ['server=github', 'server=github'],
    ['server!=github', '!server=github'],
    ['-server:github', '!server=github'],
    ['server:a,b,"c d"', 'server=a,b,c d'],
    ['server:a, b', 'error filter.value.missing'],
    ['tool:create_*', 'tool=create_*'],
    ['tool:"create_*"', 'tool=create_*'],
    ['tool:""', 'tool='],
    ['method:tools/call', 'method=tools/call'],
    ['target:file:///etc/hosts', 'target=file:///etc/hosts'],
    ['origin:tap', 'origin=tap'],
    ['outcome:tool_error', 'outcome=tool_error'],
    ['outcome:Tool-Error', 'outcome=tool_error'],
    ['outcome:tool_error,protocol_error', 'outcome=tool_error,protocol_error'],
    ['outcome:*_error', 'outcome=tool_error,silent_error,protocol_error,transport_error'],
    ['outcome:timeout,time*', 'outcome=timeout'],
    ['is:silent has:retry', '(is=silent & has=retry)'],
    ['is:notification', 'is=notification'],
    ['from:server', 'from=server'],
    ['code:-32602', 'code=-32602'],
    ['code:-32602,-32603', 'code=-32602,-32603'],
    ['code>=500', 'code>=500'],
    ['code:<0', 'code<0'],
    ['ms>500', 'ms>500'],
    ['ms > 500', 'ms>500'],
    ['ms>= 1.5s a', '(ms>=1500 & "a")'],
    ['duration<2m', 'ms<120000'],
    ['ms<1h or ms>1d', '(ms<3600000 | ms>86400000)'],
    ['ms', '"ms"'],
    ['ms or a', '("ms" | "a")'],
    ['attempt>1', 'attempt>1'],
    ['attempt!=1', '!attempt=1'],
    ['size>10kb', 'size>10240'],
    ['size<=1.5MB', 'size<=1572864'],
    ['size:100', 'size=100'],
    ['since:10m', 'since -600000000'],
    ['until:2h', 'until -7200000000'],
    ['since:2026-01-31T14:02:08.5Z', `since ${Date.UTC(2026, 0, 31, 14, 2, 8, 500) * 1000}`],
    ['since:"2026-01-31 14:02"', `since ${new Date(2026, 0, 31, 14, 2).getTime() * 1000}`],
    ['since:2026-01-31', `since ${new Date(2026, 0, 31).getTime() * 1000}`],
    ['session:2026-01', 'session=2026-01'],
    ['\u00e4\u00d6 \u{1F600}', '("äö" & "\u{1F600}")'],
  ])('%s', (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  it('with an asterisk in quotes as itself', () => {
    const [bare, quoted] = ['tool:a*', 'tool:"a*"'].map((text) => parseFilter(text));
    expect([bare, quoted]).toEqual([
      { kind: 'filter', root: { kind: 'names', key: 'tool', patterns: [{ pieces: ['a', ''] }] } },
      { kind: 'filter', root: { kind: 'names', key: 'tool', patterns: [{ pieces: ['a*'] }] } },
    ]);
  });
});

describe('what is wrong is told with its place', () => {
  it.each<[string, string, number, number]>([
    ['a (b', 'parenthesis.open', 2, 1],
    ['((a)', 'parenthesis.open', 0, 1],
    ['a )', 'parenthesis.extra', 2, 1],
    [')', 'parenthesis.extra', 0, 1],
    ['a "bc', 'quote.open', 2, 3],
    ['tool:a,"bc', 'quote.open', 7, 3],
    ['"', 'quote.open', 0, 1],
    ['or a', 'term.before', 0, 2],
    ['a or or b', 'term.before', 5, 2],
    ['a or', 'term.after', 2, 2],
    ['a and', 'term.after', 2, 3],
    ['not', 'term.after', 0, 3],
    ['a -', 'term.after', 2, 1],
    ['(', 'term.after', 0, 1],
    ['()', 'term.before', 1, 1],
    ['(a or)', 'term.before', 5, 1],
    ['nokey:x', 'key.unknown', 0, 7],
    ['http://localhost', 'key.unknown', 0, 16],
    ['a sever:x', 'key.meant', 2, 5],
    ['outcomes:timeout', 'key.meant', 0, 8],
    ['metohd:x', 'key.meant', 0, 6],
    ['server:', 'value.missing', 7, 0],
    ['server: github', 'value.missing', 7, 0],
    ['ms>', 'value.missing', 3, 0],
    ['ms > ', 'value.missing', 5, 0],
    ['server:a,', 'value.missing', 9, 0],
    ['server:(a)', 'value.missing', 7, 0],
    ['server>a', 'operator', 6, 1],
    ['outcome <= timeout', 'operator', 8, 2],
    ['since>10m', 'operator', 5, 1],
    ['since!=10m', 'operator', 5, 2],
    ['outcome:timeot', 'value.meant', 8, 6],
    ['outcome:timeout,x', 'value.unknown', 16, 1],
    ['has:tuncated', 'value.meant', 4, 8],
    ['outcome:"*"', 'value.unknown', 8, 3],
    ['is:nothing', 'value.unknown', 3, 7],
    ['has:*x*', 'value.unknown', 4, 3],
    ['code:abc', 'integer', 5, 3],
    ['code:1.5', 'integer', 5, 3],
    ['attempt>two', 'integer', 8, 3],
    ['ms>fast', 'duration', 3, 4],
    ['ms>5 ms>x', 'duration', 8, 1],
    ['ms>5y', 'unit', 3, 2],
    ['size>5s', 'unit', 5, 2],
    ['size>big', 'size', 5, 3],
    ['ms>1,2', 'list', 5, 1],
    ['since:1h,2h', 'list', 9, 2],
    ['since:10', 'time', 6, 2],
    ['since:-10m', 'time', 6, 4],
    ['since:yesterday', 'time', 6, 9],
    ['since:2026-02-30', 'time', 6, 10],
    ['since:2026-01-31T25:00', 'time', 6, 16],
  ])('%s', (text, code, offset, length) => {
    expect(wrong(text)?.slice(0, 3)).toEqual([code, offset, length]);
  });

  it('and with what was meant or is known', () => {
    expect(wrong('sever:x')?.[3]).toEqual({ key: 'sever', meant: 'server' });
    expect(wrong('from:x')?.[3]).toEqual({ key: 'from', value: 'x', known: 'client, server' });
    expect(wrong('outcome:timeot')?.[3]).toEqual({ key: 'outcome', value: 'timeot', meant: 'timeout' });
    expect(wrong('outcome:never')?.[3]).toMatchObject({
      known: 'success, partial, tool_error, silent_error, protocol_error, …',
    });
    expect(wrong('server>=x')?.[3]).toEqual({ key: 'server', operator: '>=' });
  });
});

describe('no filter is too much', () => {
  const parentheses = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;

  it.each<[string, string, string | undefined]>([
    ['as deep as may be', parentheses(MAX_DEPTH), undefined],
    ['deeper', parentheses(MAX_DEPTH + 1), 'tooDeep'],
    ['only parentheses', '('.repeat(MAX_FILTER_LENGTH), 'tooDeep'],
    ['only signs', '-'.repeat(MAX_FILTER_LENGTH), 'term.after'],
    ['many signs', `${'-'.repeat(MAX_FILTER_LENGTH - 1)}a`, undefined],
    ['many words', 'a '.repeat(MAX_TERMS), undefined],
    ['more words', 'a '.repeat(MAX_TERMS + 1), 'tooMany'],
    ['too long', 'a'.repeat(MAX_FILTER_LENGTH + 1), 'tooLong'],
    ['much too long', '('.repeat(1_000_000), 'tooLong'],
    ['a long list', `server:${'a,'.repeat(400)}a`, undefined],
    ['a long pattern', `tool:${'*a'.repeat(400)}`, undefined],
  ])('%s', (_, text, code) => {
    expect(wrong(text)?.[0]).toBe(code);
  });

  it('throws at nothing, and points into the text', () => {
    const signs = ['(', ')', '-', '"', ' ', 'or', 'not', 'ms', '>', ':', ',', '=', '!', 'a', '\\', '*', '\u{1F600}'];
    let state = 7;
    const next = (below: number) => {
      state = (state * 48_271) % 0x7fffffff;
      return state % below;
    };
    for (let round = 0; round < 5000; round += 1) {
      const text = Array.from({ length: next(12) }, () => signs[next(signs.length)]).join('');
      const result = parseFilter(text);
      if (result.kind === 'error') {
        const { offset, length } = result.error;
        expect(offset >= 0 && length >= 0 && offset + length <= text.length, text).toBe(true);
      }
    }
  });
});

describe('a value is quoted where it must be', () => {
  it.each([
    ['github', 'github'],
    ['my files', '"my files"'],
    ['a,b', '"a,b"'],
    ['a(b)', '"a(b)"'],
    ['say "hi"\\', '"say \\"hi\\"\\\\"'],
    ['create_*', '"create_*"'],
    ['', '""'],
    ['file:///x', 'file:///x'],
  ])('%s', (value, expected) => {
    expect(quoteValue(value)).toBe(expected);
    const root = parseFilter(filterTerm('target', [value, 'x']));
    expect(root).toEqual({
      kind: 'filter',
      root: { kind: 'names', key: 'target', patterns: [{ pieces: [value] }, { pieces: ['x'] }] },
    });
  });
});

it('says what each key and word is about', () => {
  for (const key of [...Object.keys(FILTER_KEYS), 'and', 'or', 'not']) {
    expect(TEXTS[`filter.about.${key}`], key).toBeDefined();
  }
});
