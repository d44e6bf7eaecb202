import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { progress } from './bench.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
/** What a build and a package are made of; `test` and the results of other builds are not. */
const PARTS = ['src', 'webview', 'media', 'package.json', 'package.nls.json', 'esbuild.mjs', '.vscodeignore'];
const OPTIONAL_PARTS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'tsconfig.base.json', 'tsconfig.json'];

let build: Promise<string> | undefined;

/**
 * The folder of a copy of the project with a production build in `dist`, made once and removed on exit: the working tree's
 * own build may be a development one, and in use.
 */
export function productionBuild(): Promise<string> {
  build ??= make();
  return build;
}

async function make(): Promise<string> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'faultline-build-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const part of [...PARTS, ...OPTIONAL_PARTS].filter((name) => existsSync(path.join(project, name)))) {
    cpSync(path.join(project, part), path.join(folder, part), { recursive: true });
  }
  symlinkSync(path.join(project, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  progress('building for production');
  // A build over its budget fails after it has written its files; how far over is what we want to tell.
  await run(folder, 'esbuild.mjs', '--production');
  if (!existsSync(path.join(folder, 'dist', 'extension.js'))) {
    throw new Error('the production build failed');
  }
  return folder;
}

/** Makes the `.vsix` of a production build; returns its path. */
export async function packageExtension(folder: string): Promise<string> {
  const file = path.join(folder, 'faultline.vsix');
  progress('packaging');
  const vsce = path.join(project, 'node_modules', '@vscode', 'vsce', 'vsce');
  await run(
    folder,
    vsce,
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--skip-license',
    '--no-rewrite-relative-links',
    '--out',
    file,
  );
  if (!existsSync(file)) {
    throw new Error('packaging failed');
  }
  return file;
}

/** Runs a script to its end, its output on stderr. */
function run(cwd: string, ...args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
