import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/protocol/jsonrpc.ts';
import { createWorld, definitionOf, idOf, type Script, type World } from './fakeServer.ts';

import { attempts, call, done, onCall, safeTool, silent } from './poolCalls.ts';

describe('a call', () => {
  it('connects first, carries the token of its attempt, and is settled by the answer on the wire', async () => {
    const world = createWorld({ servers: { a: done } });
    const outcome = await call(world);
    await world.clock.advance(0);
    expect(outcome).toMatchObject({ kind: 'success', stopped: 'retry.answered', attempts: [{ number: 1 }] });
    expect(world.wires[0]?.sent.map(({ method }) => method)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
    ]);
    const [attempt] = world.bodies('attempt');
    expect(world.wires[0]?.sent[4]?.params).toMatchObject({ name: 'work', _meta: { progressToken: attempt?.token } });
    await world.pool.dispose();
  });

  it('records the attempt before the request that it sends', async () => {
    const world = createWorld({ servers: { a: done } });
    await call(world);
    const kinds = world.events
      .map(({ body }) => body)
      .filter((body) => body.kind === 'attempt' || (body.kind === 'message' && body.raw.includes('tools/call')))
      .map(({ kind }) => kind);
    expect(kinds).toEqual(['attempt', 'message']);
    expect(new Set(world.events.map(({ connection }) => connection)).size).toBe(1);
    await world.pool.dispose();
  });

  it.each([
    ['a string id for our number', (id: number) => ({ jsonrpc: '2.0', id: String(id), result: {} }), 'success'],
    ['an error', (id: number) => ({ jsonrpc: '2.0', id, error: { code: -32602, message: 'x' } }), 'protocol_error'],
    ['both result and error', (id: number) => ({ jsonrpc: '2.0', id, result: {}, error: {} }), 'invalid_response'],
    ['no jsonrpc', (id: number) => ({ id, result: {} }), 'invalid_response'],
    ['neither result nor error', (id: number) => ({ jsonrpc: '2.0', id }), 'invalid_response'],
    ['a batch', (id: number) => [{ jsonrpc: '2.0', id, result: {} }], 'success'],
    ['a result that is a number', (id: number) => ({ jsonrpc: '2.0', id, result: 5 }), 'success'],
  ])('ends at once on %s', async (_name, answer, kind) => {
    const world = createWorld({ servers: { a: onCall((message, wire) => wire.receive(answer(Number(message.id)))) } });
    expect((await call(world)).kind).toBe(kind);
    expect(world.wires[0]?.sent.some(({ method }) => method === 'notifications/cancelled')).toBe(false);
    await world.pool.dispose();
  });

  it('passes progress on', async () => {
    const seen: unknown[] = [];
    const script = onCall((message, wire) => {
      const progressToken = (message.params?.['_meta'] as JsonObject | undefined)?.['progressToken'] ?? '';
      const params = { progressToken, progress: 1, total: 2, message: 'half' };
      wire.receive({ jsonrpc: '2.0', method: 'notifications/progress', params });
      wire.reply(message, {});
    });
    const world = createWorld({ servers: { a: script } });
    const throwing = () => {
      throw new Error('a listener that fails');
    };
    await call(world, 'a', {}, { onProgress: (progress: unknown) => seen.push(progress), onAttempt: throwing });
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    await world.pool.dispose();
  });

  it('keeps the rest of _meta and puts the idempotency key in once for all attempts', async () => {
    const script = onCall((message, wire, count) =>
      count === 1
        ? wire.receive({ jsonrpc: '2.0', id: message.id ?? 0, error: { code: -32603, message: 'x' } })
        : wire.reply(message, {}),
    );
    const world = createWorld({
      servers: { a: script },
      pool: { toolPolicy: () => ({ idempotencyKeyArgument: 'key' }) },
    });
    const outcome = call(world, 'a', { params: { name: 'work', _meta: { progressToken: 'old', trace: 't' } } });
    await world.clock.advance(5000);
    expect((await outcome).kind).toBe('success');
    const sent = (world.wires[0]?.sent ?? [])
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params);
    const keys = sent.map((params) => (params?.['arguments'] as JsonObject | undefined)?.['key']);
    expect(keys[0]).toMatch(/^id\d+$/);
    expect(keys[1]).toBe(keys[0]);
    expect(sent[0]).toMatchObject({ _meta: { trace: 't' } });
    await world.pool.dispose();
  });
});

