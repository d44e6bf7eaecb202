import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

/** A copy of what is bundled, so that the `dist` of the checkout is left alone. */
let folder: string;

/** Runs Node.js in the copy; gives the exit code and stdout. */
async function node(...args: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [code, stdout] = await Promise.all([closed, text(child.stdout)]);
  return { code, stdout };
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-bundle-'));
  for (const name of ['src', 'webview', 'media', 'esbuild.mjs', 'package.json']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  // Its size budgets may fail it, which is for the build to tell; what it wrote is what is tried here.
  await node('esbuild.mjs');
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the bundled command line', () => {
  it('finds its parser and its grammars', async () => {
    const { code, stdout } = await node('dist/cli.js', 'lint', 'media/demo-workspace');
    expect(code).toBe(1);
    expect(stdout).toMatch(/\.py:.* FL001 .*\n[\s\S]*\.ts:.* FL001 .*\n[\s\S]*findings in 2 files\.\n$/);
  });

  it('finds its client, its log and the bundled demo server', async () => {
    const command = `'${process.execPath}' dist/demo-server.js`;
    const args = ['call', '--command', command, '--log', 'events.sqlite', 'get_author', '{"title":"Dune"}'];
    const { code, stdout } = await node('dist/cli.js', ...args);
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'Frank Herbert' });
  });

  it('plays the demo over both transports', async () => {
    const { code, stdout } = await node('dist/cli.js', 'demo');
    expect(stdout).toContain('bookshop-http search_books');
    expect(code).toBe(0);
  });
});
