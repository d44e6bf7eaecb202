import { afterEach, describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import type { HttpDefinition, StdioDefinition, ToolPolicy } from '../../../src/protocol/definition.ts';
import { attemptsOf, createReal, define, http, idOf, type Real, testServer } from './support.ts';

// Every row of "What may be retried" in docs/outcomes.md, over real transports.

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
  transport: StdioDefinition | HttpDefinition,
  policy?: ToolPolicy,
  settings: NonNullable<Parameters<typeof createReal>[1]> = {},
): Real {
  const real = createReal([define('a', transport)], settings, { toolPolicy: () => policy });
  cleanUps.push(() => real.pool.dispose());
  return real;
}

const SAFE: ToolPolicy = { isIdempotent: true };
const call = (real: Real, method = 'tools/call'): Promise<CallOutcome> =>
  real.pool.call({ server: idOf('a'), method, params: { name: 'work', arguments: {} }, origin: 'client' });
const callsOf = (server: TestServer) => server.seen.filter(({ message }) => message?.method === 'tools/call').length;
const stateOf = (real: Real) => real.pool.connections.get(idOf('a'))?.state.kind;

describe('row "never executed": not by itself, whatever the tool', () => {
  it('spawn failed', async () => {
    const real = connectTo({ type: 'stdio', command: 'no-such-command-here', args: [], env: {} }, SAFE);
    expect(await call(real)).toMatchObject({
      kind: 'transport_error',
      detail: { retry: 'after_fix', end: { failure: { reason: 'spawn-failed', code: 'ENOENT' } } },
      stopped: 'retry.neverExecuted',
    });
    expect(attemptsOf(real)).toEqual(['1 refuse retry.neverExecuted']);
  });

  it.each([
    ['ECONNREFUSED', 'http://127.0.0.1:47/mcp', 'refused'],
    ['ENOTFOUND', 'http://no-such-host.invalid/mcp', 'unresolved'],
  ])('%s', async (_name, url, reason) => {
    const outcome = await call(connectTo(http(url), SAFE));
    expect(outcome).toMatchObject({ detail: { end: { failure: { reason } } }, stopped: 'retry.neverExecuted' });
    expect(outcome.isAmbiguous).toBeUndefined();
  });

  it.each([401, 403, 405, 406, 413, 415])('HTTP %i', async (status) => {
    const server = await serve('httpStatus', { status });
    const outcome = await call(connectTo(http(server.url), SAFE));
    expect(outcome).toMatchObject({ kind: 'transport_error', stopped: 'retry.neverExecuted', attempts: [{}] });
    expect(callsOf(server)).toBe(1);
  });

  it('HTTP 404 without a session', async () => {
    const server = await serve('httpStatus', { status: 404, session: 'none' });
    expect(await call(connectTo(http(server.url), SAFE))).toMatchObject({
      detail: { end: { failure: { reason: 'http-status', status: 404 } } },
      stopped: 'retry.neverExecuted',
    });
  });
});

describe('row "429, 503 with Retry-After": after it, at most maxAttempts, the connection kept', () => {
  const inTwoSeconds = () => new Date(Date.now() + 2_000).toUTCString();
  it.each([
    ['429 in seconds', { status: 429, retryAfter: '0.05', times: 2 }, 'success', 3],
    ['503 in seconds', { status: 503, retryAfter: '0.05', times: 1 }, 'success', 2],
    ['503 as a date', { status: 503, retryAfter: inTwoSeconds(), times: 1 }, 'success', 2],
    ['429 for ever', { status: 429, retryAfter: '0' }, 'transport_error', 3],
    ['429 that does not say when', { status: 429, times: 1 }, 'success', 2],
  ])('%s', async (_name, options, kind, attempts) => {
    const server = await serve('httpStatus', options);
    const real = connectTo(http(server.url));
    const outcome = await call(real);
    expect([outcome.kind, outcome.attempts.length]).toEqual([kind, attempts]);
    expect(stateOf(real)).toBe('running');
  });

  it('a wait beyond the cap is not waited for', async () => {
    const server = await serve('httpStatus', { status: 429, retryAfter: '3600' });
    expect(await call(connectTo(http(server.url)))).toMatchObject({
      stopped: 'retry.retryAfterTooLong',
      attempts: [{}],
    });
  });
});

