import { afterEach, describe, expect, it } from 'vitest';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import type { HttpDefinition, StdioDefinition } from '../../../src/protocol/definition.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { attemptsOf, createReal, define, http, idOf, type Real, testServer } from './support.ts';

// Wire inputs that broke other tools, over real transports: what the caller is told at once, and what the log tells later.

interface TestServer {
  readonly url: string;
  readonly seen: readonly {
    readonly method: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly message?: { readonly id?: number; readonly method?: string };
  }[];
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
  ...more: Parameters<typeof createReal> extends [unknown, ...infer Rest] ? Rest : never
): Real {
  const real = createReal([define('a', transport)], ...more);
  cleanUps.push(() => real.pool.dispose());
  return real;
}

const call = (real: Real): Promise<CallOutcome> =>
  real.pool.call({
    server: idOf('a'),
    method: 'tools/call',
    params: { name: 'work', arguments: {} },
    origin: 'client',
  });

/** What the log tells, as the timeline would show it. */
function rowsOf(real: Real): readonly Exchange[] {
  const correlator = new Correlator(judge);
  const rows = new Map<number, Exchange>();
  real.events.forEach((event, index) => {
    for (const exchange of correlator.push({ ...event, seq: index + 1 })) {
      rows.set(exchange.key, exchange);
    }
  });
  return [...rows.values()];
}
const callsIn = (real: Real) => rowsOf(real).filter(({ method }) => method === 'tools/call');

