import { describe, expect, it } from 'vitest';
import { compare, flawsOf, merged } from '../../tools/l10n/compare.ts';
import { extracted, unreadableIn } from '../../tools/l10n/extract.ts';

describe('extracting', () => {
  it('finds short and full calls, and leaves other functions alone', async () => {
    const short = [
      "import * as vscode from 'vscode';",
      'const { t } = vscode.l10n;',
      "const a = t('{0} up', 1);",
      "const b = set('no string', t(\n  'of two lines',\n));",
      'const c = t("the \\"quoted\\"");',
    ].join('\n');
    const full = "import * as vscode from 'vscode';\nvscode.l10n.t('Open {0}', name);\nother.t('not ours');";
    expect([...(await extracted([short, full]))].sort()).toEqual([
      'Open {0}',
      'of two lines',
      'the "quoted"',
      '{0} up',
    ]);
  });

  it.each([
    ['a variable', 't(name)', 1],
    ['a choice', "t(isOne ? 'one' : 'many')", 1],
    ['a sum', "t('one' + 'two')", 1],
    ['a template', 't(`one`)', 1],
    ['a literal', "t('one', two)", 0],
    ['a literal on the next line', "t(\n  'one',\n  two)", 0],
    ['an escaped quote', "t('it\\'s')", 0],
  ])('tells of %s what it cannot read', (_name, call, count) => {
    expect(unreadableIn('a.ts', `const { t } = vscode.l10n;\nconst x = ${call};`)).toHaveLength(count);
  });
});

describe('flawsOf', () => {
  it.each([
    ['the same places in another order', '{0} of {1}', 'von {1} sind {0}', []],
    ['a lost place', '{0} of {1}', 'alle {0}', ['places: {0} {1} became {0}']],
    ['a renamed place', 'for {tool}', 'für {werkzeug}', ['places: {tool} became {werkzeug}']],
    ['a lost icon', '$(error) MCP', 'MCP', ['icons: $(error) became none']],
    [
      'a translated command',
      '[Run](command:a.b)',
      '[Los](command:a.c)',
      ['links: ](command:a.b) became ](command:a.c)'],
    ],
    ['translated code', 'set `isError`', 'setze `istFehler`', ['code: `isError` became `istFehler`']],
    ['a lost ellipsis', 'Open…', 'Öffnen', ['ends in “”, not in “…”']],
    ['nothing', 'Open', ' ', ['ends in “ ”, not in “”', 'is empty']],
  ])('%s', (_name, english, german, flaws) => {
    expect(flawsOf(english, german)).toEqual(flaws);
  });
});

describe('a translation', () => {
  const english = { 'Run {0}': 'Run {0}', Stop: 'Stop' };

  it('is compared by key', () => {
    expect(compare(english, { Stop: 'Halt', Gone: 'Weg' })).toEqual({
      missing: { 'Run {0}': 'Run {0}' },
      stale: ['Gone'],
      flaws: [],
    });
    expect(compare(english, { 'Run {0}': 'Los', Stop: 'Halt' }).flaws).toEqual([
      { key: 'Run {0}', flaw: 'places: {0} became none' },
    ]);
  });

  it('is brought up to date in the order of the English', () => {
    const translation = merged(english, { Stop: 'Halt', Gone: 'Weg' }, { 'Run {0}': '{0} los' });
    expect(Object.entries(translation)).toEqual([
      ['Run {0}', '{0} los'],
      ['Stop', 'Halt'],
    ]);
  });
});
