import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/core/passthrough/config/configFile.ts';
import { backupPath, readJournal, type TapRecord } from '../../../src/core/passthrough/config/journal.ts';
import { installLauncher, launcherWords, shellScript } from '../../../src/core/passthrough/config/launcher.ts';
import { applyTap, removeAllTaps, removeTap, standingTaps } from '../../../src/core/passthrough/config/taps.ts';
import { wrapEntry } from '../../../src/core/passthrough/config/wrap.ts';
import { runCli } from '../cli/runCli.ts';
import { root } from './tapScene.ts';

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-configured-'));
  state = path.join(folder, 'state', 'faultline');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const original = '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": { "books": { "command": "npx", "args": ["books"] } }\r\n}';

function record(file: string, id = '0badcafe'): TapRecord {
  return { id, file, name: 'books', client: 'Cursor', log: '/log.sqlite', at: '2026-11-30T00:00:00Z' };
}

/** Puts a tap into the file, as the editor does once the preview is agreed to. */
async function tap(file: string, id?: string) {
  const before = readFileSync(file, 'utf8');
  const words = { id: id ?? '0badcafe', launcher: ['/tap'], options: ['--server', 'books'], port: 1 } as const;
  const wrapped = wrapEntry(before, { section: ['mcpServers'], name: 'books' }, words);
  return wrapped.kind === 'refused' ? wrapped : applyTap(state, record(file, id), before, wrapped.text);
}

function configuration(name = 'mcp.json', content: string | Uint8Array = original): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('the edit of a configuration', () => {
  it('is written whole, through a link, with the mode of the file, a backup and a note of it, and is undone', async () => {
    const file = configuration();
    chmodSync(file, 0o640);
    const link = path.join(folder, 'link.json');
    symlinkSync(file, link);
    expect(await tap(link)).toBeUndefined();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(file, 'utf8')).toContain('"command": "/tap"');
    expect(readFileSync(backupPath(state, '0badcafe'), 'utf8')).toBe(original);
    expect(statSync(backupPath(state, '0badcafe')).mode & 0o777).toBe(0o600);
    expect(await readJournal(state)).toEqual([record(link)]);
    expect(await standingTaps(state)).toEqual([{ id: '0badcafe', name: 'books', file: link }]);

    expect(await removeAllTaps(state)).toEqual([{ id: '0badcafe', file: link, name: 'books', kind: 'removed' }]);
    expect(readFileSync(file, 'utf8')).toBe(original);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(await readJournal(state)).toEqual([]);
    expect(existsSync(backupPath(state, '0badcafe'))).toBe(false);
  });

  it('is not made when the file has changed since the preview, and leaves no note', async () => {
    const file = configuration();
    const refusal = await applyTap(state, record(file), `${original} `, 'anything');
    expect(refusal).toMatchObject({ code: 'tap.edit.changed' });
    expect(readFileSync(file, 'utf8')).toBe(original);
    expect(await readJournal(state)).toEqual([]);
  });

  it('is not made where the new text cannot be written beside the old one', async () => {
    // One letter more, and the system takes it for no name.
    const file = configuration('m'.repeat(255));
    expect(await tap(file)).toMatchObject({ code: 'tap.edit.unwritable' });
    expect(readFileSync(file, 'utf8')).toBe(original);
    expect(await readJournal(state)).toEqual([]);
  });

  it('is not made in a file of other bytes than UTF-8', async () => {
    const file = configuration('latin.json', Buffer.from('{"mcpServers": {"b\u00fccher": {}}}', 'latin1'));
    expect(await readConfig(file)).toMatchObject({ kind: 'refused', code: 'tap.edit.encoding' });
    expect(await readConfig(path.join(folder, 'none.json'))).toMatchObject({ code: 'tap.edit.unreadable' });
  });

  it('is told as gone when somebody else has undone it', async () => {
    const file = configuration();
    await tap(file);
    writeFileSync(file, original);
    expect(await removeAllTaps(state)).toMatchObject([{ id: '0badcafe', kind: 'gone' }]);
    expect(await readJournal(state)).toEqual([]);
  });

  it('is kept on note when the file cannot be read now', async () => {
    const file = configuration();
    await tap(file);
    writeFileSync(file, '{ "mcpServers": ');
    expect(await removeTap(state, record(file))).toMatchObject({ code: 'tap.edit.syntax' });
    expect(await readJournal(state)).toHaveLength(1);
  });
});

