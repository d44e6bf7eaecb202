import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  SSEClientTransport as ModernSse,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freshLog, npmServer, outcomesOf, root, tapHttp, testServer, until } from './tapScene.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'faultline-tap-files-')));
writeFileSync(path.join(folder, 'here.txt'), 'contents');
const servers: ChildProcess[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.kill('SIGKILL');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VERSIONS = ['v1', 'v2'] as const;
type Version = (typeof VERSIONS)[number];

/** What both SDKs have in common, as far as it is used here. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly unknown[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }, ...more: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

const info = (version: Version) => ({ name: `sdk ${version}`, version: '1.0.0' });

/** A client of an SDK whose server is started through a tap. */
async function overStdio(version: Version, log: string, server: readonly string[]): Promise<AnyClient> {
  const main = path.join(root, 'src/cli/main.ts');
  const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', main, 'tap', '--log', log, '--', ...server];
  const command = { command: process.execPath, args, stderr: 'ignore' as const };
  if (version === 'v1') {
    const client = new Client(info(version));
    await client.connect(new StdioClientTransport(command));
    return client as unknown as AnyClient;
  }
  const client = new ModernClient(info(version), { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernStdio(command));
  return client as unknown as AnyClient;
}

async function overHttp(version: Version, url: string, isSse: boolean): Promise<AnyClient> {
  const address = new URL(url);
  if (version === 'v1') {
    const client = new Client(info(version));
    const transport = isSse ? new SSEClientTransport(address) : new StreamableHTTPClientTransport(address);
    // Its types do not agree with this project's exactness about what is optional.
    await client.connect(transport as Parameters<Client['connect']>[0]);
    return client as unknown as AnyClient;
  }
  const client = new ModernClient(info(version));
  await client.connect(isSse ? new ModernSse(address) : new ModernHttp(address));
  return client as unknown as AnyClient;
}

/** Starts server-everything over HTTP; gives its URL. */
async function everything(mode: 'streamableHttp' | 'sse'): Promise<string> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  const [command = '', ...args] = npmServer('everything', mode);
  const server = spawn(command, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  servers.push(server);
  const url = `http://localhost:${port}${mode === 'sse' ? '/sse' : '/mcp'}`;
  await until(async () => expect((await fetch(url, { method: 'OPTIONS' })).status).toBeGreaterThan(0));
  return url;
}

const echo = { name: 'echo', arguments: { message: 'hello' } };
const echoed = { content: [{ type: 'text', text: 'Echo: hello' }] };

describe.each(VERSIONS)('the client of SDK %s through a tap', (version) => {
  const name = `tap:sdk ${version}`;

  it('over stdio, with server-everything', async () => {
    const log = freshLog();
    const client = await overStdio(version, log, npmServer('everything', 'stdio'));
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(await client.callTool(echo)).toMatchObject(echoed);
    const outcomes = await untilThere(log, 'tools/call', 1);
    await client.close();
    expect(outcomes.slice(-2)).toEqual([
      `${name} tap:mcp-servers/everything tools/list: success`,
      `${name} tap:mcp-servers/everything tools/call echo: success`,
    ]);
  });

  it('over stdio, with server-filesystem, whose failures are what they are', async () => {
    const log = freshLog();
    const client = await overStdio(version, log, npmServer('filesystem', folder));
    const read = (file: string) =>
      client.callTool({ name: 'read_text_file', arguments: { path: path.join(folder, file) } });
    expect(JSON.stringify(await read('here.txt'))).toContain('contents');
    expect(await read('missing.txt')).toMatchObject({ isError: true });
    const outcomes = await untilThere(log, 'tools/call', 2);
    await client.close();
    const calls = outcomes.filter((text) => text.includes('tools/call')).map((text) => text.split(': ').at(-1));
    expect(calls).toEqual(['success', 'tool_error']);
  });

  it.each(['streamableHttp', 'sse'] as const)('over %s, with server-everything', async (mode) => {
    const log = freshLog();
    const tap = await tapHttp(log, await everything(mode));
    const client = await overHttp(version, tap.url, mode === 'sse');
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(await client.callTool(echo)).toMatchObject(echoed);
    await client.close();
    tap.child.kill('SIGTERM');
    expect((await tap.ended).code).toBe(0);
    expect((await outcomesOf(log)).filter((text) => text.includes('tools/'))).toEqual([
      `${name} tap:mcp-servers/everything tools/list: success`,
      `${name} tap:mcp-servers/everything tools/call echo: success`,
    ]);
  });
});

describe('several clients through one tap over HTTP', () => {
  it('are told apart, although they use the same ids', async () => {
    const log = freshLog();
    const tap = await tapHttp(log, await everything('streamableHttp'));
    const clients = await Promise.all(VERSIONS.map((version) => overHttp(version, tap.url, false)));
    await Promise.all(
      clients.map((client) => Promise.all([client.callTool(echo), client.callTool(echo), client.listTools()])),
    );
    await Promise.all(clients.map((client) => client.close()));
    tap.child.kill('SIGTERM');
    await tap.ended;
    const outcomes = (await outcomesOf(log)).filter((text) => text.includes('tools/'));
    expect(outcomes.filter((text) => !text.endsWith(': success'))).toEqual([]);
    expect(VERSIONS.map((version) => outcomes.filter((text) => text.startsWith(`tap:sdk ${version} `)).length)).toEqual(
      [3, 3],
    );
  });
});

describe('the stateless revision through a tap', () => {
  it('over stdio names both sides by what their messages say', async () => {
    const log = freshLog();
    const client = await overStdio('v2', log, testServer('modern'));
    await client.listTools();
    const outcomes = await untilThere(log, 'tools/list', 1);
    await client.close();
    expect(outcomes.every((text) => text.startsWith('tap:sdk v2 '))).toBe(true);
    expect(outcomes.at(-1)).toMatch(/tools\/list: success$/);
  });
});

/** Waits until so many requests of a method are there: before the client closes, which leaves its server four seconds to end. */
async function untilThere(log: string, method: string, count: number): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await until(async () => {
    found = await outcomesOf(log);
    expect(found.filter((each) => each.includes(` ${method}`)).length).toBeGreaterThanOrEqual(count);
    expect(found.some((each) => each.endsWith('pending'))).toBe(false);
  });
  return found;
}