describe('inputs that broke other tools', () => {
  it('1: a banner on stdout is kept as noise, and the connection goes on', async () => {
    const real = connectTo(testServer('stdoutBanner'));
    expect((await call(real)).kind).toBe('success');
    expect(real.bodies('noise').map(({ raw, problem }) => `${problem} ${raw}`)).toEqual([
      'not-json Server listening on 3000',
      'not-json ',
      'not-jsonrpc {"level":"info","id":1,"msg":"ready"}',
      'not-json Executing work',
    ]);
  });

  it('3: a reply without jsonrpc ends the call at once, with that reason', async () => {
    const outcome = await call(connectTo(testServer('missingJsonrpc')));
    expect(outcome).toMatchObject({ kind: 'invalid_response', detail: { end: { problem: 'missing-jsonrpc' } } });
  });

  it.each(['null', 'absent'])(
    '4: an error with id %s is shown by itself and does not settle the one that waits, which is not waited for long',
    async (id) => {
      const real = connectTo(testServer('nullIdError', id), { timeoutMs: 300 });
      expect((await call(real)).detail.end).toMatchObject({ kind: 'timeout', limit: 'idle' });
      const stray = rowsOf(real).find(({ verdict }) =>
        verdict?.signals.some(({ code }) => code === 'signal.error.unassociated'),
      );
      expect(stray?.verdict?.outcome).toBe('protocol_error');
    },
  );

  it.each(['null', 'absent'])('4: over HTTP an error with id %s answers the request of its POST', async (id) => {
    const server = await serve('httpErrorInBody', { id, code: -32700 });
    expect(await call(connectTo(http(server.url)))).toMatchObject({
      kind: 'protocol_error',
      detail: { end: { error: { code: -32700 } } },
    });
  });

  it('5: a string id answers our number, and the row says so', async () => {
    const real = connectTo(testServer('stringId'));
    expect((await call(real)).kind).toBe('success');
    expect(callsIn(real)[0]?.marks).toContain('id_type_mismatch');
  });

  it('7: of two answers the first settles, the second is a duplicate', async () => {
    const real = connectTo(testServer('duplicateAnswer'));
    const outcome = await call(real);
    expect(outcome.detail.end).toMatchObject({ result: { content: [{ text: 'first' }] } });
    await expect.poll(() => callsIn(real)[0]?.marks).toContain('duplicate');
  });

  it.each([[[]], [['empty']]])('8: a batch is taken apart %j', async (args) => {
    const real = connectTo(testServer('batchAnswer', ...args));
    expect((await call(real)).kind).toBe('success');
    expect(callsIn(real)[0]?.marks).toContain('batch');
  });

  it.each(['splitCharacter', 'httpSseSlow'])(
    '11, 12: characters in pieces, and U+2028 raw, come whole: %s',
    async (name) => {
      const transport = name.startsWith('http') ? http((await serve(name)).url) : testServer(name);
      expect((await call(connectTo(transport))).detail.end).toMatchObject({
        result: { content: [{ text: 'é\u2028ü' }] },
      });
    },
  );

  it('15: a line of 12 MiB comes through, and the next call too', async () => {
    const real = connectTo(testServer('hugeLine', '12'));
    const outcome = await call(real);
    expect(outcome.kind).toBe('success');
    expect(outcome.detail.end.kind === 'result' ? outcome.detail.end.raw.length : 0).toBeGreaterThan(12 * 1024 * 1024);
    expect((await call(real)).kind).toBe('success');
  });

  it('15: a line that never ends and is over the cap is noise, and the server goes on', async () => {
    const real = connectTo(testServer('endlessLine'), { timeoutMs: 20_000 });
    expect((await call(real)).kind).toBe('success');
    expect(real.bodies('noise')).toMatchObject([{ problem: 'frame-too-large' }]);
  });

  it('16: isError without the structured content that the schema asks for is a tool error', async () => {
    const result = { content: [{ type: 'text', text: 'no disk' }], isError: true };
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const real = connectTo(testServer('givenResult', JSON.stringify(result), JSON.stringify(schema)));
    await real.pool.connect(idOf('a'));
    await expect.poll(() => real.pool.tools(idOf('a')).length).toBe(1);
    expect((await call(real)).kind).toBe('tool_error');
  });

  it.each([
    ['a text', { content: [{ type: 'text', text: 'Error: not found' }] }],
    ['a status', { content: [{ type: 'text', text: '{"status":"error","message":"not found"}' }] }],
  ])('17: a failure dressed as success is a silent error, not a tool error: %s', async (_name, result) => {
    const real = connectTo(testServer('givenResult', JSON.stringify(result)));
    expect((await call(real)).kind).toBe('silent_error');
  });

  it('20: progress puts the idle limit off', async () => {
    const real = connectTo(testServer('progressThenDone', '6', '60'), { timeoutMs: 300 });
    expect((await call(real)).kind).toBe('success');
  });

  it('20: endless progress ends at the absolute cap, which is named', async () => {
    const real = connectTo(testServer('progressForever'), { timeoutMs: 400, totalTimeoutMs: 600 });
    const outcome = await call(real);
    expect(outcome.detail.end).toMatchObject({ kind: 'timeout', limit: 'total', progressSeen: true });
    expect(outcome.detail.signals[0]?.code).toBe('signal.timeout.total');
  });

  it.each([[], ['error']].map((args) => [args]))(
    '22: after a timeout the server is told, and its answer is late %j',
    async (args) => {
      const real = connectTo(testServer('lateAnswer', ...args), { timeoutMs: 200 });
      expect((await call(real)).kind).toBe('timeout');
      await expect.poll(() => callsIn(real)[0]?.marks).toContain('late');
      expect(callsIn(real)).toMatchObject([{ verdict: { outcome: 'timeout' } }]);
      const cancels = real.bodies('message').filter(({ raw }) => raw.includes('notifications/cancelled'));
      expect(cancels.length).toBe(1);
    },
  );

  it('22: in 2026-07-28 over HTTP the stream is closed instead', async () => {
    const server = await serve('httpModernSilent');
    const real = connectTo(http(server.url), { timeoutMs: 300 });
    expect((await call(real)).kind).toBe('timeout');
    expect(server.seen.some(({ message }) => message?.method === 'notifications/cancelled')).toBe(false);
    await expect.poll(() => (server as unknown as { dropped(): number }).dropped()).toBe(1);
  });

  it('23: a server that exits ends both calls at once with its exit and its last words; none is repeated', async () => {
    const real = connectTo(testServer('exitMidCall', '3'));
    for (const outcome of await Promise.all([call(real), call(real)])) {
      expect(outcome).toMatchObject({
        kind: 'transport_error',
        isAmbiguous: true,
        attempts: [{}],
        detail: {
          end: {
            failure: {
              reason: 'exited',
              exitCode: 3,
              stderrTail: expect.arrayContaining(['fatal: lost the database']),
            },
          },
        },
      });
    }
  });

  it.each(['404', '400'])('24: a session that is gone (%s) begins anew once for all that wait', async (how) => {
    const server = await serve('httpSessionLost', { how });
    const real = connectTo(http(server.url));
    const outcomes = await Promise.all([call(real), call(real), call(real)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['success', 'success', 'success']);
    const handshakes = server.seen.filter(({ message }) => message?.method === 'initialize');
    expect(handshakes.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, undefined]);
  });

  it('24: in 2026-07-28 a 404 with -32601 is a method that was not found', async () => {
    const server = await serve('httpModern');
    const real = connectTo(http(server.url));
    const request = { server: idOf('a'), method: 'prompts/get', params: { name: 'x' }, origin: 'client' } as const;
    expect(await real.pool.call(request)).toMatchObject({
      kind: 'protocol_error',
      detail: { end: { error: { code: -32601 }, httpStatus: 404 } },
      attempts: [{}],
    });
    expect(server.seen.filter(({ message }) => message?.method === 'server/discover').length).toBe(1);
  });

  it('26: a stream that breaks off after an event id is resumed as the server says', async () => {
    const server = await serve('httpSseEndsEarly', { how: 'resume' });
    expect((await call(connectTo(http(server.url)))).kind).toBe('success');
    expect(server.seen.find(({ headers }) => headers['last-event-id'] !== undefined)?.headers['last-event-id']).toBe(
      '5',
    );
  });

  it('26: in 2026-07-28 it is sent again under a new id, as attempt 2, where that is safe', async () => {
    const server = await serve('httpModernDrops');
    const real = connectTo(http(server.url), {}, { toolPolicy: () => ({ isIdempotent: true }) });
    expect(await call(real)).toMatchObject({ kind: 'success', attempts: [{ number: 1 }, { number: 2 }] });
    const ids = server.seen.flatMap(({ message }) => (message?.method === 'tools/call' ? [message.id] : []));
    expect(new Set(ids).size).toBe(2);
    expect(server.seen.some(({ headers }) => headers['last-event-id'] !== undefined)).toBe(false);
  });

  it('28: a rate limit is waited out as told; a call that may have run is not repeated, and that is said', async () => {
    const limited = await serve('httpStatus', { status: 429, retryAfter: '0.2', times: 1 });
    const real = connectTo(http(limited.url));
    const outcome = await call(real);
    expect(outcome).toMatchObject({ kind: 'success', attempts: [{}, { delayMs: 200, reason: 'retry.retryAfter' }] });
    const broken = await serve('httpStatus', { status: 503 });
    expect(await call(connectTo(http(broken.url)))).toMatchObject({
      isAmbiguous: true,
      stopped: 'notIdempotent.unknown',
    });
  });

  it('32: input that is asked for is no answer; a round later it is', async () => {
    const real = connectTo(testServer('modernRounds'));
    const asked = await call(real);
    expect(asked.kind).toBe('input_required');
    expect((await real.pool.continueCall(asked, { name: { action: 'accept' } })).kind).toBe('success');
    expect(callsIn(real).map(({ chain }) => chain?.head)).toEqual(Array(2).fill(callsIn(real)[0]?.key));
  });

  it.each([
    ['an unknown one is invalid', 'surprise', 'invalid_response'],
    ['an absent one is complete', undefined, 'success'],
  ])('32: of result types, %s', async (_name, resultType, kind) => {
    const result = { content: [], ...(resultType === undefined ? {} : { resultType }) };
    expect((await call(connectTo(testServer('givenResult', JSON.stringify(result))))).kind).toBe(kind);
  });

  it('33: what the wire records of HTTP holds no secret', async () => {
    const server = await serve('httpWellBehaved');
    const real = connectTo({
      ...http(`${server.url}?token=sk-secret-1`),
      headers: { Authorization: 'Bearer sk-secret-2', 'X-Api-Key': 'sk-secret-3' },
    });
    expect((await call(real)).kind).toBe('success');
    expect(JSON.stringify([real.bodies('http'), real.bodies('lifecycle')])).not.toContain('sk-secret');
    expect(attemptsOf(real)).toEqual(['1 send retry.first']);
  });

  it('35: hostile text comes as it is, in a megabyte of one line', async () => {
    const text = `<img onerror=x>\u202e\u001b[31m${'x'.repeat(1024 * 1024)}`;
    const real = connectTo(testServer('hostileText'));
    expect((await call(real)).detail.end).toMatchObject({ result: { content: [{ text }] } });
  });
});
