import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const spawned: { command: string; args: readonly string[]; options: Readonly<Record<string, unknown>> }[] = [];

vi.mock('cross-spawn', () => ({
  default: (command: string, args: readonly string[], options: Readonly<Record<string, unknown>>) => {
    spawned.push({ command, args, options });
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const child = Object.assign(new EventEmitter(), { pid: 7, ...streams });
    queueMicrotask(() => child.emit('spawn'));
    return child;
  },
}));
const { launch } = await import('../../../../src/core/transport/serverProcess.ts');
const { createProcessGroup } = await import('../../../../src/core/transport/processGroup.ts');
const { exitCodeOf } = await import('../../../../src/core/passthrough/endAlike.ts');

describe('starting a server', () => {
  it.each([
    // The leader of a group can be signalled with all that it starts; on Windows `detached` would open a console.
    ['linux', true],
    ['darwin', true],
    ['win32', false],
  ] as const)('on %s takes no shell and shows no window, a group of its own: %s', async (platform, detached) => {
    const ignore = () => undefined;
    const callbacks = { onSpawn: ignore, onStdout: ignore, onStderr: ignore };
    const { kind } = await launch({ command: 'npx', args: ['a b', '%PATH%'], env: { A: '1' }, platform, ...callbacks });
    expect(kind).toBe('launched');
    expect(spawned.at(-1)).toEqual({
      command: 'npx',
      args: ['a b', '%PATH%'],
      options: { cwd: undefined, env: { A: '1' }, stdio: 'pipe', shell: false, windowsHide: true, detached },
    });
  });
});

describe('ending a server with all that it started', () => {
  it.each([
    ['linux', ['kill -7 0', 'kill -7 SIGTERM', 'kill -7 SIGKILL'], true],
    ['darwin', ['kill -7 0', 'kill -7 SIGTERM', 'kill -7 SIGKILL'], true],
    // Windows has no request to end that every program hears, and no groups: closed stdin comes first, then the tree.
    ['win32', ['taskkill /T /F /PID 7'], false],
  ] as const)('on %s does %j', (platform, expected, canAsk) => {
    const done: string[] = [];
    const group = createProcessGroup(7, {
      platform,
      kill: (pid, signal) => done.push(`kill ${pid} ${signal}`),
      run: (command, args) => done.push([command, ...args].join(' ')),
    });
    expect([group.isAlive(), group.terminate()]).toEqual([canAsk, canAsk]);
    group.kill();
    expect(done).toEqual(expected);
  });
});

describe('the exit code of a tap', () => {
  const failure = (code: string) => ({ reason: 'spawn-failed', message: '', code }) as const;

  it.each([
    [{ kind: 'exited', code: 3 }, 3],
    [{ kind: 'exited', code: 0xc0000005 }, 0xc0000005],
    [{ kind: 'signalled', signal: 'SIGTERM' }, 143],
    [{ kind: 'not-started', failure: failure('ENOENT') }, 127],
    [{ kind: 'not-started', failure: failure('EACCES') }, 126],
  ] as const)('after %j is %s', (end, code) => {
    expect(exitCodeOf(end)).toBe(code);
  });
});

// cross-spawn decides when it is loaded what it runs on, so that another process has to believe in Windows.
describe('what is started on Windows', () => {
  let folder: string;
  const script = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { command, args, options } = require(process.argv[1])._parse(...JSON.parse(process.argv[2]));
    process.stdout.write(JSON.stringify({ command, args, isVerbatim: options.windowsVerbatimArguments === true }));
  `;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'faultline-windows-'));
    for (const name of ['npx.CMD', 'server.EXE']) {
      writeFileSync(path.join(folder, name), '');
      chmodSync(path.join(folder, name), 0o755);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const started = (command: string, args: readonly string[]) => {
    const library = createRequire(import.meta.url).resolve('cross-spawn');
    // The name of the variable as Windows has it, not as everything else does.
    const words = JSON.stringify([command, args, { env: { Path: folder } }]);
    const env = { ...process.env, PATHEXT: '.EXE;.CMD', comspec: 'C:\\Windows\\system32\\cmd.exe' };
    return JSON.parse(execFileSync(process.execPath, ['-e', script, library, words], { env, encoding: 'utf8' }));
  };

  it('is an executable as it is', () => {
    expect(started('server', ['a b', '%PATH%'])).toEqual({
      command: 'server',
      args: ['a b', '%PATH%'],
      isVerbatim: false,
    });
  });

  it('is a .cmd by cmd.exe, whose special characters mean nothing in arguments', () => {
    expect(started('npx', ['-y', 'a b', '%PATH%', 'x&calc', '"q"'])).toEqual({
      command: 'C:\\Windows\\system32\\cmd.exe',
      args: ['/d', '/s', '/c', '"npx ^"-y^" ^"a^ b^" ^"^%PATH^%^" ^"x^&calc^" ^"\\^"q\\^"^""'],
      isVerbatim: true,
    });
  });
});