describe('row "session lost": once, after a new session', () => {
  it.each([
    ['404', 1],
    ['400', 1],
    ['404-json', 1],
    ['404-named', 1],
  ])('%s', async (how) => {
    const server = await serve('httpSessionLost', { how });
    const real = connectTo(http(server.url));
    expect((await call(real)).kind).toBe('success');
    expect(attemptsOf(real)).toEqual(['1 send retry.first', '2 wait retry.sessionLost', '2 send retry.sessionLost']);
  });

  it('is shared by all that wait, and does not go round', async () => {
    const server = await serve('httpSessionLost', { how: 'always' });
    const real = connectTo(http(server.url));
    const outcomes = await Promise.all([call(real), call(real), call(real)]);
    expect(outcomes.map(({ stopped }) => stopped)).toEqual(Array(3).fill('retry.onceOnly'));
    expect(server.seen.filter(({ message }) => message?.method === 'initialize').length).toBeLessThanOrEqual(4);
  });
});

describe('row "-32022, -32020, -32021": once, after correcting it', () => {
  it.each([
    ['-32020 on Mcp-Param-*', 'header', 'success', 2],
    ['-32021', 'capability', 'success', 2],
    ['-32021 that nobody can meet', 'capability-unknown', 'protocol_error', 1],
    ['-32022 with data.supported', 'version', 'success', 2],
    ['-32020 that stays', 'header-always', 'protocol_error', 2],
  ])('%s', async (_name, what, kind, attempts) => {
    const server = await serve('httpModernRefuses', { what });
    const real = connectTo(http(server.url));
    await real.pool.connect(idOf('a'));
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBe(1);
    const params = { name: 'work', arguments: { region: 'eu' } };
    const outcome = await real.pool.call({ server: idOf('a'), method: 'tools/call', params, origin: 'client' });
    expect([outcome.kind, outcome.attempts.length]).toEqual([kind, attempts]);
  });
});

describe('row "-32601, -32602, -32700, -32600": never', () => {
  it.each([-32601, -32602, -32700, -32600])('%i', async (code) => {
    const server = await serve('httpErrorInBody', { code, status: 200 });
    expect(await call(connectTo(http(server.url), SAFE))).toMatchObject({
      kind: 'protocol_error',
      stopped: 'retry.willFailAgain',
      attempts: [{}],
    });
  });
});

describe('row "may have been executed": only if idempotent', () => {
  const lost: readonly [string, string, object, number][] = [
    ['-32603, once', 'httpErrorInBody', { code: -32603, status: 200 }, 2],
    ['code 0, once', 'httpErrorInBody', { code: 0, status: 200 }, 2],
    ['HTTP 500', 'httpStatus', { status: 500 }, 3],
    ['HTTP 502', 'httpStatus', { status: 502 }, 3],
    ['HTTP 503 that does not say when', 'httpStatus', { status: 503 }, 3],
    ['HTTP 504', 'httpStatus', { status: 504 }, 3],
    ['a stream lost in flight', 'httpSseEndsEarly', {}, 3],
    ['a connection reset in flight', 'httpResets', {}, 3],
    ['202 and no answer', 'http202ToRequest', {}, 3],
    ['a timeout', 'httpNeverAnswers', {}, 3],
  ];

  it.each(lost)('%s: repeated for a tool that is', async (_name, file, options, attempts) => {
    const server = await serve(file, options);
    const outcome = await call(connectTo(http(server.url), SAFE, { timeoutMs: 100, breakerFailures: 0 }));
    expect(outcome.attempts.length).toBe(attempts);
    expect(outcome.isAmbiguous).toBeUndefined();
    expect(callsOf(server)).toBe(attempts);
  });

  it.each(lost)('%s: not for one of which nothing is known, and that is said', async (_name, file, options) => {
    const server = await serve(file, options);
    const outcome = await call(connectTo(http(server.url), undefined, { timeoutMs: 100 }));
    expect(outcome).toMatchObject({ stopped: 'notIdempotent.unknown', attempts: [{}] });
    expect(outcome.isAmbiguous).toBe(outcome.kind === 'protocol_error' ? undefined : true);
    expect(callsOf(server)).toBe(1);
  });

  it.each([
    [SAFE, 3],
    [undefined, 1],
  ])('a process lost in flight, with %j', async (policy, attempts) => {
    const real = connectTo(testServer('exitMidCall'), policy);
    const outcome = await call(real);
    expect(outcome.attempts.length).toBe(attempts);
    expect(outcome.isAmbiguous).toBe(policy === undefined ? true : undefined);
  });

  it('a method without side effects is repeated by itself', async () => {
    const real = connectTo(testServer('wellBehaved'), undefined, { timeoutMs: 100 });
    const silent = connectTo(testServer('silentTo', 'resources/read'), undefined, { timeoutMs: 100 });
    expect((await call(real, 'ping')).attempts.length).toBe(1);
    expect(await call(silent, 'resources/read')).toMatchObject({ kind: 'timeout', attempts: [{}, {}, {}] });
  });

  it('an idempotency key is the same in every attempt', async () => {
    const real = connectTo(testServer('exitMidCall'), { idempotencyKeyArgument: 'key' });
    expect((await call(real)).attempts.length).toBe(3);
    const keys = real
      .bodies('message')
      .filter(({ direction, raw }) => direction === 'sent' && raw.includes('tools/call'))
      .map(({ raw }) => JSON.parse(raw).params.arguments.key);
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([3, 1, 'string']);
  });
});

