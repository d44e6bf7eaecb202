import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { RequestTable, type SettledRequest, SHUTDOWN } from '../../../../src/core/client/requestTable.ts';
import { parseFrame } from '../../../../src/core/transport/envelope.ts';
import type { Frame } from '../../../../src/core/transport/wire.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import type { JsonRpcId, JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const limits = { idleMs: 100, totalMs: 1000 };

function createTable() {
  const clock = new FakeClock();
  const sent = new Emitter<Frame>();
  const received = new Emitter<Frame>();
  const lost = new Emitter<{ readonly id: JsonRpcId; readonly failure: TransportFailure }>();
  const closed = new Emitter<TransportFailure>();
  const localEnds: unknown[] = [];
  const table = new RequestTable({
    clock,
    wire: {
      onDidSend: sent.event,
      onDidReceive: received.event,
      onDidLoseRequest: lost.event,
      onDidClose: closed.event,
    },
    onLocalEnd: ({ id, end }, origin) => localEnds.push([id, end.kind, origin]),
  });
  const frame = (message: JsonValue, more: Partial<Frame> = {}): Frame => {
    const raw = JSON.stringify(message);
    return { raw, ...parseFrame(raw), monoUs: clock.monoUs(), ...more };
  };
  const open = (token: string | undefined, signal = new AbortController().signal) =>
    table.open({ token, limits, signal, origin: 'client' });
  const send = (id: JsonRpcId, token: string | undefined) =>
    sent.fire(
      token === undefined
        ? frame({ jsonrpc: '2.0', id, method: 'initialize' })
        : frame({ jsonrpc: '2.0', id, method: 'tools/call', params: { _meta: { progressToken: token } } }),
    );
  const receive = (message: JsonValue, more: Partial<Frame> = {}) => received.fire(frame(message, more));
  return { clock, table, open, send, receive, lost, closed, localEnds };
}

const kindOf = ({ end, wasSent }: SettledRequest) => `${end.kind} ${wasSent ? 'sent' : 'unsent'}`;

describe('a table of requests', () => {
  it('tells requests apart by their tokens and answers by their ids', async () => {
    const { open, send, receive } = createTable();
    const [a, b] = [open('a'), open('b')];
    send(1, 'b');
    send(2, 'a');
    receive({ jsonrpc: '2.0', id: 1, result: 'for b' });
    receive({ jsonrpc: '2.0', id: 2, result: 'for a' });
    expect([(await a).end, (await b).end]).toMatchObject([{ result: 'for a' }, { result: 'for b' }]);
  });

  it('takes the first end and no other', async () => {
    const { clock, open, send, receive, lost, localEnds } = createTable();
    const a = open('a');
    send(1, 'a');
    receive({ jsonrpc: '2.0', id: 1, result: 1 });
    receive({ jsonrpc: '2.0', id: 1, result: 2 });
    lost.fire({ id: 1, failure: { reason: 'reset', message: 'x' } });
    await clock.advance(2000);
    expect((await a).end).toMatchObject({ result: 1 });
    expect(localEnds).toEqual([]);
    expect(clock.pendingMs()).toEqual([]);
  });

  it('gives an error without an id to the request whose POST it answered', async () => {
    const { open, send, receive } = createTable();
    const a = open('a');
    send(1, 'a');
    const error = { code: -32000, message: 'x' };
    receive({ jsonrpc: '2.0', id: null, error });
    receive({ jsonrpc: '2.0', id: null, error }, { answers: 1, httpStatus: 400, retryAfterMs: 5 });
    expect((await a).end).toMatchObject({ kind: 'error', error, httpStatus: 400, retryAfterMs: 5 });
  });

  it('gives an answer without an id to the handshake, while there is one, but no other message', async () => {
    const { open, send, receive } = createTable();
    const handshake = open(undefined);
    const other = open('a');
    send(0, undefined);
    send(1, 'a');
    receive({ method: 'log', params: {} });
    receive({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } });
    expect(kindOf(await handshake)).toBe('error sent');
    receive({ jsonrpc: '2.0', id: 1, result: 1 });
    expect(kindOf(await other)).toBe('result sent');
  });

  it.each<[string, (world: ReturnType<typeof createTable>) => void, string, unknown[]]>([
    [
      'an engine that could not send',
      ({ table }) => table.report('a', { reason: 'closed', message: 'x' }, 'x'),
      'transport unsent',
      [],
    ],
    ['an engine that gave up before it sent', ({ table }) => table.report('a', undefined, 'x'), 'transport unsent', []],
    ['silence before it was sent', () => undefined, 'timeout unsent', []],
    [
      'the end of the wire',
      ({ send, closed }) => {
        send(1, 'a');
        closed.fire({ reason: 'exited', message: 'x' });
      },
      'transport sent',
      [[1, 'transport', 'client']],
    ],
    ['the end of the table', ({ table }) => table.dispose(), 'transport unsent', []],
  ])('ends with %s', async (_name, act, expected, localEnds) => {
    const world = createTable();
    const a = world.open('a');
    act(world);
    await world.clock.advance(100);
    expect(kindOf(await a)).toBe(expected);
    expect(world.localEnds).toEqual(localEnds);
  });

  it('does not wait for ever for an answer that the engine has seen and the wire has not', async () => {
    const { clock, table, send } = createTable();
    const a = table.open({
      token: 'a',
      limits: { idleMs: 60_000, totalMs: 60_000 },
      signal: new AbortController().signal,
      origin: 'replay',
    });
    send(1, 'a');
    table.report('a', undefined, 'the engine is done');
    await clock.advance(1000);
    expect((await a).end).toEqual({ kind: 'transport', failure: { reason: 'unknown', message: 'the engine is done' } });
  });

  it('waits for the cause when a request was recorded and could not be written', async () => {
    const { open, send, table, closed, clock } = createTable();
    const [a, b] = [open('a'), open('b')];
    send(1, 'a');
    table.report('a', { reason: 'closed', message: 'EPIPE' }, 'EPIPE');
    closed.fire({ reason: 'exited', message: 'exit 3', exitCode: 3 });
    expect(await a).toMatchObject({ end: { failure: { reason: 'exited' } }, wasSent: false, id: 1 });
    expect((await b).wasSent).toBe(false);
    await clock.advance(2000);
  });

  it('waits for a person who is asked something, and begins anew when they have answered', async () => {
    const { clock, table, open, send } = createTable();
    const a = open('a');
    send(1, 'a');
    table.extend(5000);
    await clock.advance(4000);
    expect(clock.pendingMs()).toEqual([1000]);
    table.resume();
    expect(clock.pendingMs()).toEqual([100, 1000]);
    await clock.advance(100);
    expect((await a).end).toMatchObject({ kind: 'timeout', limit: 'idle', afterMs: 4100 });
  });

  it('says who cancelled', async () => {
    const { open, send, localEnds } = createTable();
    const [user, shutdown] = [new AbortController(), new AbortController()];
    const [a, b] = [open('a', user.signal), open('b', shutdown.signal)];
    send(1, 'a');
    user.abort();
    shutdown.abort(SHUTDOWN);
    expect([(await a).end, (await b).end]).toEqual([
      { kind: 'cancelled', by: 'user' },
      { kind: 'cancelled', by: 'shutdown' },
    ]);
    expect(localEnds).toEqual([[1, 'cancelled', 'client']]);
    expect((await open('c', user.signal)).end.kind).toBe('cancelled');
  });

  it('takes nothing after its wire has closed', async () => {
    const { open, closed } = createTable();
    closed.fire({ reason: 'exited', message: 'first' });
    closed.fire({ reason: 'closed', message: 'second' });
    expect(await open('a')).toMatchObject({ end: { failure: { message: 'first' } }, wasSent: false });
  });
});

