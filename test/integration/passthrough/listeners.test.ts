import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { HttpListeners } from '../../../src/host/taps/httpListeners.ts';
import { eventsOf, root, until } from './tapScene.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'faultline-listeners-'));
const extension = path.join(folder, 'extension');
const log = path.join(folder, 'log.sqlite');
const remote = createServer((request, response) => {
  request.resume();
  response.end(`${request.url} ${request.headers['faultline-token'] ?? 'no token'}`);
});
let url: string;

beforeAll(async () => {
  mkdirSync(path.join(extension, 'dist'), { recursive: true });
  // As a package has them, from their sources.
  for (const [name, source] of Object.entries({ 'tap-entry': 'tapEntry', 'tap-recorder': 'tapRecorder' })) {
    const from = pathToFileURL(path.join(root, `src/cli/${source}.ts`)).href;
    writeFileSync(path.join(extension, 'dist', `${name}.js`), `import(${JSON.stringify(from)});\n`);
  }
  remote.listen(0, '127.0.0.1');
  await once(remote, 'listening');
  url = `http://127.0.0.1:${(remote.address() as AddressInfo).port}/mcp`;
});
afterAll(() => {
  remote.close();
  remote.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const options = (port: number, token?: string) => ({
  url,
  port,
  log,
  server: 'far',
  ...(token === undefined ? {} : { token }),
});
const ask = (port: number | undefined, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}/mcp?a=1`, { headers }).then(
    async (response) => `${response.status} ${(await response.text()).slice(0, 40)}`,
    () => 'nobody',
  );

describe('the listeners of a window', () => {
  it('forward and record what has the token, which goes no further, and refuse the rest', async () => {
    const listeners = new HttpListeners(extension, systemClock);
    const port = await listeners.listen('a', options(0, 'secret'));
    expect(port).toBeGreaterThan(0);
    expect(await ask(port, { 'faultline-token': 'secret' })).toBe('200 /mcp?a=1 no token');
    expect(await ask(port)).toMatch(/^401 /);
    // Asked for again as it is, it goes on.
    expect(await listeners.listen('a', options(0, 'secret'))).toBe(port);
    await until(() => expect(eventsOf(log).some(({ body }) => body.kind === 'http')).toBe(true));
    expect(JSON.stringify(eventsOf(log))).not.toContain('secret');
    listeners.keepOnly(new Set());
    await until(async () => expect(await ask(port)).toBe('nobody'));
    listeners.dispose();
  });

  it('take a port over when the one who had it lets go', async () => {
    const [one, two] = [new HttpListeners(extension, systemClock), new HttpListeners(extension, systemClock)];
    const port = await one.listen('a', options(0));
    // The window that is first has it, and the client does not notice which one that is.
    expect(await two.listen('a', options(port ?? 0))).toBeUndefined();
    expect(await ask(port)).toMatch(/^200 /);
    one.dispose();
    // Until the first is gone it may be the one who answers.
    await until(async () => expect(await two.listen('a', options(port ?? 0))).toBe(port));
    await until(async () => expect(await ask(port)).toMatch(/^200 /));
    two.dispose();
    await until(async () => expect(await ask(port)).toBe('nobody'));
  });

  it('end with the window, however it ends', async () => {
    const module = (file: string) => JSON.stringify(pathToFileURL(path.join(root, file)).href);
    const code = `
      const { HttpListeners } = await import(${module('src/host/taps/httpListeners.ts')});
      const { systemClock } = await import(${module('src/base/systemClock.ts')});
      const listeners = new HttpListeners(${JSON.stringify(extension)}, systemClock);
      console.log(await listeners.listen('a', ${JSON.stringify(options(0))}));`;
    const window = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code]);
    const port = Number((await once(window.stdout, 'data')).toString());
    expect(await ask(port)).toMatch(/^200 /);
    window.kill('SIGKILL');
    await until(async () => expect(await ask(port)).toBe('nobody'));
  });
});
