import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { type ImportRule, importRules } from './importTable.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Import {
  readonly target: string;
  readonly isTypeOnly: boolean;
}

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')));
}

/** Every import of a file: static, re-exported and dynamic. A dynamic import must name a literal. */
function importsOf(file: string, text: string): Import[] {
  const { module } = parseSync(file, text);
  const found: Import[] = module.staticImports.map((statement) => ({
    target: statement.moduleRequest.value,
    isTypeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }));
  for (const statement of module.staticExports) {
    for (const entry of statement.entries) {
      if (entry.moduleRequest !== null) {
        found.push({ target: entry.moduleRequest.value, isTypeOnly: entry.isType });
      }
    }
  }
  for (const dynamic of module.dynamicImports) {
    const literal = /^\s*['"]([^'"]+)['"]\s*$/.exec(text.slice(dynamic.moduleRequest.start, dynamic.moduleRequest.end));
    found.push({ target: literal?.[1] ?? '(computed)', isTypeOnly: false });
  }
  return found;
}

function nameOf(file: string, target: string): string {
  if (target.startsWith('.')) {
    return path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
  }
  if (target.startsWith('node:')) {
    return 'node';
  }
  return target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : (target.split('/')[0] ?? target);
}

const isWithin = (name: string, entry: string) => name === entry || name.startsWith(`${entry}/`);

/** The imports of `file` that the table does not list, as sentences. */
function violations(file: string, text: string, rules: readonly ImportRule[]): string[] {
  const rule = rules.find((candidate) => isWithin(file, candidate.from));
  if (rule === undefined) {
    return [`${file}: no rule says what it may import`];
  }
  return importsOf(file, text)
    .map(({ target, isTypeOnly }) => ({ name: nameOf(file, target), isTypeOnly }))
    .filter(({ name }) => !isWithin(name, rule.from))
    .filter(({ name, isTypeOnly }) => {
      const allowed = isTypeOnly ? [...rule.may, ...(rule.types ?? [])] : rule.may;
      return !allowed.some((entry) => isWithin(name, entry));
    })
    .map(({ name }) => `${file} imports ${name}`);
}

describe('the import table', () => {
  it('lists every import of src and webview', () => {
    const files = [...sources('src'), ...sources('webview')];
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap((file) => violations(file, readFileSync(path.join(root, file), 'utf8'), importRules))).toEqual(
      [],
    );
  });

  it.each([
    ['src/core/log/a.ts', "import * as vscode from 'vscode';", ['src/core/log/a.ts imports vscode']],
    ['src/core/classify/a.ts', "import { readFileSync } from 'node:fs';", ['src/core/classify/a.ts imports node']],
    [
      'src/core/classify/a.ts',
      "export { x } from '../log/x.ts';",
      ['src/core/classify/a.ts imports src/core/log/x.ts'],
    ],
    ['src/core/log/a.ts', "const x = await import('undici');", ['src/core/log/a.ts imports undici']],
    ['webview/a.ts', "import type { RowView } from '../src/protocol/timelineViews.ts';", []],
    [
      'webview/a.ts',
      "import { MARKS } from '../src/protocol/outcome.ts';",
      ['webview/a.ts imports src/protocol/outcome.ts'],
    ],
    ['src/host/a.ts', "import { x } from './b.ts'; import * as vscode from 'vscode';", []],
  ])('judges %s with %s', (file, text, expected) => {
    expect(violations(file, text, importRules)).toEqual(expected);
  });
});
