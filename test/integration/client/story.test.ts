import { describe, expect, it } from 'vitest';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import type { CallOutcome } from '../../../src/protocol/call.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { createReal, define, http, idOf, type Real, testServer } from './support.ts';

/** The rows of tool calls, as a window that opens the log afterwards would show them. */
function rowsOf({ events }: Real): Exchange[] {
  const correlator = new Correlator(judge);
  const rows = new Map<number, Exchange>();
  events.forEach((event, index) => {
    for (const row of correlator.push({ ...event, seq: index + 1 })) {
      rows.set(row.key, row);
    }
  });
  return [...rows.values()].filter(({ method, kind }) => method === 'tools/call' && kind === 'request');
}

const call = (real: Real): Promise<CallOutcome> =>
  real.pool.call({ server: idOf('a'), method: 'tools/call', params: { name: 'work' }, origin: 'client' });

/** What each attempt came to, and why no more followed: once as the caller was told, once as the log tells it. */
async function tellTwice(real: Real) {
  const outcome = await call(real);
  await real.pool.dispose();
  const rows = rowsOf(real);
  return {
    told: { outcomes: outcome.attempts.map((attempt) => attempt.outcome), stopped: outcome.stopped },
    logged: {
      outcomes: rows.map(({ verdict }) => verdict?.outcome),
      stopped: outcome.stopped === 'retry.answered' ? 'retry.answered' : rows.at(-1)?.chain?.reason,
    },
    attempts: rows.map(({ chain }) => chain?.attempt),
  };
}

const settings = { timeoutMs: 300, totalTimeoutMs: 600 };

describe('the log tells what the caller was told', () => {
  it.each([
    'wellBehaved',
    'stringId',
    'batchAnswer',
    'duplicateAnswer',
    'unknownId',
    'stdoutBanner',
    'missingJsonrpc',
    'resultAndError',
    'exitMidCall',
    'answersThenExits',
    'lateAnswer',
    'neverAnswers',
    'progressForever',
    'hugeLine',
    'invalidUtf8',
    'modern',
    'modernRounds',
    'modernTask',
    'diesOnDiscover',
    'nullIdError',
  ])('of %s', async (name) => {
    const { told, logged } = await tellTwice(createReal([define('a', testServer(name))], settings));
    expect(logged).toEqual(told);
  });

  it('of three attempts', async () => {
    const real = createReal([define('a', testServer('exitMidCall'))], settings, {
      toolPolicy: () => ({ isIdempotent: true }),
    });
    const { told, logged, attempts } = await tellTwice(real);
    expect(logged).toEqual(told);
    expect(attempts).toEqual([1, 2, 3]);
  });

  it.each<[string, object]>([
    ['httpWellBehaved', { as: 'json' }],
    ['httpWellBehaved', { as: 'sse' }],
    ['httpHtml', {}],
    ['http202ToRequest', {}],
    ['httpSseEndsEarly', {}],
    ['httpSseEndsEarly', { how: 'resume' }],
    ['httpSseNoise', {}],
    ['httpResets', {}],
    ['httpBrokenJson', {}],
    ['httpErrorInBody', { id: 'same' }],
    ['httpErrorInBody', { id: 'null' }],
    ['httpErrorInBody', { id: 'absent' }],
    ['httpErrorInBody', { id: 'foreign' }],
    ['httpStatus', { status: 502 }],
    ['httpStatus', { status: 429, retryAfter: '0' }],
    ['httpSessionLost', { how: '404' }],
    ['httpSessionLost', { how: '400' }],
    ['httpNeverAnswers', {}],
    ['httpModern', {}],
    ['httpModernDrops', {}],
    ['httpModernSilent', {}],
    ['httpModernRefuses', { what: 'capability' }],
    ['httpModernRefuses', { what: 'version' }],
    ['httpModernRefuses', { what: 'session' }],
    ['httpSessionLost', { how: '404-json' }],
    ['httpSessionLost', { how: '404-named' }],
    ['httpLegacySse', {}],
    ['httpLegacySse', { how: 'ends' }],
  ])('of %s %o', async (name, options) => {
    const module = await import(`../../servers/${name}.mjs`);
    const server: { url: string; close(): Promise<void> } = await module.start(options);
    try {
      const { told, logged } = await tellTwice(createReal([define('a', http(server.url))], settings));
      expect(logged).toEqual(told);
    } finally {
      await server.close();
    }
  });
});
