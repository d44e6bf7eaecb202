import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/lint/config/parseConfig.ts';
import { applyFix } from './applyFix.ts';
import { allFindingsIn, engine } from './lintText.ts';

afterAll(() => engine.dispose());

/** A tool whose two returns are findings of FL001, on lines 6 and 7, with comments around them. */
const tool = (first: string, second = '', end = '') =>
  `from fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool(annotations={})\ndef f(x):\n${first}    if x:\n        return "Error: one"\n${second}    return "Error: two"\n${end}`;

const found = async (text: string, options = {}) =>
  (await allFindingsIn('a.py', text, options)).map(({ rule, range }) => `${rule} ${range.startLine + 1}`);

describe('suppressions', () => {
  it.each<[string, string, readonly string[]]>([
    ['none', tool(''), ['FL001 6', 'FL001 7']],
    ['the next line', tool('', '    # faultline-disable-next-line FL001 -- a test\n'), ['FL001 6']],
    ['this line', tool('').replace('"Error: two"', '"Error: two"  # faultline-disable-line FL001'), ['FL001 6']],
    ['the file', tool('', '', '# faultline-disable-file FL001\n'), []],
    ['every rule of the next line', tool('', '    # faultline-disable-next-line\n'), ['FL001 6']],
    ['from here to the end', tool('', '    # faultline-disable FL001\n'), ['FL001 6']],
    ['from here to there', tool('    # faultline-disable FL001\n', '    # faultline-enable FL001\n'), ['FL001 9']],
    ['from here to there, all rules', tool('    # faultline-disable\n', '    # faultline-enable\n'), ['FL001 9']],
    [
      'a block that another rule ends not',
      tool('    # faultline-disable FL001\n', '    # faultline-enable FL002\n'),
      [],
    ],
    [
      'a block of two, of which one ends',
      tool('    # faultline-disable FL001, FL002\n', '    # faultline-enable FL001\n'),
      ['FL000 5', 'FL001 9'],
    ],
    ['a block from the first line', `# faultline-disable\n${tool('', '    # faultline-enable\n')}`, ['FL001 9']],
    ['words in a text', tool('    s = "faultline-disable-file FL001"\n'), ['FL001 7', 'FL001 8']],
    ['another word', tool('    # faultline-disabled FL001\n'), ['FL001 7', 'FL001 8']],
  ])('%s', async (_, text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  it('works in the comments of other languages', async () => {
    const text =
      'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst s = new McpServer({});\n/* faultline-disable FL001 */\ns.tool("f", "does", {}, { readOnlyHint: true }, () => ({ content: [{ type: "text", text: "Error: no" }] }));\n';
    expect(await allFindingsIn('a.ts', text)).toEqual([]);
  });
});

describe('suppressions of nothing', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a rule that finds nothing there',
      tool('    # faultline-disable-next-line FL004\n'),
      ['FL000 5', 'FL001 7', 'FL001 8'],
    ],
    [
      'all rules, none of which finds anything',
      tool('    # faultline-disable-next-line\n'),
      ['FL000 5', 'FL001 7', 'FL001 8'],
    ],
    ['a rule that does not exist', tool('', '    # faultline-disable-next-line FL001 FL099\n'), ['FL001 6', 'FL000 7']],
    ['a whole file without any', `# faultline-disable-file\n${tool('').replaceAll('Error: ', '')}`, ['FL000 1']],
    [
      'that is itself switched off',
      tool('    # faultline-disable-next-line FL004\n', '', '# faultline-disable-file FL000\n'),
      ['FL001 7', 'FL001 8'],
    ],
    ['a file without it', tool('', '', '# faultline-disable-file FL014\n'), ['FL001 6', 'FL001 7', 'FL000 8']],
  ])('%s', async (_, text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  it('are left alone when their rule is off', async () => {
    const { config } = parseConfig({ rules: { FL001: 'off' } }, '/w');
    expect(await found(tool('', '    # faultline-disable-next-line FL001\n'), { config })).toEqual([]);
  });

  it('are of use against findings that the confidence hides', async () => {
    const text = tool('', '    # faultline-disable-next-line FL001\n');
    expect(await found(text, { confidence: 'high' })).toEqual(['FL001 6']);
  });

  it.each<[string, string, string]>([
    ['a comment on a line of its own', tool('    # faultline-disable-next-line FL004 -- why\n'), tool('')],
    ['a comment after code', tool('').replace('if x:', 'if x:  # faultline-disable-line FL004'), tool('')],
    [
      'one of two codes',
      tool('', '    # faultline-disable-next-line FL001, FL004 -- why\n'),
      tool('', '    # faultline-disable-next-line FL001 -- why\n'),
    ],
  ])('are taken away: %s', async (_, text, expected) => {
    const finding = (await allFindingsIn('a.py', text)).find(({ rule }) => rule === 'FL000');
    const [fix] = finding?.fixes ?? [];
    expect(fix === undefined ? '' : applyFix(text, fix)).toBe(expected);
    expect(fix?.isSafe).toBe(true);
  });
});
