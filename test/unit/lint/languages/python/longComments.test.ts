import { afterAll, describe, expect, it } from 'vitest';
import { blankLongComments } from '../../../../../src/lint/languages/python/longComments.ts';
import { engine, linesIn } from '../../lintText.ts';

afterAll(() => engine.dispose());

const COUNT = 8000;
const comments = (count: number, line = '    # a comment\n') => line.repeat(count);
const around = (middle: string) => `def f():\n    x = 1\n${middle}    return x\n`;

describe('blankLongComments', () => {
  it.each([
    ['indented comments', comments(COUNT)],
    ['comments at the margin', comments(COUNT, '# a comment\n')],
    ['comments with CRLF', comments(COUNT, '\t# a comment\r\n')],
    ['comments between blank lines', comments(COUNT, '    # a\n\n \t\n')],
    ['comments with quotes', comments(COUNT, `    # it's """ and '''\n`)],
    ['comments beyond ASCII', comments(COUNT, '    # \u{1f4a5} \u{9519}\n')],
    ['lone backslashes', comments(COUNT, '\\\n')],
    ['one very long comment', `    # ${'x'.repeat(5000)}\n`],
  ])('blanks %s and moves nothing', (_, middle) => {
    expect(blankLongComments(around(middle))).toBe(around(`${' '.repeat(middle.length - 1)}\n`));
  });

  it.each([
    ['a few comments', around(comments(60))],
    ['many comments with code between', around(`${comments(60)}    x = 2\n`.repeat(100))],
    ['comments behind code', around(comments(COUNT, '    x = 1  # a comment\n'))],
    ['strings of such lines', around(`    y = """\n${comments(COUNT)}"""\n`)],
    ['strings in the other quotes', around(`    y = r'''\\'''\n${comments(COUNT)}" """ '''\n`)],
    ['strings that hold the other quotes', around(`    y = """ ''' " \\""" '\n${comments(COUNT)}"""\n`)],
    ['an empty text', ''],
  ])('leaves %s alone', (_, text) => {
    expect(blankLongComments(text)).toBe(text);
  });

  it.each([
    ['a string', '    y = "# \\" \'\'\'"\n'],
    ['an open string', '    y = "it\n'],
    ['an empty string', '    y = "" + \'\'\n'],
    ['a long string', '    y = """a " b\n# c\n"""\n'],
    ['a comment with quotes', '    y = 1  # """\n'],
  ])('blanks comments behind %s', (_, before) => {
    expect(blankLongComments(around(before + comments(COUNT)))).not.toContain('# a comment');
  });

  it('blanks up to the end of a text without a last line break', () => {
    expect(blankLongComments(`x = 1\n${comments(COUNT)}# end`)).toBe(`x = 1\n${' '.repeat(COUNT * 16 + 5)}`);
  });
});

describe('thousands of comments in a row', () => {
  const tool = (message: string) => `@mcp.tool\ndef f(a: str) -> str:\n    return "Error: ${message}"\n`;
  const head = 'from fastmcp import FastMCP\nmcp = FastMCP("x")\n';

  it('cost no line of a finding and switch off what they name', async () => {
    const text = `${head}${tool('1')}${comments(COUNT)}    # faultline-disable FL001\n${tool('2')}${comments(COUNT)}    # faultline-enable FL001\n${tool('3')}`;
    expect(await linesIn('a.py', text)).toEqual([5, 2 * COUNT + 13]);
  });
});
