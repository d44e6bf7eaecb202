import http from 'node:http';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import type { HttpWire } from '../../../src/core/transport/wire.ts';
import * as accepted from '../../servers/http202ToRequest.mjs';
import * as brokenJson from '../../servers/httpBrokenJson.mjs';
import * as errorInBody from '../../servers/httpErrorInBody.mjs';
import * as getStream from '../../servers/httpGetStream.mjs';
import * as html from '../../servers/httpHtml.mjs';
import * as neverAnswers from '../../servers/httpNeverAnswers.mjs';
import * as resets from '../../servers/httpResets.mjs';
import * as sessionLost from '../../servers/httpSessionLost.mjs';
import * as sseEndsEarly from '../../servers/httpSseEndsEarly.mjs';
import * as sseNoise from '../../servers/httpSseNoise.mjs';
import * as sseSlow from '../../servers/httpSseSlow.mjs';
import * as status from '../../servers/httpStatus.mjs';
import * as wellBehaved from '../../servers/httpWellBehaved.mjs';
import { until } from '../../unit/core/transport/wireProbe.ts';
import { call, cleanUps, doneAnswer, openWire, post, serve, type TestServer } from './httpScene.ts';

describe('an answer', () => {
  it.each(['json', 'sse'])('as %s is recorded, told and handed on', async (as) => {
    const server = await serve(wellBehaved.start({ as }));
    const { wire, sink, probe } = openWire();
    const { response, text } = await post(wire, `${server.url}?token=abc`, { session: '0123456789' });

    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.url]).toEqual([200, true, `${server.url}?token=abc`]);
    expect(text).toContain(JSON.stringify(doneAnswer));
    expect(sink.events.map(({ body }) => body.kind)).toEqual(['message', 'message', 'http']);
    expect(sink.bodies('message')).toMatchObject([
      { direction: 'sent', raw: JSON.stringify(call), envelope: { kind: 'request', id: 7 }, http: 'connection/1' },
      {
        direction: 'received',
        raw: JSON.stringify(doneAnswer),
        bytes: JSON.stringify(doneAnswer).length,
        envelope: { kind: 'result', id: 7 },
        http: 'connection/1',
      },
    ]);
    const [exchange] = sink.bodies('http');
    expect(exchange).toMatchObject({
      id: 'connection/1',
      method: 'POST',
      url: `${server.url}?token=[redacted]`,
      status: 200,
      requestId: 7,
      requestHeaders: { 'mcp-session-id': '01234567…' },
    });
    expect(exchange).not.toHaveProperty('failure');
    expect(exchange).not.toHaveProperty('body');
    expect(probe.received).toMatchObject([
      { envelope: { kind: 'result', id: 7 }, message: doneAnswer, httpStatus: 200 },
    ]);
    expect(probe.lost).toEqual([]);
  });

  it('over SSE keeps its characters however it is cut, and the reader gets the same bytes', async () => {
    const server = await serve(sseSlow.start());
    const { wire, probe } = openWire();
    const { text } = await post(wire, server.url);
    expect(probe.received[0]?.raw).toContain('"é\u2028ü"');
    expect(text).toBe(`data: ${probe.received[0]?.raw}\r\n\r\n`);
  });

  it('over SSE is found among frames that are no messages', async () => {
    const server = await serve(sseNoise.start());
    const { wire, sink, probe } = openWire();
    await post(wire, server.url);
    expect(sink.bodies('noise')).toMatchObject([
      { stream: 'sse', raw: 'hello', problem: 'not-json', bytes: 5 },
      { stream: 'sse', raw: '{"level":"info"}', problem: 'not-jsonrpc' },
      { stream: 'sse', raw: '{}', problem: 'not-jsonrpc' },
    ]);
    expect(probe.received).toHaveLength(1);
    expect(probe.lost).toEqual([]);
  });

  it.each<[object, object]>([
    [{ status: 400, id: 'same' }, { envelope: { kind: 'error', id: 7, code: -32602 } }],
    [
      { status: 400, id: 'null' },
      { envelope: { kind: 'error', id: null, code: -32602 }, answers: 7 },
    ],
    [
      { status: 404, id: 'absent', code: -32601 },
      { envelope: { kind: 'error', id: null }, answers: 7 },
    ],
    [
      { status: 500, id: 'foreign' },
      { envelope: { kind: 'error', id: 'server-error' }, answers: 7 },
    ],
  ])('may be an error in a body of another status: %j', async (options, expected) => {
    const server = await serve(errorInBody.start(options));
    const { wire, sink, probe } = openWire();
    const { response, text } = await post(wire, server.url);
    expect(probe.received).toMatchObject([{ ...expected, httpStatus: response.status, retryAfterMs: 7000 }]);
    expect(probe.received[0]?.raw).toBe(text);
    expect(probe.lost).toEqual([]);
    expect(sink.bodies('http')[0]).not.toHaveProperty('failure');
  });
});