describe('limits', () => {
  it('ends a silent call after the idle limit, tells the server and the log, and leaves a late answer alone', async () => {
    const world = createWorld({ servers: { a: silent } });
    const outcome = call(world);
    await world.clock.advance(59_999);
    expect(world.bodies('local-end')).toEqual([]);
    await world.clock.advance(1);
    expect(await outcome).toMatchObject({
      kind: 'timeout',
      detail: { end: { kind: 'timeout', limit: 'idle', afterMs: 60_000, progressSeen: false } },
      stopped: 'notIdempotent.unknown',
    });
    const wire = world.wires[0];
    const request = wire?.sent.find(({ method }) => method === 'tools/call');
    expect(wire?.sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: request?.id, reason: 'idle timeout' },
    });
    expect(world.bodies('local-end')).toEqual([
      {
        kind: 'local-end',
        id: request?.id,
        end: { kind: 'timeout', limit: 'idle', afterMs: 60_000, progressSeen: false },
      },
    ]);
    wire?.reply({ ...request, method: '' }, { late: true });
    await world.clock.advance(0);
    expect(world.pool.connections.get(idOf('a'))?.state.kind).toBe('running');
    await world.pool.dispose();
  });

  it('starts the idle limit anew with progress, but not the total one', async () => {
    const script: Script = onCall((message, wire) => {
      const progressToken = (message.params?.['_meta'] as JsonObject | undefined)?.['progressToken'] ?? '';
      const report = (progress: number) => {
        wire.receive({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
        world.clock.setTimer(50_000, () => report(progress + 1));
      };
      report(1);
    });
    const world: World = createWorld({ servers: { a: script }, settings: { maxAttempts: 1 } });
    const outcome = call(world);
    await world.clock.advance(599_999);
    expect(world.bodies('local-end')).toEqual([]);
    await world.clock.advance(1);
    expect((await outcome).detail.end).toEqual({
      kind: 'timeout',
      limit: 'total',
      afterMs: 600_000,
      progressSeen: true,
    });
    await world.pool.dispose();
  });

  it("takes a tool's own limit", async () => {
    const world = createWorld({ servers: { a: silent }, pool: { toolPolicy: () => ({ timeoutMs: 5 }) } });
    const outcome = call(world);
    await world.clock.advance(5);
    expect((await outcome).kind).toBe('timeout');
    await world.pool.dispose();
  });

  it('repeats a read-only tool of a trusted server 1 s and 2 s after its timeouts', async () => {
    const world = createWorld({ servers: { a: silent }, tools: [safeTool], isTrusted: true });
    const outcome = call(world);
    await world.clock.advance(183_000);
    expect((await outcome).stopped).toBe('retry.attemptsUsed');
    expect(attempts(world)).toEqual([
      '1 send 0 retry.first',
      '2 wait 1000 retry.timeout',
      '2 send 1000 retry.timeout',
      '3 wait 2000 retry.timeout',
      '3 send 2000 retry.timeout',
      '3 give-up - retry.attemptsUsed',
    ]);
    await world.pool.dispose();
  });

  it('does not believe the same of a server that is not trusted', async () => {
    const world = createWorld({ servers: { a: silent }, tools: [safeTool] });
    const outcome = call(world);
    await world.clock.advance(60_000);
    expect((await outcome).stopped).toBe('notIdempotent.untrusted');
    await world.pool.dispose();
  });
});

