import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { freePort } from '../../../tools/lib/freePort.mjs';
import { productionBuild } from '../../production.ts';
import { peerProgram } from '../install.ts';
import { OURS } from '../row.ts';
import type { Transcript } from './inputs.ts';
import { inspectorPage } from './inspectorPage.ts';
import { output, running } from './limited.ts';

/** SDKs give a call up after 60 s: whoever has said nothing by then says nothing. */
const LIMIT_MS = 65_000;
/** Where a program has a limit of its own, so that the next thing comes within ours. */
const CALL_LIMIT_MS = 4000;

/** Where a server is reached: by words that start it, or at a URL. */
export type Target = { readonly command: readonly string[] } | { readonly url: string };

/** A program that is asked what it makes of a server. */
export interface Program {
  readonly name: string;
  readonly transports: readonly ('stdio' | 'http')[];
  /** Calls `work` once. The folder is its alone. */
  ask(target: Target, folder: string): Promise<Transcript>;
}

const BOTH = ['stdio', 'http'] as const;

export const PROGRAMS: readonly Program[] = [
  { name: OURS, transports: BOTH, ask: faultline },
  { name: 'Inspector, page', transports: BOTH, ask: (target, folder) => inspectorPage(target, folder, LIMIT_MS) },
  { name: 'Inspector, command line', transports: BOTH, ask: inspectorCommand },
  { name: 'mcpc', transports: BOTH, ask: mcpc },
  { name: 'mcp-cli', transports: BOTH, ask: mcpCli },
  { name: 'mcp-proxy, its log', transports: ['stdio'], ask: mcpProxy },
  { name: 'supergateway, its log', transports: BOTH, ask: supergateway },
  { name: 'mcp-remote, its log', transports: ['http'], ask: mcpRemote },
];

async function faultline(target: Target, folder: string): Promise<Transcript> {
  const log = path.join(folder, 'log.sqlite');
  const command = [process.execPath, path.join(await productionBuild(), 'dist', 'cli.js')];
  const wanted = ['call', '--log', log, '--timeout-ms', String(CALL_LIMIT_MS), '--max-attempts', '2'];
  const where = 'url' in target ? ['--url', target.url, 'work'] : ['work', '--', ...target.command];
  const called = await output([...command, ...wanted, ...where], LIMIT_MS);
  const shown = await output([...command, 'show', '--log', log], LIMIT_MS);
  return { seen: called + shown, recorded: await output([...command, 'export', '--log', log], LIMIT_MS) };
}

async function inspectorCommand(target: Target, folder: string): Promise<Transcript> {
  const where = 'url' in target ? [target.url, '--transport', 'http'] : target.command;
  const config = 'url' in target ? where : configured(folder, { command: where[0], args: where.slice(1) });
  const call = ['--method', 'tools/call', '--tool-name', 'work'];
  const words = [process.execPath, peerProgram('mcp-inspector'), '--cli', ...config, ...call];
  return { seen: await output(words, LIMIT_MS, { HOME: folder }) };
}

/** A configuration with that one server in it. */
function configured(folder: string, server: object): readonly string[] {
  const file = path.join(folder, 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { it: server } }));
  return ['--config', file, '--server', 'it'];
}

const serverOf = (target: Target) =>
  'url' in target ? { url: target.url } : { command: target.command[0], args: target.command.slice(1) };

async function mcpc(target: Target, folder: string): Promise<Transcript> {
  const [, file = ''] = configured(folder, serverOf(target));
  const words = (...more: string[]) => [process.execPath, peerProgram('mcpc'), ...more];
  // Its bridge is to end with the session, not with this process.
  const env = { HOME: folder };
  try {
    const connected = await output(words('connect', `${file}:it`, '@it'), LIMIT_MS, env);
    const limit = ['--timeout', String(CALL_LIMIT_MS / 1000)];
    const called = await output(words(...limit, '@it', 'tools-call', 'work'), LIMIT_MS, env);
    // It names its log on connecting, for whoever looks for the cause.
    const log = logsIn(path.join(folder, '.mcpc', 'logs'));
    return { seen: connected + called + log, recorded: log };
  } finally {
    await output(words('close', '@it'), LIMIT_MS, env);
  }
}