describe('row "isError, silent error, partial": never by the client', () => {
  it.each([
    ['isError', { content: [{ type: 'text', text: 'no disk' }], isError: true }, 'tool_error'],
    ['silent error', { content: [{ type: 'text', text: '{"success":false,"error":"no disk"}' }] }, 'silent_error'],
    [
      'partial',
      { content: [], structuredContent: { processed: 7, total: 10, failed: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
      'partial',
    ],
  ])('%s', async (_name, result, kind) => {
    const real = connectTo(testServer('givenResult', JSON.stringify(result)), SAFE);
    expect(await call(real)).toMatchObject({ kind, stopped: 'retry.toolOutcome', attempts: [{}] });
  });
});

describe('budgets', () => {
  it('the retries of a minute are not a storm', async () => {
    const real = connectTo(testServer('exitMidCall'), SAFE, { retriesPerMinute: 3, breakerFailures: 0, loopLimit: 0 });
    const outcomes: CallOutcome[] = [];
    for (let calls = 0; calls < 3; calls += 1) {
      outcomes.push(await call(real));
    }
    expect(outcomes.map(({ attempts, stopped }) => `${attempts.length} ${stopped}`)).toEqual([
      '3 retry.attemptsUsed',
      '2 retry.budgetUsed',
      '1 retry.budgetUsed',
    ]);
  });

  it('the breaker opens, answers at once meanwhile, lets one through and closes', async () => {
    const server = await serve('httpStatus', { status: 503, times: 3 });
    const real = connectTo(http(server.url), undefined, { breakerFailures: 3, breakerOpenMs: 300, loopLimit: 0 });
    for (let calls = 0; calls < 3; calls += 1) {
      expect((await call(real)).detail.end).toMatchObject({ failure: { status: 503 } });
    }
    const refused = await call(real);
    expect(refused).toMatchObject({
      kind: 'transport_error',
      detail: { retry: 'safe', end: { failure: { reason: 'unavailable', retryAfterMs: expect.any(Number) } } },
      stopped: 'breaker.open',
    });
    expect(callsOf(server)).toBe(3);
    await expect.poll(async () => (await call(real)).kind).toBe('success');
    const states = real.bodies('lifecycle').flatMap(({ detail }) => (detail.step === 'breaker' ? [detail.state] : []));
    expect(states).toEqual(['open', 'half-open', 'closed']);
  });

  it('the call that would be one blind repetition too many is not sent', async () => {
    const real = connectTo(testServer('givenResult', '{"content":[{"type":"text","text":"no disk"}],"isError":true}'));
    for (let calls = 0; calls < 3; calls += 1) {
      expect((await call(real)).stopped).toBe('retry.toolOutcome');
    }
    const summary = await call(real);
    expect(summary).toMatchObject({
      kind: 'tool_error',
      attempts: [],
      stopped: 'loop.refused',
      stoppedArgs: { count: 3 },
    });
    expect(summary.detail.signals[0]).toMatchObject({
      code: 'signal.loop.repeated',
      args: { count: 3, outcome: 'tool_error' },
    });
    expect(attemptsOf(real).at(-1)).toBe('1 refuse loop.refused');
    const other = { name: 'work', arguments: { changed: true } };
    const changed = await real.pool.call({ server: idOf('a'), method: 'tools/call', params: other, origin: 'client' });
    expect(changed.stopped).toBe('retry.toolOutcome');
  });
});