describe('cancel', () => {
  it('ends a call in flight at once and tells the server', async () => {
    const world = createWorld({ servers: { a: silent } });
    const controller = new AbortController();
    const outcome = call(world, 'a', {}, { signal: controller.signal });
    await world.clock.advance(10);
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: 'retry.cancelled' });
    await world.clock.advance(0);
    expect(world.wires[0]?.sent.at(-1)?.method).toBe('notifications/cancelled');
    expect(world.bodies('local-end')).toMatchObject([{ end: { kind: 'cancelled', by: 'user' } }]);
    expect(world.clock.pendingMs()).toEqual([]);
    await world.pool.dispose();
  });

  it('keeps a call that was cancelled before from being sent', async () => {
    const world = createWorld({ servers: { a: done } });
    await world.pool.connect(idOf('a'));
    expect((await call(world, 'a', {}, { signal: AbortSignal.abort() })).kind).toBe('cancelled');
    expect(attempts(world)).toEqual(['1 cancel - retry.cancelled']);
    await world.pool.dispose();
  });

  it('ends a call before it has connected', async () => {
    const world = createWorld({ servers: { a: (message) => message.method === 'initialize' } });
    const controller = new AbortController();
    const outcome = call(world, 'a', {}, { signal: controller.signal });
    await world.clock.advance(10);
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'cancelled', detail: { end: { by: 'user' } } });
    await world.pool.dispose();
  });

  it('comes to every call of a server that is stopped, and to its waits', async () => {
    const world = createWorld({ servers: { a: silent }, tools: [safeTool], isTrusted: true });
    const waiting = call(world);
    await world.clock.advance(60_500);
    const flying = call(world);
    await world.clock.advance(1);
    await world.pool.disconnect(idOf('a'));
    expect((await waiting).stopped).toBe('retry.cancelled');
    expect(await flying).toMatchObject({ kind: 'cancelled', detail: { end: { by: 'shutdown' } } });
    expect(world.pool.connections.get(idOf('a'))?.state).toEqual({ kind: 'stopped' });
    expect(world.wires.length).toBe(1);
    await world.pool.dispose();
  });
});

describe('the pool', () => {
  it('keeps connections whose definitions stay, and lets go of the others', async () => {
    const world = createWorld({ servers: { a: done, b: done } });
    await world.pool.connectAll();
    const changed: string[] = [];
    world.pool.onDidChange((id) => changed.push(id));
    const moved = { ...definitionOf('a', true), source: { kind: 'settings', path: '/moved' } } as const;
    world.pool.setDefinitions([moved]);
    expect([...world.pool.connections.values()].map(({ state, definition }) => [state.kind, definition])).toEqual([
      ['running', moved],
    ]);
    world.pool.setDefinitions([{ ...moved, transport: { type: 'stdio', command: 'other', args: [], env: {} } }]);
    expect([...world.pool.connections.values()].map(({ state }) => state.kind)).toEqual(['stopped']);
    expect(changed).toContain(idOf('b'));
    await world.pool.dispose();
    expect(world.wires.every((wire) => wire.isClosed)).toBe(true);
  });

  it('answers a call to a server that is not there', async () => {
    const world = createWorld({ servers: {} });
    expect(await call(world)).toMatchObject({ kind: 'transport_error', attempts: [], stopped: 'call.unknownServer' });
    expect(await world.pool.connect(idOf('a'))).toEqual({ kind: 'stopped' });
    expect(world.pool.tools(idOf('a'))).toEqual([]);
  });

  it('survives an engine that does not load and a judge that throws', async () => {
    const world = createWorld({
      servers: { a: done },
      pool: {
        loadEngine: () => Promise.reject(new Error('the bundle is gone')),
        judge: () => {
          throw new Error('a judge that fails');
        },
      },
    });
    expect(await call(world)).toMatchObject({
      detail: { end: { failure: { message: 'the bundle is gone' } } },
      stopped: 'retry.neverExecuted',
    });
    await world.pool.dispose();
  });
});
