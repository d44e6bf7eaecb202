import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import { freePort } from '../../tools/lib/freePort.mjs';
import { attemptsOf, createReal, define, http, idOf, npmServer, type Real } from './support.ts';

interface TestServer {
  readonly url: string;
  readonly seen: readonly { readonly method: string; readonly message?: { readonly method?: string } }[];
  close(): Promise<void>;
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

async function serve(name: string, options: object = {}): Promise<TestServer> {
  const module: { start(options: object): Promise<TestServer> } = await import(`../../servers/${name}.mjs`);
  const server = await module.start(options);
  cleanUps.push(() => server.close());
  return server;
}

function connectTo(
  url: string,
  ...more: Parameters<typeof createReal> extends [unknown, ...infer Rest] ? Rest : never
): Real {
  const real = createReal([define('a', http(url))], ...more);
  cleanUps.push(() => real.pool.dispose());
  return real;
}

const call = (real: Real, name = 'work', args = {}): Promise<CallOutcome> =>
  real.pool.call({ server: idOf('a'), method: 'tools/call', params: { name, arguments: args }, origin: 'client' });

describe('servers over HTTP', () => {
  it.each([{ as: 'json' }, { as: 'sse' }])('answer as %o, and have their session ended', async (options) => {
    const server = await serve('httpWellBehaved', options);
    const real = connectTo(server.url);
    expect(await call(real)).toMatchObject({ kind: 'success', attempts: [{ number: 1 }] });
    await real.pool.dispose();
    expect(server.seen.map(({ method, message }) => message?.method ?? method)).toEqual(
      expect.arrayContaining(['initialize', 'notifications/initialized', 'GET', 'tools/list', 'tools/call', 'DELETE']),
    );
    const steps = real.bodies('lifecycle').map(({ detail }) => detail.step);
    expect(steps.slice(0, 2)).toEqual(['connecting', 'initialized']);
  });

  it.each([
    ['httpHtml', {}, { reason: 'not-json-rpc' }],
    ['http202ToRequest', {}, { reason: 'accepted-without-answer' }],
    ['httpSseEndsEarly', {}, { reason: 'stream-ended' }],
    ['httpResets', {}, { reason: 'reset' }],
    ['httpStatus', { status: 502 }, { reason: 'http-status', status: 502 }],
    ['httpStatus', { status: 401 }, { reason: 'unauthorized', status: 401 }],
  ])('lose the call at once: %s %o', async (name, options, failure) => {
    const server = await serve(name, options);
    const real = connectTo(server.url);
    expect(await call(real)).toMatchObject({
      kind: 'transport_error',
      detail: { end: { kind: 'transport', failure } },
      attempts: [{ number: 1 }],
    });
    expect(real.pool.connections.get(idOf('a'))?.state.kind).toBe('running');
    expect(real.bodies('local-end').length).toBe(1);
  });

  it('go on with an answer whose stream was resumed', async () => {
    const server = await serve('httpSseEndsEarly', { how: 'resume' });
    expect(await call(connectTo(server.url))).toMatchObject({ kind: 'success', attempts: [{ number: 1 }] });
  });

  it('lose the call when the stream cannot be resumed', async () => {
    const server = await serve('httpSseEndsEarly', { how: 'resume-refused' });
    const { detail } = await call(connectTo(server.url));
    expect(detail.end).toMatchObject({ kind: 'transport', failure: { reason: 'stream-ended' } });
  });

  it.each(['same', 'null', 'absent', 'foreign'])('give the error in a 400 with %s id', async (id) => {
    const server = await serve('httpErrorInBody', { id });
    const real = connectTo(server.url);
    expect(await call(real)).toMatchObject({
      kind: 'protocol_error',
      detail: { end: { kind: 'error', error: { code: -32602, message: 'Bad Request' }, httpStatus: 400 } },
    });
  });

  it.each(['404', '400'])('begin a new session once when the old one is forgotten with %s', async (how) => {
    const server = await serve('httpSessionLost', { how });
    const real = connectTo(server.url);
    expect((await call(real)).kind).toBe('success');
    expect(attemptsOf(real)).toEqual(['1 send retry.first', '2 wait retry.sessionLost', '2 send retry.sessionLost']);
    expect(server.seen.filter(({ message }) => message?.method === 'initialize').length).toBe(2);
  });

  it('say of every call in flight that the session is forgotten, and each is repeated', async () => {
    const server = await serve('httpSessionLost');
    const real = connectTo(server.url);
    await real.pool.connect(idOf('a'));
    const outcomes = await Promise.all([call(real), call(real), call(real)]);
    expect(outcomes.map(({ kind, attempts }) => `${kind} ${attempts.length}`)).toEqual(Array(3).fill('success 2'));
    expect(server.seen.filter(({ message }) => message?.method === 'initialize').length).toBe(2);
  });

  it('are asked again when they said when', async () => {
    const server = await serve('httpStatus', { status: 429, retryAfter: '0' });
    const real = connectTo(server.url);
    expect(await call(real)).toMatchObject({ stopped: 'retry.attemptsUsed', attempts: [{}, {}, {}] });
    expect(attemptsOf(real)).toContain('2 wait retry.retryAfter');
  });

  it('end by our limit when they never answer', async () => {
    const server = await serve('httpNeverAnswers');
    const real = connectTo(server.url, { timeoutMs: 200 });
    expect((await call(real)).detail.end).toMatchObject({ kind: 'timeout', limit: 'idle' });
    await expect
      .poll(() => server.seen.some(({ message }) => message?.method === 'notifications/cancelled'))
      .toBe(true);
  });

  it('say why when there are none', async () => {
    const port = await freePort();
    const real = connectTo(`http://127.0.0.1:${port}/mcp`);
    expect(await call(real)).toMatchObject({
      kind: 'transport_error',
      detail: { end: { failure: { reason: 'refused', code: 'ECONNREFUSED' } } },
      stopped: 'retry.neverExecuted',
    });
    expect(real.pool.connections.get(idOf('a'))?.state).toMatchObject({ failure: { code: 'connection.refused' } });
  });

  it('work for the reference server, resumable streams and progress included', async () => {
    const port = await freePort();
    const { command, args } = npmServer('everything', 'streamableHttp');
    const child = spawn(command, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
    cleanUps.push(async () => {
      child.kill();
      await once(child, 'exit');
    });
    const real = connectTo(`http://127.0.0.1:${port}/mcp`, { capMs: 50 });
    await expect.poll(async () => (await real.pool.connect(idOf('a'))).kind, { timeout: 20_000 }).toBe('running');
    expect((await call(real, 'echo', { message: 'hi' })).kind).toBe('success');
    expect((await call(real, 'get-annotated-message', { messageType: 'error' })).kind).toBe('silent_error');
    expect((await call(real, 'no-such-tool')).kind).toBe('tool_error');
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBeGreaterThan(10);
  });
});