describe('faultline untap', () => {
  it('lists the taps, takes out what is named, then all, and needs no journal for it', async () => {
    const inFolder = path.join(folder, 'work', '.cursor');
    mkdirSync(inFolder, { recursive: true });
    const project = path.join(inFolder, 'mcp.json');
    writeFileSync(project, original);
    const other = configuration();
    await tap(project, '11111111');
    await tap(other, '22222222');
    rmSync(path.join(state, 'taps', '11111111.json'));
    const env = { XDG_STATE_HOME: path.dirname(state), HOME: folder };
    const run = (...args: string[]) => runCli(['untap', ...args], { env, cwd: path.dirname(inFolder) });

    const list = await run();
    expect(list.stdout.split('\n').sort()).toEqual(['', `11111111  books  ${project}`, `22222222  books  ${other}`]);
    expect(await run('22222222', 'nobody')).toMatchObject({
      code: 2,
      stdout: `removed  books  ${other}\n`,
      stderr: 'faultline: no tap is called nobody\n',
    });
    expect(readFileSync(other, 'utf8')).toBe(original);
    expect(await run('--all')).toEqual({ code: 0, stdout: `removed  books  ${project}\n`, stderr: '' });
    expect(readFileSync(project, 'utf8')).toBe(original);
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

async function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  child.stdin.end('through');
  const ended = new Promise<Pick<Ran, 'code' | 'signal'>>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const [end, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { ...end, out, err };
}

/** A version of the extension whose command line says how it was called. */
function version(
  name: string,
  body = 'console.log(JSON.stringify({ at: __dirname, argv: process.argv.slice(2), electron: process.env.ELECTRON_RUN_AS_NODE }))',
): string {
  const extension = path.join(folder, 'extensions', name);
  mkdirSync(path.join(extension, 'dist'), { recursive: true });
  writeFileSync(path.join(extension, 'dist', 'cli.js'), body);
  return extension;
}

/** The launcher as it is in a package, from its source. */
async function install(extension: string, runtimes = [process.execPath]): Promise<readonly [string, ...string[]]> {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [path.join(root, 'src/cli/tapLauncher.ts')],
    outfile: path.join(extension, 'dist', 'tap-launcher.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const options = { state, platform: process.platform, extensionFolder: extension, runtimes };
  await installLauncher(options);
  return launcherWords(options) ?? ['none'];
}

const echo = ['--', process.execPath, '-e', 'process.stdin.pipe(process.stdout)'];

describe('the launcher', () => {
  it('starts the newest version that is installed, with the words of the tap and none of its own', async () => {
    const old = version('faultline.faultline-0.9.0');
    const [command, ...args] = await install(old);
    const options = ['--tapped=0badcafe+', '--server', 'books', ...echo, '--tapped=0badcafe'];
    const said = async () => JSON.parse((await run(command, [...args, ...options])).out);
    expect(await said()).toEqual({
      at: path.join(old, 'dist'),
      argv: ['tap', '--server', 'books', ...echo, '--tapped=0badcafe'],
    });
    const newer = version('faultline.faultline-0.10.0-linux-x64');
    version('faultline.faultline-0.11.0');
    version('somebody.faultline-9.0.0');
    writeFileSync(path.join(folder, 'extensions', '.obsolete'), '{"faultline.faultline-0.11.0": true}');
    expect((await said()).at).toBe(path.join(newer, 'dist'));
    rmSync(old, { recursive: true });
    expect((await said()).at).toBe(path.join(newer, 'dist'));
  });

  it('starts the server untapped, with its streams, code and signal, when there is no version any more', async () => {
    const only = version('faultline.faultline-1.0.0');
    const [command, ...args] = await install(only);
    rmSync(only, { recursive: true });
    expect(await run(command, [...args, '--tapped=0badcafe', '--log', '/x', ...echo])).toMatchObject({
      code: 0,
      out: 'through',
      err: expect.stringContaining('not installed any more'),
    });
    const server = (code: string) => run(command, [...args, '--tapped=0badcafe', '--', process.execPath, '-e', code]);
    expect(await server('process.exit(7)')).toMatchObject({ code: 7 });
    expect(await server('process.kill(process.pid, "SIGTERM")')).toMatchObject({ code: null, signal: 'SIGTERM' });
    expect(await run(command, [...args, '--', '/nowhere/server'])).toMatchObject({ code: 127 });
    expect(await run(command, args)).toMatchObject({ code: 127 });
  });

  it('starts the server untapped when the version is damaged', async () => {
    const [command, ...args] = await install(version('faultline.faultline-1.0.0', 'throw new Error("torn")'));
    expect(await run(command, [...args, '--tapped=0badcafe', ...echo])).toMatchObject({
      code: 0,
      out: 'through',
      err: expect.stringContaining('torn'),
    });
  });

  it.runIf(process.platform !== 'win32')('finds another runtime, or goes without', async () => {
    const extension = version('faultline.faultline-1.0.0');
    const [command, ...args] = await install(extension, ["/nowhere/it's gone", process.execPath]);
    expect((await run(command, [...args, '--tapped=0badcafe', ...echo])).out).toContain('"tap"');
    const none = path.join(folder, 'bare');
    writeFileSync(none, shellScript(['/nowhere']), { mode: 0o755 });
    expect(await run(none, ['--tapped=0badcafe', ...echo], { PATH: '/usr/bin:/bin' })).toMatchObject({
      code: 0,
      out: 'through',
    });
    expect(await run(none, ['--tapped=0badcafe'], { PATH: '/usr/bin:/bin' })).toMatchObject({ code: 127 });
  });
});
