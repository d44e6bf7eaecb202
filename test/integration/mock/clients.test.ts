import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewLogEvent } from '../../../src/protocol/events.ts';
import { start as startSse } from '../../servers/httpLegacySse.mjs';
import { start as startModern } from '../../servers/httpModern.mjs';
import { listen } from '../../servers/support/httpServer.mjs';
import { createReal, define, http, idOf, npmServer, testServer } from '../client/support.ts';
import { demoStdio, mockCommand, recorded, type Served, serveMock } from './scene.ts';

interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }, ...more: readonly unknown[]): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'test', version: '1' };

async function overStdio(version: 'v1' | 'v2', file: string): Promise<AnyClient> {
  const { command, args } = mockCommand(file);
  const options = { command, args: [...args], stderr: 'ignore' as const };
  if (version === 'v1') {
    const client = new Client(info);
    await client.connect(new StdioClientTransport(options));
    return client as unknown as AnyClient;
  }
  const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernStdio(options));
  return client as unknown as AnyClient;
}

async function overHttp(version: 'v1' | 'v2', url: string): Promise<AnyClient> {
  if (version === 'v1') {
    const client = new Client(info);
    // Its types do not agree with this project's exactness about what is optional.
    await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client['connect']>[0]);
    return client as unknown as AnyClient;
  }
  const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernHttp(new URL(url)));
  return client as unknown as AnyClient;
}

const calls = [
  ['search_books', { query: 'dune' }],
  ['order_book', { title: 'Dune', quantity: 0 }],
  ['get_sales', { month: '2026-13' }],
  ['get_author', { title: 'Dun' }],
] as const;

/** Records calls of the demo over stdio. */
async function recordDemo(): Promise<readonly NewLogEvent[]> {
  const real = createReal([define('demo', demoStdio)]);
  for (const [name, args] of calls) {
    await real.pool.call({
      server: idOf('demo'),
      method: 'tools/call',
      params: { name, arguments: args },
      origin: 'client',
    });
  }
  await real.pool.listed(idOf('demo'));
  await real.pool.dispose();
  return real.events;
}

describe.each(['v1', 'v2'] as const)('a client of the SDK %s', (version) => {
  let file = '';
  let server: Served | undefined;
  beforeAll(async () => {
    file = await recorded(await recordDemo(), `demo-${version}`);
    server = await serveMock(file, '--delays', 'none');
  });
  afterAll(() => server?.close());

  it.each(['stdio', 'http'] as const)('gets the recorded answers over %s', async (transport) => {
    const client = transport === 'stdio' ? await overStdio(version, file) : await overHttp(version, server?.url ?? '');
    const { tools } = await client.listTools();
    const answers = [];
    for (const [name, args] of calls) {
      answers.push(await client.callTool({ name, arguments: args }).catch((error: unknown) => error));
    }
    const unknown = await client
      .callTool({ name: 'search_books', arguments: { query: 'Dune' } })
      .catch((error: unknown) => error);
    await client.close();
    expect(tools.map(({ name }) => name)).toContain('search_books');
    expect(answers).toMatchObject([
      { content: [{ text: expect.stringContaining('Dune') }] },
      { isError: true },
      { code: -32602, message: expect.stringContaining('2026-13') },
      { content: [{ text: expect.any(String) }] },
    ]);
    expect(unknown).toMatchObject({
      code: -32010,
      message: expect.stringContaining('(recorded "dune", asked "Dune")'),
    });
  });

  it('gets progress before the answer, as server-everything sent it', async () => {
    const real = createReal([define('everything', npmServer('everything', 'stdio'))]);
    const params = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 2 } };
    const outcome = await real.pool.call({
      server: idOf('everything'),
      method: 'tools/call',
      params,
      origin: 'client',
    });
    await real.pool.listed(idOf('everything'));
    await real.pool.dispose();
    expect(outcome.kind).toBe('success');
    const client = await overStdio(version, await recorded(real.events, `everything-${version}`));
    const progress: number[] = [];
    const onprogress = ({ progress: now }: { progress: number }) => progress.push(now);
    const answer = await (version === 'v1'
      ? client.callTool(params, undefined, { onprogress })
      : client.callTool(params, { onprogress }));
    await client.close();
    expect(answer).toMatchObject({ content: [{ text: expect.stringContaining('completed') }] });
    // The server sends the last step right before the answer, and an SDK that reads both at once drops the former.
    expect([[1], [1, 2]]).toContainEqual(progress);
  });
});

it('serves a recording of 2026-07-28 to the SDK v2 by that revision, over both transports', async () => {
  const modern = await startModern();
  const real = createReal([define('modern', http(modern.url)), define('modern-stdio', testServer('modern'))]);
  for (const name of ['modern', 'modern-stdio']) {
    const params = { name: 'work', arguments: {} };
    const { kind } = await real.pool.call({ server: idOf(name), method: 'tools/call', params, origin: 'client' });
    expect(kind).toBe('success');
    await real.pool.listed(idOf(name));
  }
  await real.pool.dispose();
  await modern.close();
  const file = await recorded(real.events, 'modern');
  const server = await serveMock(file, '--server', 'modern');
  const overWeb = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
  await overWeb.connect(new ModernHttp(new URL(server.url)));
  const { command, args } = mockCommand(file, '--server', 'modern-stdio');
  const local = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
  await local.connect(new ModernStdio({ command, args: [...args], stderr: 'ignore' }));
  for (const client of [overWeb, local]) {
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(await client.callTool({ name: 'work', arguments: {} })).toMatchObject({ content: [{ text: 'done' }] });
    await client.close();
  }
  await server.close();
});