function logsIn(folder: string): string {
  try {
    return readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('\n');
  } catch {
    return '';
  }
}

async function mcpCli(target: Target, folder: string): Promise<Transcript> {
  const [, file = ''] = configured(folder, serverOf(target));
  const words = [process.execPath, peerProgram('mcp-cli'), '--config', file, 'call-tool', 'it:work', '--args', '{}'];
  return { seen: await output(words, LIMIT_MS, { HOME: folder }) };
}

async function mcpProxy(target: Target): Promise<Transcript> {
  if (!('command' in target)) {
    throw new Error('mcp-proxy starts its server');
  }
  const port = await freePort();
  return overHttp([peerProgram('mcp-proxy'), '--debug', '--port', String(port), '--', ...target.command], port);
}

async function supergateway(target: Target): Promise<Transcript> {
  if ('url' in target) {
    return overStdio([peerProgram('supergateway'), '--streamableHttp', target.url, '--logLevel', 'debug']);
  }
  const port = await freePort();
  const server = target.command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const args = ['--stdio', server, '--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'debug'];
  return overHttp([peerProgram('supergateway'), ...args, '--port', String(port)], port);
}

async function mcpRemote(target: Target, folder: string): Promise<Transcript> {
  if (!('url' in target)) {
    throw new Error('mcp-remote goes to a URL');
  }
  const env = { MCP_REMOTE_CONFIG_DIR: folder };
  return overStdio([peerProgram('mcp-remote'), target.url, '--transport', 'http-only', '--debug'], env);
}

const clientInfo = { name: 'bench', version: '1.0.0' };
const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'work', arguments: {} } };
/** After this a proxy has said in its log what it says. */
const PROXY_LIMIT_MS = 10_000;

/** What a proxy logs while a client calls once through it. What it forwards is the server's word, not the proxy's. */
async function overHttp(command: readonly string[], port: number): Promise<Transcript> {
  const { child, said, stop } = running(command);
  try {
    const url = `http://127.0.0.1:${port}/mcp`;
    await until(async () => child.exitCode !== null || (await answers(url)), 30_000);
    let session: Record<string, string> = {};
    for (const message of [...HANDSHAKE, CALL]) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...session,
          },
          body: JSON.stringify(message),
          signal: AbortSignal.timeout(PROXY_LIMIT_MS),
        });
        const id = response.headers.get('mcp-session-id');
        session = id === null ? session : { 'mcp-session-id': id };
        await response.arrayBuffer();
      } catch {
        // No answer within the limit: what the proxy says of it stands in its log.
      }
    }
    await wait(500);
    return { seen: said(), recorded: said() };
  } finally {
    stop();
  }
}

/** The same for a proxy that its client starts; its log is what it says on stderr. */
async function overStdio(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Transcript> {
  const { child, stop } = running(command, env);
  let log = '';
  let answered = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
  child.stdout?.on('data', (chunk: Buffer) => (answered += chunk.toString('utf8')));
  try {
    const [initialize, initialized] = HANDSHAKE;
    child.stdin?.write(`${JSON.stringify(initialize)}\n`);
    await until(() => child.exitCode !== null || answered.includes('"id":0'), 30_000);
    child.stdin?.write(`${JSON.stringify(initialized)}\n${JSON.stringify(CALL)}\n`);
    await until(() => child.exitCode !== null || answered.includes('"id":1'), PROXY_LIMIT_MS);
    await wait(500);
    return { seen: log, recorded: log };
  } finally {
    stop();
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo()) && performance.now() < end) {
    await wait(100);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { method: 'OPTIONS' })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
