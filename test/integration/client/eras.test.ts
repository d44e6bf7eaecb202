import { afterEach, describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import type { ServerDefinition } from '../../../src/protocol/definition.ts';
import type { Revision } from '../../../src/protocol/revisions.ts';
import { attemptsOf, createReal, define, http, idOf, npmServer, type Real, testServer } from './support.ts';

interface Seen {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly message?: { readonly method?: string; readonly params?: { readonly _meta?: object } };
}
interface TestServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

function using(
  definition: ServerDefinition,
  ...more: Parameters<typeof createReal> extends [unknown, ...infer R] ? R : never
) {
  const real = createReal([definition], ...more);
  cleanUps.push(() => real.pool.dispose());
  return real;
}

async function serve(name: string, options: object = {}): Promise<TestServer> {
  const module: { start(options: object): Promise<TestServer> } = await import(`../../servers/${name}.mjs`);
  const server = await module.start(options);
  cleanUps.push(() => server.close());
  return server;
}

const call = (real: Real, args: object = {}): Promise<CallOutcome> =>
  real.pool.call({
    server: idOf('a'),
    method: 'tools/call',
    params: { name: 'work', arguments: { ...args } },
    origin: 'client',
  });
const stateOf = (real: Real) => real.pool.connections.get(idOf('a'))?.state;
const sentBy = (real: Real) =>
  real
    .bodies('message')
    .flatMap(({ direction, envelope }) =>
      direction === 'sent' && (envelope.kind === 'request' || envelope.kind === 'notification')
        ? [envelope.method]
        : [],
    );
const pinned = (definition: ServerDefinition, ...versions: Revision[]): ServerDefinition => ({
  ...definition,
  versions,
});

describe('the era of a server', () => {
  it('is asked once, and legacy is taken on the same process', async () => {
    const real = using(define('a', testServer('wellBehaved')));
    expect((await call(real)).kind).toBe('success');
    expect(sentBy(real).slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    expect(real.bodies('lifecycle').filter(({ detail }) => detail.step === 'started').length).toBe(1);
    expect(stateOf(real)).toMatchObject({ kind: 'running', revision: '2025-11-25' });
  });

  it('is kept for a connection that is made again by itself, and asked anew after a restart by hand', async () => {
    const real = using(define('a', testServer('exitMidCall')));
    await call(real);
    await call(real);
    expect(sentBy(real).filter((method) => method === 'server/discover').length).toBe(1);
    await real.pool.restart(idOf('a'));
    expect(sentBy(real).filter((method) => method === 'server/discover').length).toBe(2);
  });

  it('is legacy for a server that dies on the question and is started again', async () => {
    const real = using(define('a', testServer('diesOnDiscover')));
    expect((await call(real)).kind).toBe('success');
    expect(real.bodies('lifecycle').filter(({ detail }) => detail.step === 'started').length).toBe(2);
    expect(attemptsOf(real)).toEqual(['1 send retry.first']);
  });

  it('does not hide the cause of a server that dies in any case', async () => {
    const real = using(define('a', testServer('diesOnDiscover', 'always')));
    expect(await real.pool.connect(idOf('a'))).toMatchObject({
      kind: 'failed',
      failure: { code: 'connection.exited', args: { exit: 1, stderr: 'expected initialize' } },
    });
  });

  it('is legacy for a server that is silent', async () => {
    const real = using(define('a', testServer('silentToDiscover')), { discoverTimeoutMs: 200 });
    expect((await call(real)).kind).toBe('success');
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    'may be %s by the answer',
    async (revision) => {
      const real = using(define('a', testServer('oneRevision', revision)));
      expect((await call(real)).kind).toBe('success');
      expect(stateOf(real)).toMatchObject({ kind: 'running', revision });
    },
  );

  it.each(['2024-11-05', '2025-06-18'] as const)('may be %s after another was refused', async (revision) => {
    const real = using(define('a', testServer('oneRevision', revision, 'refuse')));
    expect((await call(real)).kind).toBe('success');
    expect(stateOf(real)).toMatchObject({ kind: 'running', revision });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    'is not asked where %s is pinned',
    async (revision) => {
      const real = using(pinned(define('a', npmServer('everything')), revision));
      expect(await real.pool.connect(idOf('a'))).toMatchObject({ kind: 'running', revision });
      expect(sentBy(real)).not.toContain('server/discover');
    },
  );

  it('is not given up for another where 2026-07-28 is pinned', async () => {
    const real = using(pinned(define('a', testServer('wellBehaved')), '2026-07-28'));
    expect(await real.pool.connect(idOf('a'))).toMatchObject({
      kind: 'failed',
      failure: { code: 'connection.refusedHandshake' },
    });
    expect(sentBy(real)).toEqual(['server/discover']);
  });
});

describe('2026-07-28', () => {
  it('is spoken over stdio: no handshake, and every request with its _meta', async () => {
    const real = using(define('a', testServer('modern')));
    expect((await call(real)).kind).toBe('success');
    expect(stateOf(real)).toMatchObject({
      kind: 'running',
      revision: '2026-07-28',
      serverInfo: { name: 'modern-test', version: '1.0.0' },
    });
    await expect.poll(() => sentBy(real)).toEqual(expect.arrayContaining(['subscriptions/listen', 'tools/list']));
    expect(sentBy(real)).not.toContain('initialize');
  });

  it('is spoken over HTTP: with its headers, without a session', async () => {
    const server = await serve('httpModern');
    const real = using(define('a', http(server.url)));
    expect((await call(real)).kind).toBe('success');
    const calls = server.seen.filter(({ message }) => message?.method === 'tools/call');
    expect(calls.map(({ headers }) => headers)).toMatchObject([
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'work' },
    ]);
    expect(calls[0]?.headers['mcp-session-id']).toBeUndefined();
    await real.pool.dispose();
    expect(server.seen.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('has its changes listened for, and the lists read again', async () => {
    const real = using(define('a', testServer('modern', 'listen')), { timeoutMs: 300 });
    await call(real);
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBe(2);
    await call(real);
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBe(3);
    expect(real.bodies('local-end')).toEqual([]);
  });

  it('listens again when its stream was dropped', async () => {
    const server = await serve('httpModern', { listen: 'drop' });
    const real = using(define('a', http(server.url)));
    await real.pool.connect(idOf('a'));
    const listens = () => server.seen.filter(({ message }) => message?.method === 'subscriptions/listen').length;
    await expect.poll(listens).toBe(2);
    await expect.poll(() => server.seen.filter(({ message }) => message?.method === 'tools/list').length).toBe(2);
  });

  it('ends a call as input_required, and goes on with it in the same chain', async () => {
    const real = using(define('a', testServer('modernRounds', '2')));
    const first = await call(real, { x: 1 });
    expect(first).toMatchObject({ kind: 'input_required', stopped: 'retry.answered' });
    const responses = { name: { action: 'accept', content: { name: 'Ann' } } };
    const second = await real.pool.continueCall(first, responses);
    expect(second).toMatchObject({ kind: 'input_required', chain: first.chain, attempts: [{ number: 2 }] });
    const third = await real.pool.continueCall(second, responses);
    expect(third).toMatchObject({
      kind: 'success',
      chain: first.chain,
      attempts: [{ number: 3, reason: 'retry.round' }],
    });
    expect(third.detail.end).toMatchObject({
      result: { content: [{ text: JSON.stringify([responses, { x: 1 }]) }] },
    });
    expect(await real.pool.continueCall(third, {})).toMatchObject({ stopped: 'call.notContinuable' });
  });

  it.each(['modernTask', 'legacyTask'])('follows the task that %s makes of a call', async (name) => {
    const real = using(define('a', testServer(name)));
    await real.pool.connect(idOf('a'));
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBe(1);
    const begun = await call(real);
    expect(begun.kind).toBe('task_pending');
    const states: string[] = [];
    const done = await real.pool.pollTask(begun, { onStatus: ({ status }) => states.push(status) });
    expect(done.kind).toBe('success');
    expect(states).toEqual(['working', 'working', 'completed']);
  });

  it.each([
    ['header', 'success', ['2 wait retry.corrected', '2 send retry.corrected']],
    [
      'header-always',
      'protocol_error',
      ['2 wait retry.corrected', '2 send retry.corrected', '2 give-up retry.onceOnly'],
    ],
    ['capability', 'success', ['2 wait retry.corrected', '2 send retry.corrected']],
    ['capability-unknown', 'protocol_error', ['1 refuse retry.needsCorrection']],
    ['version', 'success', ['2 wait retry.corrected', '2 send retry.corrected']],
    ['session', 'protocol_error', ['1 refuse retry.willFailAgain']],
  ])('corrects a call once where it can be: %s', async (what, kind, more) => {
    const server = await serve('httpModernRefuses', { what });
    const real = using(define('a', http(server.url)));
    await real.pool.connect(idOf('a'));
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBe(1);
    expect((await call(real, { region: 'eu' })).kind).toBe(kind);
    expect(attemptsOf(real)).toEqual(['1 send retry.first', ...more]);
  });
});

describe('HTTP+SSE (2024-11-05)', () => {
  it.each<[string, object, boolean]>([
    ['by definition', {}, true],
    ['after 404 with a page', { post: 404 }, false],
    ['after 405 with an error', { post: 405 }, false],
    ['after 400', { post: 400 }, false],
  ])('is spoken %s', async (_name, options, isLegacySse) => {
    const server = await serve('httpLegacySse', options);
    const real = using(define('a', { ...http(server.url), ...(isLegacySse ? { isLegacySse } : {}) }));
    expect((await call(real)).kind).toBe('success');
    expect(real.bodies('noise')).toEqual([]);
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBe(1);
  });

  it('loses its calls when the stream ends, and connects again for the next', async () => {
    const server = await serve('httpLegacySse', { how: 'ends' });
    const real = using(define('a', http(server.url)));
    expect(await call(real)).toMatchObject({
      kind: 'transport_error',
      isAmbiguous: true,
      detail: { end: { kind: 'transport', failure: { reason: 'stream-ended' } } },
    });
    await call(real);
    expect(server.seen.filter(({ method }) => method === 'GET').length).toBe(2);
  });

  it('tells the first refusal where nothing of it is spoken either', async () => {
    const server = await serve('httpStatus');
    const url = server.url.replace('/mcp', '/sse');
    const real = using(define('a', { ...http(url), isLegacySse: true }));
    expect((await real.pool.connect(idOf('a'))).kind).toBe('failed');
  });

  it.each(['never', 'foreign'])('sends nothing where the stream names no endpoint of its own: %s', async (how) => {
    const server = await serve('httpLegacySse', { how });
    const real = using(define('a', { ...http(server.url), isLegacySse: true }), { connectTimeoutMs: 500 });
    expect((await real.pool.connect(idOf('a'))).kind).toBe('failed');
    expect(server.seen.map(({ method }) => method)).toEqual(['GET']);
  });
});
