import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Language, Parser, Query } from 'web-tree-sitter';

/** A pattern of the sources: where it stands, and what it is. */
export interface OwnPattern {
  /** Path from the top of the repository. */
  readonly file: string;
  readonly line: number;
  readonly regex: RegExp;
}

export const ROOT = path.resolve(import.meta.dirname, '../../../..');

/** TypeScript files below the folders, from the top of the repository, in order. */
export function sourceFiles(...folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .toSorted();
}

/** Every regular expression literal of the files. */
export async function literalPatterns(files: readonly string[]): Promise<readonly OwnPattern[]> {
  await Parser.init();
  const wasm = 'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm';
  const language = await Language.load(path.join(ROOT, wasm));
  const parser = new Parser();
  parser.setLanguage(language);
  const query = new Query(language, '(regex) @regex');
  const found: OwnPattern[] = [];
  for (const file of files) {
    const tree = parser.parse(readFileSync(path.join(ROOT, file), 'utf8'));
    for (const { node } of tree === null ? [] : query.captures(tree.rootNode)) {
      const source = node.childForFieldName('pattern')?.text ?? '';
      const flags = node.childForFieldName('flags')?.text ?? '';
      found.push({ file, line: node.startPosition.row + 1, regex: new RegExp(source, flags) });
    }
    tree?.delete();
  }
  query.delete();
  parser.delete();
  return found;
}

/** Patterns that modules put together while they are loaded. */
export async function composedPatterns(files: readonly string[]): Promise<readonly OwnPattern[]> {
  const found: OwnPattern[] = [];
  const real = globalThis.RegExp;
  globalThis.RegExp = new Proxy(real, {
    construct: (target, args: [string | RegExp, string?]) => {
      const regex = new target(...args);
      const [, file, line] = /((?:src|webview)\/[\w/]+\.ts)[^:]*:(\d+)/.exec(new Error().stack ?? '') ?? [];
      if (file !== undefined) {
        found.push({ file, line: Number(line), regex });
      }
      return regex;
    },
  });
  try {
    for (const file of files) {
      await import(path.join(ROOT, file));
    }
  } finally {
    globalThis.RegExp = real;
  }
  return found;
}
