import { afterAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../../../src/lint/config/config.ts';
import { parseConfig } from '../../../../src/lint/config/parseConfig.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { allFindingsIn, engine } from '../lintText.ts';

afterAll(() => engine.dispose());

const parse = (value: unknown) => parseConfig(value, '/work/shop/');

describe('a configuration', () => {
  it('says how loud a rule is, by code or by name', () => {
    const { config, problems } = parse({ rules: { FL001: 'error', 'stdout-noise': 'off', FL000: 'info' } });
    expect(problems).toEqual([]);
    expect([...config.rules]).toEqual([
      ['FL001', 'error'],
      ['FL008', 'off'],
      ['FL000', 'info'],
    ]);
  });

  it.each<[string, unknown, readonly [string, string][]]>([
    ['not an object', [], [['', 'lint.config.type']]],
    ['a slip in a setting', { rule: {} }, [['/rule', 'lint.config.key']]],
    ['a key that needs escapes', { 'a/b~c': 1 }, [['/a~1b~0c', 'lint.config.key']]],
    ['no such rule', { rules: { FL099: 'off' } }, [['/rules/FL099', 'lint.config.rule']]],
    ['a name that every object has', { rules: { constructor: 'off' } }, [['/rules/constructor', 'lint.config.rule']]],
    ['no such severity', { rules: { FL001: 'loud' } }, [['/rules/FL001', 'lint.config.choice']]],
    ['no such confidence', { confidence: 'some' }, [['/confidence', 'lint.config.choice']]],
    ['patterns that are no list', { include: 'src' }, [['/include', 'lint.config.type']]],
    [
      'a pattern that is none',
      { exclude: ['a', 1, ' '] },
      [
        ['/exclude/1', 'lint.config.glob'],
        ['/exclude/2', 'lint.config.glob'],
      ],
    ],
    ['a pattern without end', { exclude: ['a'.repeat(300)] }, [['/exclude/0', 'lint.config.glob']]],
    ['an override for nothing', { overrides: [{ rules: {} }] }, [['/overrides/0', 'lint.config.files']]],
    [
      'slips in an override',
      { overrides: [{ files: ['a'], rules: { FL001: 1 }, exclude: [] }] },
      [
        ['/overrides/0/exclude', 'lint.config.key'],
        ['/overrides/0/rules/FL001', 'lint.config.choice'],
      ],
    ],
  ])('tells what is wrong: %s', (_, value, expected) => {
    const { problems } = parse(value);
    expect(problems.map(({ pointer, message }) => [pointer, message])).toEqual(expected);
    expect(problems.every(({ message }) => TEXTS[message] !== undefined)).toBe(true);
  });

  it('keeps what is right beside what is wrong', () => {
    const { config } = parse({ rules: { FL001: 'off', FL002: 'loud' }, confidence: 'high', include: [3] });
    expect({ rules: [...config.rules], confidence: config.confidence }).toEqual({
      rules: [['FL001', 'off']],
      confidence: 'high',
    });
  });
});

describe('the files of a configuration', () => {
  const { config } = parse({
    include: ['src/', '*.ts'],
    exclude: ['**/generated', '!src/generated/kept.py', 'test/*.py'],
  });
  it.each<[string, boolean]>([
    ['/work/shop/src/a.py', true],
    ['/work/shop/src/deep/a.py', true],
    ['/work/shop/other/a.py', false],
    ['/work/shop/other/a.ts', true],
    ['/work/shop/src/generated/a.py', false],
    ['\\work\\shop\\src\\a.py', true],
    ['/work/shopping/a.py', true],
    ['/elsewhere/a.py', true],
  ])('%s', (path, expected) => {
    expect(settingsFor(config, path, 'low') !== 'excluded').toBe(expected);
  });
});

describe('the settings of a file', () => {
  const { config } = parse({
    rules: { FL001: 'error', FL010: 'off' },
    confidence: 'high',
    overrides: [
      { files: ['test/**'], rules: { FL001: 'off' }, confidence: 'low' },
      { files: ['test/real/**'], rules: { FL001: 'hint' } },
    ],
  });
  it.each<[string, readonly [string, string][], string]>([
    [
      '/work/shop/a.py',
      [
        ['FL001', 'error'],
        ['FL010', 'off'],
      ],
      'high',
    ],
    [
      '/work/shop/test/a.py',
      [
        ['FL001', 'off'],
        ['FL010', 'off'],
      ],
      'low',
    ],
    [
      '/work/shop/test/real/a.py',
      [
        ['FL001', 'hint'],
        ['FL010', 'off'],
      ],
      'low',
    ],
  ])('%s', (path, severities, confidence) => {
    const settings = settingsFor(config, path, 'medium');
    expect(
      settings === 'excluded' ? settings : { severities: [...settings.severities], confidence: settings.confidence },
    ).toEqual({
      severities,
      confidence,
    });
  });

  it('are those of the caller without one', () => {
    expect(settingsFor(undefined, '/a.py', 'low')).toEqual({ severities: new Map(), confidence: 'low' });
  });
});

describe('the engine', () => {
  const text = 'from fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool\ndef f(x):\n    return "Error: no"\n';

  it('finds what the configuration leaves on, as loud as it says', async () => {
    const { config } = parse({ rules: { FL001: 'hint', FL010: 'off' } });
    const findings = await allFindingsIn('/work/shop/a.py', text, { config });
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['FL001', 'hint']]);
  });

  it('leaves out what the configuration excludes', async () => {
    const { config } = parse({ exclude: ['a.py'] });
    const result = await engine.lint(
      { path: '/work/shop/a.py', text, languageId: 'python' },
      { confidence: 'low', config },
    );
    expect(result).toEqual({ kind: 'skipped', reason: 'excluded' });
  });
});
