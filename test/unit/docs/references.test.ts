import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS, MARKS, OUTCOME_KINDS, type OutcomeKind } from '../../../src/protocol/outcome.ts';
import { logTexts } from '../../../src/protocol/texts/log.ts';
import { root } from '../../tools/docs/manifest.ts';
import { importRules } from '../importTable.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The cells of all rows of tables whose first cell is code. */
function rowsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = [...page.matchAll(/^\| `([\w.]+)`.*$/gm)];
  return new Map(rows.map(([row, name = '']) => [name, row.split('|').map((cell) => cell.trim())]));
}

describe('the reference of outcomes', () => {
  const page = read('docs/outcomes.md');

  it('has a row for each outcome, in their order, and says of each whether it is a failure', () => {
    const rows = rowsOf(page);
    const outcomes = OUTCOME_KINDS.map((kind): [OutcomeKind, boolean] => [kind, FAILURE_KINDS.has(kind)]);
    const told = [...rows].flatMap(([name, cells]) =>
      (OUTCOME_KINDS as readonly string[]).includes(name) ? [[name, cells[4] === 'yes']] : [],
    );
    expect(told).toEqual(outcomes);
  });

  it('tells each class of repeating', () => {
    expect([...rowsOf(page).keys()].filter((name) => !(OUTCOME_KINDS as readonly string[]).includes(name))).toEqual([
      'never',
      'safe',
      'only_if_idempotent',
      'after_fix',
    ]);
  });

  it('tells each mark', () => {
    const [, marks = ''] = page.split('## Marks');
    const section = (marks.split('\n## ')[0] ?? '').replaceAll(/\s+/g, ' ');
    expect(MARKS.filter((mark) => !section.includes(`**${mark.replaceAll('_', ' ')}**`))).toEqual([]);
  });
});

describe('the page of troubles', () => {
  const page = read('docs/troubleshooting.md');

  it('has every code of an error that a person is told of, and no other', () => {
    const codes = [...read('src/host/userError.ts').matchAll(/code: '(FAULTLINE_\w+)'/g)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(20);
    const told = [...page.matchAll(/`(FAULTLINE_\w+)`/g)].map(([, code]) => code);
    expect([...new Set(told)].sort()).toEqual(codes.sort());
  });

  it('quotes of each what it says', () => {
    const factories = read('src/host/userError.ts').split(/^ {2}\w+: \(/m);
    const rows = rowsOf(page);
    const wrong = factories.flatMap((factory) => {
      const [, code = ''] = /code: '(FAULTLINE_\w+)'/.exec(factory) ?? [];
      // What else is said is the reason of the case, whatever it is.
      const isOwnText = factory.includes('l10n.t(') && code !== '';
      const [, quote] = /"(?:… )?(.+)"/.exec(rows.get(code)?.[2] ?? '') ?? [];
      return isOwnText && !(quote !== undefined && factory.includes(quote)) ? [`${code}: ${quote}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('has every reason why nothing is kept', () => {
    const codes = Object.keys(logTexts).filter((code) => /^log\.(memory|tap)\./.test(code));
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});

describe('the page of the architecture', () => {
  const page = read('docs/architecture.md');

  it('has a row for each folder of the import table, and no other', () => {
    const told = [...page.matchAll(/^\| `((?:src|webview)[\w./]*)`/gm)].map(([, folder]) => folder);
    expect(told).toEqual(importRules.map(({ from }) => from));
  });

  it('draws no folder that is not there', () => {
    const drawn = [...page.matchAll(/^((?: {2})*)([\w-]+)\/ /gm)];
    expect(drawn.length).toBeGreaterThan(20);
    const parents: string[] = [];
    const missing = drawn.flatMap(([, indent = '', name = '']) => {
      parents.splice(indent.length / 2, parents.length, name);
      const folder = parents.join('/');
      return isFolder(folder) ? [] : [folder];
    });
    expect(missing).toEqual([]);
  });

  it('draws every folder of the source', () => {
    const names = ['src', 'src/core'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
    );
    expect(names.map(({ name }) => name).filter((name) => !new RegExp(`^ +${name}/ `, 'm').test(page))).toEqual([]);
  });
});

function isFolder(folder: string): boolean {
  try {
    return readdirSync(path.join(root, folder)).length > 0;
  } catch {
    return false;
  }
}