describe('no answer', () => {
  const page = '<!doctype html><title>Sign in</title><p>Please sign in.</p>';
  it.each<[string, () => Promise<TestServer>, object, object]>([
    [
      'a status with Retry-After',
      () => status.start({ status: 429, retryAfter: '3', body: 'slow down' }),
      {
        reason: 'http-status',
        status: 429,
        retryAfterMs: 3000,
        message: expect.stringContaining('slow down'),
      },
      { status: 429, body: 'slow down' },
    ],
    ['401', () => status.start({ status: 401 }), { reason: 'unauthorized', status: 401 }, { status: 401 }],
    ['403', () => status.start({ status: 403 }), { reason: 'unauthorized', status: 403 }, { status: 403 }],
    ['202', () => accepted.start(), { reason: 'accepted-without-answer', status: 202 }, { status: 202 }],
    ['a page', () => html.start(), { reason: 'not-json-rpc', status: 200 }, { status: 200, body: page }],
    ['broken JSON', () => brokenJson.start(), { reason: 'not-json-rpc' }, { body: '{"jsonrpc":"2.0","id":' }],
    ['JSON of another kind', () => brokenJson.start({ body: '{"ok":true}' }), { reason: 'not-json-rpc' }, {}],
    [
      'an answer to something else',
      () => brokenJson.start({ body: '{"jsonrpc":"2.0","id":99,"result":{}}' }),
      { reason: 'not-json-rpc' },
      {},
    ],
    ['a stream that ends early', () => sseEndsEarly.start(), { reason: 'stream-ended', status: 200 }, { status: 200 }],
    ['a session that is gone', () => sessionLost.start(), { reason: 'session-lost', status: 404 }, { status: 404 }],
  ])('for %s is told with its cause', async (_name, start, failure, exchange) => {
    const server = await serve(start());
    const { wire, sink, probe } = openWire();
    await post(wire, server.url, { session: 'session-0123456789' });
    expect(probe.lost).toMatchObject([{ id: 7, failure }]);
    expect(sink.bodies('http')).toMatchObject([{ ...exchange, requestId: 7, failure }]);
  });

  it('is noise when it was a page; an error that says that the session is gone is an answer', async () => {
    const pages = await serve(html.start());
    const sessions = await serve(sessionLost.start({ how: '400' }));
    const { wire, sink, probe } = openWire();
    await post(wire, pages.url);
    await post(wire, sessions.url);
    expect(sink.bodies('noise')).toMatchObject([{ stream: 'http', raw: page, problem: 'not-json' }]);
    expect(probe.received).toMatchObject([{ envelope: { kind: 'error', id: null, code: -32000 }, httpStatus: 400 }]);
    expect(probe.received[0]).toMatchObject({ answers: 7, isSessionLost: true });
  });

  it.each<[string, () => Promise<string>, object]>([
    [
      'nobody listens',
      async () => {
        const server = await wellBehaved.start();
        await server.close();
        return server.url;
      },
      { reason: 'refused', code: 'ECONNREFUSED' },
    ],
    ['the name is unknown', async () => 'http://no-such-host.invalid/mcp', { reason: 'unresolved' }],
    [
      'the connection is dropped',
      async () => (await serve(resets.start())).url,
      { reason: 'reset', code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    ],
    [
      'the other side speaks no TLS',
      async () => (await serve(wellBehaved.start())).url.replace('http:', 'https:'),
      { reason: 'tls' },
    ],
  ])('comes when %s', async (_name, url, failure) => {
    const { wire, sink, probe } = openWire();
    await expect(post(wire, await url())).rejects.toBeInstanceOf(Error);
    expect(probe.lost).toMatchObject([{ id: 7, failure }]);
    const [exchange] = sink.bodies('http');
    expect(exchange).toMatchObject({ failure, responseHeaders: {} });
    expect(exchange).not.toHaveProperty('status');
  });

  it('comes when the stream is dropped in the middle', async () => {
    const server = await serve(sseEndsEarly.start({ how: 'reset' }));
    const { wire, sink, probe } = openWire();
    await expect(post(wire, server.url)).rejects.toBeInstanceOf(Error);
    expect(probe.received).toMatchObject([{ envelope: { kind: 'notification' } }]);
    expect(probe.lost).toMatchObject([{ id: 7, failure: { reason: 'reset' } }]);
    expect(sink.bodies('http')).toMatchObject([{ status: 200, failure: { reason: 'reset' } }]);
  });

  it.each(['', 'headers'])('comes when the caller gives up (%s)', async (after) => {
    const server = await serve(neverAnswers.start({ after }));
    const { wire, probe } = openWire();
    const abort = new AbortController();
    const posting = post(wire, server.url, { signal: abort.signal });
    await until(() => server.seen.length === 1);
    abort.abort();
    await expect(posting).rejects.toMatchObject({ name: 'AbortError' });
    expect(probe.lost).toMatchObject([{ id: 7, failure: { reason: 'closed' } }]);
  });

  it('comes for everything in flight when the wire is closed', async () => {
    const silent = await serve(neverAnswers.start());
    const streaming = await serve(neverAnswers.start({ after: 'headers' }));
    const { wire, sink, probe } = openWire();
    const posting = [post(wire, silent.url), post(wire, streaming.url)].map((attempt) =>
      attempt.catch(() => 'rejected'),
    );
    await until(() => silent.seen.length === 1 && streaming.seen.length === 1);
    await Promise.all([wire.close(), wire.close()]);
    expect(await Promise.all(posting)).toEqual(['rejected', 'rejected']);
    expect(probe.lost.map(({ failure }) => failure.reason)).toEqual(['closed']);
    expect(probe.closed).toMatchObject([{ reason: 'closed' }]);
    expect(sink.bodies('http')).toHaveLength(2);
    expect(sink.steps()).toEqual(['shutdown closed']);
    await expect(post(wire, silent.url)).rejects.toBeInstanceOf(Error);
  });
});

describe('a stream that ends at an event id', () => {
  const resume = (wire: HttpWire, url: string) =>
    wire.fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': '5' } });

  it('loses nothing when it is resumed', async () => {
    const server = await serve(sseEndsEarly.start({ how: 'resume' }));
    const { wire, sink, probe } = openWire();
    await post(wire, server.url);
    expect(probe.lost).toEqual([]);
    await (await resume(wire, server.url)).text();
    expect(probe.received).toMatchObject([{ envelope: { kind: 'result', id: 7 } }]);
    expect(sink.bodies('http').map(({ failure }) => failure)).toEqual([undefined, undefined]);
    await wire.close();
    expect(probe.lost).toEqual([]);
  });

  it('loses its requests when it cannot be resumed', async () => {
    const server = await serve(sseEndsEarly.start({ how: 'resume-refused' }));
    const { wire, probe } = openWire();
    await post(wire, server.url);
    await (await resume(wire, server.url)).text();
    expect(probe.lost).toMatchObject([{ id: 7, failure: { reason: 'stream-ended', status: 404 } }]);
  });
});

it('records the GET stream as it arrives, and a refusal of it as no failure', async () => {
  const streaming = await serve(getStream.start());
  const refusing = await serve(wellBehaved.start());
  const { wire, sink, probe } = openWire();
  const headers = { accept: 'text/event-stream' };
  await (await wire.fetch(refusing.url, { headers })).text();
  expect(sink.bodies('http')).toMatchObject([{ method: 'GET', status: 405 }]);
  expect(sink.bodies('http')[0]).not.toHaveProperty('failure');

  const response = await wire.fetch(streaming.url, { headers });
  const reading = response.text().catch(() => 'aborted');
  await until(() => probe.received.length === 2);
  expect(probe.received.map(({ envelope }) => envelope)).toEqual([
    { kind: 'notification', method: 'notifications/tools/list_changed' },
    { kind: 'request', id: 0, method: 'ping' },
  ]);
  await wire.close();
  expect(await reading).toBe('aborted');
  expect(probe.lost).toEqual([]);
});

it('keeps the bodies of exchanges that are not MCP to itself', async () => {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"access_token":"abc"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as net.AddressInfo;
  const { wire, sink } = openWire();
  const request = new Request(`http://127.0.0.1:${port}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_secret=abc',
  });
  const response = await wire.fetch(request);
  expect(await response.json()).toEqual({ access_token: 'abc' });
  expect(sink.events.map(({ body }) => body.kind)).toEqual(['http']);
  expect(JSON.stringify(sink.events)).not.toContain('abc');
  await wire.close();
});

it('gives a status that HTTP does not define to the caller', async () => {
  const server = net.createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 799 Odd\r\ncontent-length: 2\r\n\r\nno'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as net.AddressInfo;
  const { wire, probe } = openWire();
  const { response, text } = await post(wire, `http://127.0.0.1:${port}/`);
  expect([response.status, text]).toEqual([799, 'no']);
  expect(probe.lost).toMatchObject([{ id: 7, failure: { reason: 'http-status', status: 799 } }]);
});

it('goes on when a listener throws', async () => {
  const server = await serve(wellBehaved.start());
  const errors: unknown[] = [];
  const { wire } = openWire({ onListenerError: (error) => errors.push(error) });
  wire.onDidReceive(() => {
    throw new Error('listener');
  });
  const { text } = await post(wire, server.url);
  expect(JSON.parse(text)).toEqual(doneAnswer);
  expect(errors).toHaveLength(1);
});
