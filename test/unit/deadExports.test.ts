import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Whoever loads these takes their exports by name from outside: VS Code, vitest, or a test that computes the file's name. */
const ENTRIES = [
  /^src\/extension\.ts$/,
  /\.config\.mts$/,
  /^test\/bench\/\w+\.ts$/,
  /^test\/servers\/\w+\.mjs$/,
  /^test\/vscode\/api\/index\.ts$/,
  /^test\/vscode\/host\/uiSetup\.ts$/,
];

const LEFT_OUT = /(?:^|\/)(?:node_modules|out|fixtures|workspace)\/|\.d\.ts$/;

interface Source {
  readonly text: string;
  readonly exports: readonly { readonly name: string; readonly isType: boolean }[];
  /** Names by the file that they come from; `*` stands for all of it. */
  readonly imports: readonly (readonly [file: string, name: string])[];
  /** Files that are loaded while it runs, and whether by a function whose callers are elsewhere: `() => import('…')`. */
  readonly loads: readonly { readonly file: string; readonly isHandedOn: boolean }[];
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
    .filter((file) => /\.m?[jt]s$/.test(file) && !LEFT_OUT.test(file));
}

function read(file: string, text: string): Source {
  const from = (target: string) => path.posix.join(path.posix.dirname(file), target);
  const { module } = parseSync(file, text);
  const imports: (readonly [string, string])[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName } of entries) {
      imports.push([from(moduleRequest.value), importName.name ?? '*']);
    }
  }
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, moduleRequest, importName, isType }) => {
      if (moduleRequest !== null) {
        imports.push([from(moduleRequest.value), importName.name ?? '*']);
      }
      return exportName.name === null ? [] : [{ name: exportName.name, isType }];
    }),
  );
  const loads = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const literal = /^['"](\..+)['"]$/.exec(text.slice(moduleRequest.start, moduleRequest.end).trim())?.[1];
    const isHandedOn = text.slice(0, start).trimEnd().endsWith('=>');
    return literal === undefined ? [] : [{ file: from(literal), isHandedOn }];
  });
  return { text, exports, imports, loads };
}

const countOf = (name: string, text: string) =>
  text.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length - 1;

/**
 * Exports that nothing needs. A value must be imported by another file, and by more than tests when its own file has no use
 * for it. A type may be there for the signature of another export; it is dead when nothing names it at all.
 */
function deadExports(sources: ReadonlyMap<string, Source>): readonly string[] {
  const users = new Map<string, string[]>();
  const use = (file: string, name: string, by: string) => {
    const key = `${file} ${name}`;
    users.set(key, [...(users.get(key) ?? []), by]);
  };
  for (const [by, { imports, loads }] of sources) {
    for (const [file, name] of imports) {
      use(file, name, by);
    }
    for (const { file, isHandedOn } of loads) {
      // What is exported is looked for by its name in the text.
      for (const user of isHandedOn ? sources.keys() : [by]) {
        if (user !== file) {
          use(file, '(loaded)', user);
        }
      }
    }
  }
  return [...sources].flatMap(([file, { exports, text }]) =>
    ENTRIES.some((entry) => entry.test(file))
      ? []
      : exports.flatMap(({ name, isType }) => {
          const loaders = (users.get(`${file} (loaded)`) ?? []).filter(
            (by) => countOf(name, sources.get(by)?.text ?? '') > 0,
          );
          const by = [...(users.get(`${file} ${name}`) ?? []), ...(users.get(`${file} *`) ?? []), ...loaders];
          const isUsedHere = countOf(name, text) > 1;
          const isForTests = !file.startsWith('test/') && by.every((user) => user.startsWith('test/'));
          const isDead = by.length === 0 ? !(isType && isUsedHere) : isForTests && !isUsedHere;
          return isDead ? [`${file}: ${name}`] : [];
        }),
  );
}

describe('exports', () => {
  it('are all needed by somebody', () => {
    const files = ['src', 'webview', 'test'].flatMap(sourcesIn);
    expect(files.length).toBeGreaterThan(1000);
    const sources = new Map(files.map((file) => [file, read(file, readFileSync(path.join(root, file), 'utf8'))]));
    expect(deadExports(sources)).toEqual([]);
  });

  it.each([
    [{ 'src/a.ts': 'export const x = 1;' }, ['src/a.ts: x']],
    [{ 'src/a.ts': 'export const x = 1;', 'src/b.ts': "import { x } from './a.ts';" }, []],
    [{ 'src/a.ts': 'export const x = 1;', 'src/b.ts': "import * as a from './a.ts';" }, []],
    [{ 'src/a.ts': 'export const x = 1;', 'src/b.ts': "const { x } = await import('./a.ts');" }, []],
    [{ 'src/a.ts': 'export const x = 1;', 'src/b.ts': "const { y } = await import('./a.ts');" }, ['src/a.ts: x']],
    [{ 'src/a.ts': 'export const x = 1;', 'test/a.test.ts': "import { x } from '../src/a.ts';" }, ['src/a.ts: x']],
    [{ 'src/a.ts': 'export const x = 1; void x;', 'test/a.test.ts': "import { x } from '../src/a.ts';" }, []],
    [{ 'src/a.ts': 'export const x = 1;', 'src/b.ts': "f(() => import('./a.ts'))", 'src/c.ts': 'f.x' }, []],
    [{ 'test/a.ts': 'export const x = 1;', 'test/a.test.ts': "import { x } from './a.ts';" }, []],
    [{ 'src/a.ts': 'export interface X {} export type Y = X;' }, ['src/a.ts: Y']],
    [{ 'src/extension.ts': 'export function activate() {}' }, []],
  ])('are judged by who names them, %#', (texts, dead) => {
    const sources = new Map(Object.entries(texts).map(([file, text]) => [file, read(file, text)]));
    expect(deadExports(sources)).toEqual(dead);
  });
});
