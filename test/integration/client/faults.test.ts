import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { createFaultEngine } from '../../../src/core/passthrough/faults/engine.ts';
import type { Fault } from '../../../src/core/passthrough/faults/plan.ts';
import { httpWireFaults, stdioWireFaults } from '../../../src/core/passthrough/faults/wireFaults.ts';
import { createHttpWire } from '../../../src/core/transport/httpWire.ts';
import { createStdioWire } from '../../../src/core/transport/stdioWire.ts';
import { start as startServer } from '../../servers/httpWellBehaved.mjs';
import { createReal, define, http, idOf, type Real, testServer } from './support.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A pool whose only server meets its first call with the faults; `isSafe`: its tool may be called again. */
async function open(transport: 'stdio' | 'http', faults: readonly Fault[], isSafe: boolean): Promise<Real> {
  const rules = faults.map((fault) => ({ first: 1, fault }));
  const engine = createFaultEngine({ plan: { rules }, transport, server: ['it'], clock: systemClock });
  let definition = testServer('wellBehaved') as ReturnType<typeof testServer> | ReturnType<typeof http>;
  if (transport === 'http') {
    const server = (await startServer({ as: 'json' })) as { url: string; close(): Promise<void> };
    closing.push(() => server.close());
    definition = http(server.url);
  }
  const real = createReal(
    [define('it', definition)],
    { timeoutMs: 400 },
    {
      wires: {
        stdio: (options) => createStdioWire({ ...options, faults: stdioWireFaults(engine, systemClock) }),
        http: async (options) => createHttpWire({ ...options, faults: httpWireFaults(engine, systemClock) }),
      },
      toolPolicy: () => (isSafe ? { isIdempotent: true } : undefined),
    },
  );
  closing.push(() => real.pool.dispose());
  return real;
}

async function meet(transport: 'stdio' | 'http', faults: readonly Fault[], isSafe: boolean): Promise<string> {
  const real = await open(transport, faults, isSafe);
  const params = { name: 'work', arguments: {} };
  const outcome = await real.pool.call({ server: idOf('it'), method: 'tools/call', params, origin: 'client' });
  const injected = real.bodies('note').flatMap(({ note }) => (note.type === 'injected' ? [note.fault] : []));
  expect(injected).toEqual(faults.map(({ type }) => type));
  // What is broken is one call, and no more.
  const next = await real.pool.call({ server: idOf('it'), method: 'tools/call', params, origin: 'client' });
  expect(next.kind).toBe('success');
  return `${outcome.kind} ${outcome.attempts.length}`;
}

/** By fault: of any tool over stdio and over HTTP, then of one that may be called again. */
const cases: readonly (readonly [string, Fault, stdio: string, http: string, safeStdio: string, safeHttp: string])[] = [
  ['latency', { type: 'latency', ms: 30 }, 'success 1', 'success 1', 'success 1', 'success 1'],
  ['slowStream', { type: 'slowStream', bytesPerSecond: 1000 }, 'success 1', 'success 1', 'success 1', 'success 1'],
  ['dropAnswer', { type: 'dropAnswer' }, 'timeout 1', 'timeout 1', 'success 2', 'success 2'],
  ['cut', { type: 'cut', atByte: 20 }, 'transport_error 1', 'transport_error 1', 'success 2', 'success 2'],
  ['kill', { type: 'kill' }, 'transport_error 1', 'transport_error 1', 'success 2', 'success 2'],
  ['error', { type: 'error', code: -32603 }, 'protocol_error 1', 'protocol_error 1', 'success 2', 'success 2'],
  [
    'error of arguments',
    { type: 'error', code: -32602 },
    'protocol_error 1',
    'protocol_error 1',
    'protocol_error 1',
    'protocol_error 1',
  ],
  [
    'truncated',
    { type: 'malformed', how: 'truncated' },
    'timeout 1',
    'transport_error 1',
    'success 2',
    'transport_error 1',
  ],
  [
    'garbled',
    { type: 'malformed', how: 'garbled' },
    'timeout 1',
    'transport_error 1',
    'success 2',
    'transport_error 1',
  ],
  ['duplicateAnswer', { type: 'duplicateAnswer' }, 'success 1', 'success 1', 'success 1', 'success 1'],
  ['wrongId', { type: 'wrongId' }, 'timeout 1', 'transport_error 1', 'success 2', 'transport_error 1'],
  ['noise', { type: 'noise' }, 'success 1', 'success 1', 'success 1', 'success 1'],
  ['toolError', { type: 'toolError', text: 'no' }, 'tool_error 1', 'tool_error 1', 'tool_error 1', 'tool_error 1'],
  ['partial', { type: 'partial' }, 'partial 1', 'partial 1', 'partial 1', 'partial 1'],
];

describe('faults of our own client', () => {
  it.each(cases)('%s', async (_, fault, stdio, overHttp, safeStdio, safeHttp) => {
    expect({
      stdio: await meet('stdio', [fault], false),
      http: await meet('http', [fault], false),
      safeStdio: await meet('stdio', [fault], true),
      safeHttp: await meet('http', [fault], true),
    }).toEqual({ stdio, http: overHttp, safeStdio, safeHttp });
  });

  it('wait for as long as Retry-After says, since nothing was executed', async () => {
    const fault: Fault = { type: 'httpStatus', status: 429, retryAfterSeconds: 1 };
    const real = await open('http', [fault], false);
    const params = { name: 'work', arguments: {} };
    const outcome = await real.pool.call({ server: idOf('it'), method: 'tools/call', params, origin: 'client' });
    expect(`${outcome.kind} ${outcome.attempts.length}`).toBe('success 2');
    const waits = real.bodies('attempt').flatMap(({ delayMs }) => (delayMs === undefined ? [] : [delayMs]));
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(1000);
  });

  it('are joined by pace', async () => {
    expect(await meet('stdio', [{ type: 'latency', ms: 20 }, { type: 'toolError' }], false)).toBe('tool_error 1');
  });
});
