import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { CrashSupervisor } from '../../../src/core/client/diagnosis/crashSupervisor.ts';
import { diagnose } from '../../../src/core/client/diagnosis/diagnose.ts';
import { startFacts } from '../../../src/core/client/diagnosis/startFacts.ts';
import type { StdioDefinition } from '../../../src/protocol/definition.ts';
import type { EventBody, SessionId } from '../../../src/protocol/events.ts';
import { createReal, define, idOf, type Real, testServer } from './support.ts';

const server = (name: string) => path.resolve(import.meta.dirname, `../../servers/${name}.mjs`);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

function start(transport: StdioDefinition, settings: Parameters<typeof createReal>[1] = {}): Real {
  const real = createReal([define('a', transport)], settings);
  cleanUps.push(() => real.pool.dispose());
  return real;
}

function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A project whose package `shop` npx starts through its own process and a shell. */
function npxProject(): StdioDefinition {
  const cwd = scratch();
  writeFileSync(path.join(cwd, 'package.json'), '{"name":"project","private":true}');
  const bin = path.join(cwd, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const shop = path.join(cwd, 'shop.sh');
  writeFileSync(shop, `#!/bin/sh\n"${process.execPath}" "${server('spawnsGrandchild')}"\n`);
  chmodSync(shop, 0o755);
  symlinkSync(shop, path.join(bin, 'shop'));
  return { type: 'stdio', command: 'npx', args: ['--offline', '--no', 'shop'], env: {}, cwd };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a server behind a launcher', () => {
  const script = `"${process.execPath}" "${server('spawnsGrandchild')}"`;
  const shell = (line: string): StdioDefinition => ({ type: 'stdio', command: 'sh', args: ['-c', line], env: {} });

  it.each<readonly [string, () => StdioDefinition]>([
    ['npx', npxProject],
    ['a shell that stays', () => shell(`${script}; true`)],
    ['a shell in a shell', () => shell(`sh -c '${script}; true'; true`)],
  ])('leaves nobody behind: %s', async (_name, transport) => {
    const real = start(transport());
    const params = { name: 'work', arguments: {} };
    const { detail } = await real.pool.call({ server: idOf('a'), method: 'tools/call', params, origin: 'client' });
    const grandchild = Number(/"text":"(\d+)"/.exec(JSON.stringify(detail.end))?.[1]);
    const leader = real
      .bodies('lifecycle')
      .flatMap(({ detail: { ...step } }) => (step.step === 'started' ? [step.pid] : []));
    expect([isAlive(grandchild), isAlive(leader[0] ?? 0)]).toEqual([true, true]);
    await real.pool.disconnect(idOf('a'));
    await vi.waitUntil(() => !isAlive(grandchild) && !isAlive(-(leader[0] ?? 0)));
  });
});

describe('a server that crashes', () => {
  it('is started again', async () => {
    const real = start(testServer('exitMidCall'));
    const waits: EventBody[] = [];
    const supervisor = new CrashSupervisor({
      clock: systemClock,
      pool: real.pool,
      sink: { append: (event) => waits.push(event.body) },
      session: 'session' as SessionId,
      isWanted: () => true,
    });
    cleanUps.push(() => supervisor.dispose());
    const stateOf = () => real.pool.connections.get(idOf('a'))?.state.kind;
    await real.pool.connect(idOf('a'));
    const params = { name: 'work', arguments: {} };
    await real.pool.call({ server: idOf('a'), method: 'tools/call', params, origin: 'client' });
    await vi.waitUntil(() => stateOf() === 'failed');
    await vi.waitUntil(() => stateOf() === 'running', { timeout: 10_000 });
    expect(supervisor.loopOf(idOf('a'))).toBeUndefined();
    expect(waits).toEqual([{ kind: 'lifecycle', detail: { step: 'backoff', delayMs: 1_000, attempt: 1 } }]);
  });
});

describe('a server that does not start', () => {
  const node = (code: string): StdioDefinition => ({
    type: 'stdio',
    command: process.execPath,
    args: ['-e', code],
    env: {},
  });

  it.each<readonly [string, StdioDefinition, string]>([
    ['a missing module', node("require('no-such-module')"), 'start.nodeModule'],
    [
      'a missing script',
      { type: 'stdio', command: process.execPath, args: ['/no/such.js'], env: {} },
      'start.noScript',
    ],
    ['a missing variable', node("console.error('SHOP_API_KEY is required'); process.exit(1)"), 'start.missingVariable'],
    ['a syntax error', node('}'), 'start.syntaxError'],
    ['its help', node("console.log('Usage: shop <command>')"), 'start.usage'],
    ['no words', node('process.exit(3)'), 'start.exitedSilently'],
    ['silence', node('process.stdin.resume()'), 'connection.timeout'],
    ['language server framing', testServer('lspFraming'), 'start.lspFraming'],
    [
      'an address',
      node("console.error('Listening on http://localhost:3000'); process.stdin.resume()"),
      'start.speaksHttp',
    ],
    ['a bad directory', { ...node(''), cwd: '/no/such/folder' }, 'start.badCwd'],
    ['a missing command', { type: 'stdio', command: 'no-such-command', args: [], env: {} }, 'start.notFound'],
    [
      'a command without permission',
      { type: 'stdio', command: server('wellBehaved'), args: [], env: {} },
      'start.notExecutable',
    ],
    [
      'a missing command in a shell',
      { type: 'stdio', command: 'sh', args: ['-c', 'no-such-command'], env: {} },
      'start.shellNotFound',
    ],
    ['a kill', node('process.kill(process.pid, "SIGKILL")'), 'start.killed'],
    [
      'a port in use',
      node("const s=require('net');const a=s.createServer().listen(0,()=>s.createServer().listen(a.address().port))"),
      'start.portInUse',
    ],
  ])('says so: %s', async (_name, transport, code) => {
    const real = start(transport, { connectTimeoutMs: 1500 });
    const state = await real.pool.connect(idOf('a'));
    expect(state.kind).toBe('failed');
    const failure = state.kind === 'failed' ? state.failure : undefined;
    expect(failure === undefined ? undefined : diagnose(startFacts(failure, real.events, transport)).code).toBe(code);
  });
});
