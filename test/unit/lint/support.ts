import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { GrammarLoader } from '../../../src/lint/engine.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Where files lie that are not with the other grammars. */
const PACKAGES: Readonly<Record<string, string>> = {
  'web-tree-sitter.wasm': 'web-tree-sitter',
  'tree-sitter-kotlin.wasm': '@tree-sitter-grammars/tree-sitter-kotlin',
};

/** Reads grammars from where npm put them, as the build copies them. */
export const grammars: GrammarLoader = {
  load: (file) => readFile(path.join(root, 'node_modules', PACKAGES[file] ?? '@vscode/tree-sitter-wasm/wasm', file)),
};

export const fixtures = path.join(root, 'test/fixtures/lint');