it('serves a recording of HTTP+SSE (2024-11-05) by the transport that came after it', async () => {
  const sse = await startSse();
  const real = createReal([define('sse', { ...http(sse.url), isLegacySse: true })]);
  const params = { name: 'work', arguments: {} };
  const { kind } = await real.pool.call({ server: idOf('sse'), method: 'tools/call', params, origin: 'client' });
  expect(kind).toBe('success');
  await real.pool.listed(idOf('sse'));
  await real.pool.dispose();
  await sse.close();
  const file = await recorded(real.events, 'sse');
  const server = await serveMock(file, '--delays', 'none');
  for (const client of [await overHttp('v1', server.url), await overStdio('v2', file)]) {
    expect(await client.callTool(params)).toMatchObject({ content: [{ text: 'done' }] });
    await client.close();
  }
  await server.close();
});

describe('the rules of Streamable HTTP', () => {
  let server: Served;
  let session = '';
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
  };
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  beforeAll(async () => {
    server = await serveMock(await recorded(await recordDemo(), 'rules'));
    const opened = await post(initialize);
    session = opened.headers.get('mcp-session-id') ?? '';
    expect([opened.status, session !== '', await opened.json()]).toMatchObject([200, true, { id: 1, result: {} }]);
  });
  afterAll(() => server.close());

  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const modernMeta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = {
    ...list,
    method: 'tools/call',
    params: { name: 'search_books', arguments: { query: 'dune' }, _meta: modernMeta },
  };
  const modernHeaders = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'search_books',
  };

  it.each([
    ['an answer that it does not take', () => post(list, { accept: 'application/json' }), 406, -32000],
    ['a body of another type', () => post(list, { 'content-type': 'text/plain' }), 415, -32000],
    ['a body that is no JSON', () => post('{', { 'mcp-session-id': session }), 400, -32700],
    ['no session', () => post(list), 400, -32000],
    ['a session that is not there', () => post(list, { 'mcp-session-id': 'x' }), 404, -32001],
    [
      'an unknown revision',
      () => post(list, { 'mcp-session-id': session, 'mcp-protocol-version': '1999-01-01' }),
      400,
      -32000,
    ],
    ['another path', () => fetch(server.url.replace('/mcp', '/')), 404, -32000],
    ['another method', () => fetch(server.url, { method: 'PUT' }), 405, -32000],
    ['a page of elsewhere', () => post(list, { origin: 'https://evil.example' }), 403, -32000],
    ['a stream without a session', () => fetch(server.url), 405, -32000],
    [
      'headers that are not what the body says',
      () => post(modern, { ...modernHeaders, 'mcp-name': 'other' }),
      400,
      -32020,
    ],
    ['headers that are missing', () => post(modern, { 'mcp-protocol-version': '2026-07-28' }), 400, -32020],
  ])('refuse %s', async (_, send, status, code) => {
    const response = await send();
    const body = (await response.json()) as { readonly error: { readonly code: number } };
    expect([response.status, body.error.code]).toEqual([status, code]);
  });

  it('take a stateless request with its headers, and a notification with 202', async () => {
    expect(await (await post(modern, modernHeaders)).json()).toMatchObject({ id: 2, result: { content: [{}] } });
    const taken = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': session });
    expect([taken.status, await taken.text()]).toEqual([202, '']);
  });

  it('end a session that is deleted', async () => {
    const opened = await post(initialize);
    const own = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    expect((await fetch(server.url, { method: 'DELETE', headers: own })).status).toBe(200);
    expect((await post(list, own)).status).toBe(404);
  });

  it('answer as one piece or as a stream, as the server did, and give what came later to whoever listens', async () => {
    // Its types name only what has a default.
    const behaviour: object = {
      onCall: ({ id }: { id: number }, response: import('node:http').ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const message of [
          { method: 'notifications/message', params: { level: 'info', data: 'x' } },
          { id, result: { content: [] } },
        ]) {
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
        }
        response.end();
      },
    };
    const real = await listen(behaviour);
    const client = createReal([define('streams', http(real.url))]);
    await client.pool.call({
      server: idOf('streams'),
      method: 'tools/call',
      params: { name: 'work' },
      origin: 'client',
    });
    await client.pool.listed(idOf('streams'));
    await client.pool.dispose();
    await real.close();
    const mock = await serveMock(await recorded(client.events, 'streams'), '--delays', 'none');
    const opened = await fetch(mock.url, { method: 'POST', headers: json, body: JSON.stringify(initialize) });
    const own = { ...json, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const streamed = await fetch(mock.url, {
      method: 'POST',
      headers: own,
      body: JSON.stringify({ ...list, method: 'tools/call', params: { name: 'work' } }),
    });
    const text = await streamed.text();
    await mock.close();
    expect([opened.headers.get('content-type'), streamed.headers.get('content-type')]).toEqual([
      'application/json',
      'text/event-stream',
    ]);
    const data = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
    expect(data).toMatchObject([{ method: 'notifications/message' }, { id: 2, result: { content: [] } }]);
  });
});