describe('what stays open', () => {
  const listen = (world: ReturnType<typeof createTable>, controller = new AbortController()) => {
    const { table, send } = world;
    const ended = table.open({ token: 'l', limits: undefined, signal: controller.signal, origin: 'client' });
    send('listen:1', 'l');
    return ended;
  };

  it('has no limit, and ends with its answer', async () => {
    const world = createTable();
    const ended = listen(world);
    await world.clock.advance(10_000_000);
    expect(world.localEnds).toEqual([]);
    world.receive({ jsonrpc: '2.0', id: 'listen:1', result: {} });
    expect(kindOf(await ended)).toBe('result sent');
  });

  it('ends when the server cancels it, which ends nothing else', async () => {
    const world = createTable();
    const ended = listen(world);
    const call = world.open('a');
    world.send(2, 'a');
    const cancelled = (requestId: JsonValue) =>
      world.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    cancelled(2);
    cancelled('listen:1');
    expect((await ended).end).toMatchObject({ kind: 'transport', failure: { reason: 'stream-ended' } });
    world.receive({ jsonrpc: '2.0', id: 2, result: {} });
    expect(kindOf(await call)).toBe('result sent');
  });
});

describe('an error that names no request', () => {
  const nameless = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } };

  it('settles nothing, but the only one that waits is not waited for long', async () => {
    const { clock, table, send, receive } = createTable();
    const limits = { idleMs: 60_000, totalMs: 600_000 };
    const waiting = table.open({ token: 'a', limits, signal: new AbortController().signal, origin: 'client' });
    send(1, 'a');
    receive(nameless);
    await clock.advance(5_000);
    expect((await waiting).end).toMatchObject({ kind: 'timeout', limit: 'idle', afterMs: 5_000 });
  });

  it('says nothing where several wait', async () => {
    const { clock, open, send, receive } = createTable();
    const [a, b] = [open('a'), open('b')];
    send(1, 'a');
    send(2, 'b');
    receive(nameless);
    await clock.advance(99);
    receive({ jsonrpc: '2.0', id: 1, result: {} });
    receive({ jsonrpc: '2.0', id: 2, result: {} });
    expect([kindOf(await a), kindOf(await b)]).toEqual(['result sent', 'result sent']);
  });

  it('answers the question about the era, which is alone', async () => {
    const { table, send, receive } = createTable();
    const signal = new AbortController().signal;
    const asked = table.open({ token: 'a', limits, signal, origin: 'client', isAlone: true });
    send('discover:1', 'a');
    receive(nameless);
    expect((await asked).end).toMatchObject({ kind: 'error', error: { code: -32700 } });
  });
});
