import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoHttpArgs, listeningUrl } from '../../../src/demo/script.ts';
import { demoSteps } from '../../../src/demo/steps.ts';
import { type DemoProcess, initialize, startDemo } from './rawClient.ts';

let demo: DemoProcess;
let url: string;

beforeAll(async () => {
  demo = startDemo(...demoHttpArgs('').slice(1));
  const lines = await demo.stderr.until((all) => all.some((line) => listeningUrl(line) !== undefined));
  url = lines.flatMap((line) => listeningUrl(line) ?? [])[0] ?? '';
});

afterAll(async () => {
  demo.child.stdin?.end();
  expect(await demo.exited).toEqual({ code: 0 });
});

function post(message: object, session?: string | null): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return fetch(url, {
    method: 'POST',
    headers: typeof session === 'string' ? { ...headers, 'mcp-session-id': session } : headers,
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

async function openSession(): Promise<string | null> {
  const response = await post({ id: 0, method: 'initialize', params: initialize });
  await response.text();
  const session = response.headers.get('mcp-session-id');
  await post({ method: 'notifications/initialized' }, session);
  return session;
}

async function call(name: string, args: object): Promise<Response> {
  return post({ id: 1, method: 'tools/call', params: { name, arguments: args } }, await openSession());
}

/** The messages of an SSE body. */
async function messages(response: Response): Promise<unknown[]> {
  const body = await response.text();
  return body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
}

describe('the demo server over HTTP', () => {
  it('has the tools that the script calls', async () => {
    const response = await post({ id: 1, method: 'tools/list' }, await openSession());
    const [answer] = (await messages(response)) as [{ result: { tools: { name: string }[] } }];
    const called = demoSteps.filter((step) => step.server === 'bookshop-http').map((step) => step.tool);
    expect(called.filter((name) => !answer.result.tools.some((tool) => tool.name === name))).toEqual([]);
  });

  it('answers a call', async () => {
    expect(await messages(await call('get_author', { title: 'Kindred' }))).toMatchObject([
      { id: 1, result: { content: [{ text: 'Octavia E. Butler' }] } },
    ]);
  });

  it('asks for patience with Retry-After, then answers', async () => {
    const refused = await call('check_payment', { orderId: 'order-0007' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await messages(await call('check_payment', { orderId: 'order-0007' }))).toMatchObject([
      { id: 1, result: { content: [{ text: 'order-0007 is paid.' }] } },
    ]);
  });

  it('answers get_exchange_rate with the page of a gateway', async () => {
    const response = await call('get_exchange_rate', { currency: 'USD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
  });

  it('ends the stream after an answer that is none', async () => {
    expect(await messages(await call('get_cover', { isbn: '1' }))).toMatchObject([{ id: 1, result: {}, error: {} }]);
  });

  it('breaks the response off when it crashes, and lives on for others', async () => {
    const broken = call('reindex_catalogue', {}).then((response) => response.text());
    await expect(broken).rejects.toThrow();
    expect((await call('get_author', { title: 'Dune' })).status).toBe(200);
  });

  it('knows no session that it did not open', async () => {
    expect((await post({ id: 1, method: 'tools/list' }, 'no-such-session')).status).toBe(404);
  });

  it('refuses a name that was rebound to the loopback address', async () => {
    const status = await new Promise((resolve, reject) => {
      const attempt = request(url, { headers: { host: 'bookshop.example' } }, (response) =>
        resolve(response.statusCode),
      );
      attempt.on('error', reject).end();
    });
    expect(status).toBe(403);
  });

  it.each([
    ['not JSON', '{', 400],
    ['a request without a session', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400],
  ])('refuses %s', async (_name, body, status) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(status);
  });
});
