import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

/** The folder of the script that runs: `dist` of the product, `src/cli` of a checkout. */
function scriptFolder(): string {
  return path.dirname(realpathSync(process.argv[1] ?? '.'));
}

/** Where files that the product carries may be: beside the bundle, or, run from source, in the packages they come from. */
function assetFolders(): readonly string[] {
  const here = scriptFolder();
  const packages = path.resolve(here, '../../node_modules');
  const grammars = ['@vscode/tree-sitter-wasm/wasm', '@tree-sitter-grammars/tree-sitter-kotlin'];
  return [here, ...['web-tree-sitter', ...grammars].map((name) => path.join(packages, name))];
}

/** The bytes of a file that the product carries, by name. Rejects when it is nowhere. */
export async function loadAsset(file: string): Promise<Uint8Array> {
  for (const folder of assetFolders()) {
    const bytes = await readFile(path.join(folder, file)).catch(() => undefined);
    if (bytes !== undefined) {
      return bytes;
    }
  }
  throw new Error(`${file} is missing beside ${scriptFolder()}: the installation is incomplete`);
}

/** The demo server: its bundle, or run from source, its source. */
export function demoServerPath(): string {
  const here = scriptFolder();
  return path.basename(here) === 'cli' ? path.resolve(here, '../demo/server.ts') : path.join(here, 'demo-server.js');
}

/** The script of the thread that records what a tap forwards. */
export function tapRecorderPath(): string {
  const here = scriptFolder();
  return path.basename(here) === 'cli' ? path.join(here, 'tapRecorder.ts') : path.join(here, 'tap-recorder.js');
}
