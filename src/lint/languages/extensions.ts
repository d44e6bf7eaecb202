import type { LanguageId } from './frontEnd.ts';

// Free of the front ends themselves: the editor reads it long before a file is linted.

/** The language of a file by its ending, without the dot. */
export const EXTENSIONS: Readonly<Record<string, LanguageId>> = {
  py: 'python',
  pyi: 'python',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
  rb: 'ruby',
  php: 'php',
  rs: 'rust',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  cs: 'csharp',
  go: 'go',
};

/** The language of a path by its extension; undefined when the lint does not know it. Declaration files hold no code. */
export function languageOf(path: string): LanguageId | undefined {
  if (/\.d\.[cm]?ts$/.test(path)) {
    return undefined;
  }
  return EXTENSIONS[/\.([a-z]+)$/.exec(path)?.[1] ?? ''];
}
