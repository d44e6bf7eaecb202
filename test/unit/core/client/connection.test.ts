import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { handshakeFailure } from '../../../../src/core/client/failure.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { createWorld, type FakeWire, idOf, type Script, type World } from './fakeServer.ts';

const onInitialize =
  (act: (wire: FakeWire, id: number) => void): Script =>
  (message, wire) => {
    if (message.method !== 'initialize') {
      return false;
    }
    act(wire, Number(message.id));
    return true;
  };

const a = idOf('a');
const stateOf = (world: World) => world.pool.connections.get(a)?.state;

describe('a connection', () => {
  it('goes from starting to running, and then knows the tools', async () => {
    const world = createWorld({
      servers: { a: () => false },
      tools: [{ name: 'work', outputSchema: { type: 'object' } }],
    });
    const states: string[] = [];
    world.pool.connections.get(a)?.onDidChange((state) => states.push(state.kind));
    const state = await world.pool.connect(a);
    expect(state).toMatchObject({
      kind: 'running',
      revision: '2025-11-25',
      serverInfo: { name: 'fake', version: '1' },
      capabilities: { tools: { listChanged: true } },
    });
    await world.clock.advance(0);
    expect(stateOf(world)).toMatchObject({
      tools: { isComplete: true, tools: [{ name: 'work', outputSchema: { type: 'object' }, hints: {} }] },
    });
    expect(states).toEqual(['starting', 'running', 'running']);
    expect(world.bodies('lifecycle')).toMatchObject([
      { detail: { step: 'initialized', revision: '2025-11-25', serverName: 'fake', capabilities: ['tools'] } },
    ]);
    await world.pool.dispose();
    expect(world.clock.pendingMs()).toEqual([]);
  });

  it.each<[string, Script, string]>([
    [
      'the server refuses',
      onInitialize((wire, id) => wire.receive({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } })),
      'connection.refusedHandshake',
    ],
    [
      'the server refuses without an id',
      onInitialize((wire) => wire.receive({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } })),
      'connection.refusedHandshake',
    ],
    [
      'the revision is unknown',
      onInitialize((wire, id) =>
        wire.receive({
          jsonrpc: '2.0',
          id,
          result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
        }),
      ),
      'connection.unsupportedRevision',
    ],
    [
      'the answer has no revision',
      onInitialize((wire, id) => wire.receive({ jsonrpc: '2.0', id, result: {} })),
      'connection.invalidHandshake',
    ],
    [
      'the answer breaks the rules',
      onInitialize((wire, id) => wire.receive({ id, result: {} })),
      'connection.invalidHandshake',
    ],
    [
      'the process exits',
      onInitialize((wire) => wire.exit({ reason: 'exited', message: 'exit 1', exitCode: 1 })),
      'connection.exited',
    ],
    ['nothing comes', onInitialize(() => undefined), 'connection.timeout'],
  ])('fails with the cause when %s', async (_name, script, code) => {
    const world = createWorld({ servers: { a: script } });
    const state = world.pool.connect(a);
    await world.clock.advance(30_000);
    expect(await state).toMatchObject({ kind: 'failed', failure: { code, remedy: `${code}.remedy` } });
    expect(world.bodies('lifecycle')).toMatchObject([{ detail: { step: 'failed' } }]);
    expect(world.wires[0]?.isClosed).toBe(true);
    await world.pool.dispose();
  });

  it('is started once by many', async () => {
    const world = createWorld({ servers: { a: () => false } });
    await Promise.all([world.pool.connect(a), world.pool.connect(a), world.pool.connectAll()]);
    expect(world.wires.length).toBe(1);
    await world.pool.dispose();
  });

  it('is restarted once by many', async () => {
    const world = createWorld({ servers: { a: () => false } });
    await world.pool.connect(a);
    const states = await Promise.all([world.pool.restart(a), world.pool.restart(a), world.pool.restart(a)]);
    expect(states.map(({ kind }) => kind)).toEqual(['running', 'running', 'running']);
    expect(world.wires.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    await world.pool.dispose();
  });

  it('is restarted anew by one who asks while it starts', async () => {
    let isSlow = true;
    const world = createWorld({ servers: { a: (message) => message.method === 'initialize' && isSlow } });
    const first = world.pool.restart(a);
    await world.clock.advance(5);
    isSlow = false;
    const second = world.pool.restart(a);
    expect([(await first).kind, (await second).kind]).toEqual(['running', 'running']);
    expect(world.wires.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    await world.pool.dispose();
  });

  it('can be stopped while it starts, and started again at once', async () => {
    let count = 0;
    const world = createWorld({
      servers: {
        a: onInitialize(() => {
          count += 1;
        }),
      },
    });
    const first = world.pool.connect(a);
    await world.clock.advance(5);
    const stopped = world.pool.disconnect(a);
    const second = world.pool.connect(a);
    await stopped;
    await world.clock.advance(5);
    expect({ count, closed: world.wires.map(({ isClosed }) => isClosed) }).toEqual({ count: 2, closed: [true, false] });
    await world.pool.dispose();
    expect([(await first).kind, (await second).kind]).toEqual(['stopped', 'stopped']);
  });

  it('reads the tools again when they change, page by page, and keeps the pages before a bad one', async () => {
    let pages: Record<string, object> = { '': { tools: [{ name: 'x' }], nextCursor: '' } };
    const script: Script = (message, wire) => {
      if (message.method !== 'tools/list') {
        return false;
      }
      const cursor = message.params?.['cursor'];
      const page = cursor === undefined ? pages[''] : pages[`after ${cursor}`];
      wire.receive(
        page === undefined
          ? { jsonrpc: '2.0', id: message.id ?? 0, error: { code: -32602, message: 'bad cursor' } }
          : { jsonrpc: '2.0', id: message.id ?? 0, result: page as never },
      );
      return true;
    };
    const world = createWorld({ servers: { a: script } });
    await world.pool.connect(a);
    await world.clock.advance(0);
    expect(stateOf(world)).toMatchObject({ tools: { isComplete: false, tools: [{ name: 'x' }] } });
    pages = {
      '': { tools: [{ name: 'x' }, { noName: 1 }, 7], nextCursor: 'p' },
      'after p': { tools: [{ name: 'y', annotations: { readOnlyHint: true, idempotentHint: 'yes' } }] },
    };
    world.wires[0]?.receive({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await world.clock.advance(0);
    expect(stateOf(world)).toMatchObject({
      tools: { isComplete: true, tools: [{ name: 'x' }, { name: 'y', hints: { readOnlyHint: true } }] },
    });
    await world.pool.dispose();
  });

  it('answers for its roots, and declines what it cannot do', async () => {
    const answers: unknown[] = [];
    const world = createWorld({
      servers: {
        a: (message) => {
          answers.push(message);
          return false;
        },
      },
      pool: { roots: () => [{ uri: 'file:///work', name: 'work' }] },
    });
    await world.pool.connect(a);
    await world.clock.advance(0);
    answers.length = 0;
    for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create', 'ping']) {
      world.wires[0]?.receive({ jsonrpc: '2.0', id: method, method, params: {} });
      await world.clock.advance(0);
    }
    expect(answers).toMatchObject([
      { id: 'roots/list', result: { roots: [{ uri: 'file:///work', name: 'work' }] } },
      { id: 'sampling/createMessage', error: { code: -32601 } },
      { id: 'elicitation/create', error: { code: -32601 } },
      { id: 'ping', result: {} },
    ]);
    await world.pool.dispose();
  });
});

describe('the sentences of the client', () => {
  it('exist for every code in its sources', () => {
    const folder = path.resolve(import.meta.dirname, '../../../../src/core/client');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const sources = files.map((file) => readFileSync(path.join(folder, file), 'utf8'));
    const codes = sources.flatMap((text) => text.match(/(?<=')(connection|definition|call|auth)\.\w+(?=')/g) ?? []);
    expect(codes.length).toBeGreaterThan(25);
    expect(codes.filter((code) => TEXTS[code] === undefined)).toEqual([]);
  });

  it('exist for every way to fail', () => {
    const reasons = [
      'spawn-failed',
      'exited',
      'refused',
      'unresolved',
      'reset',
      'tls',
      'stream-ended',
      'http-status',
      'not-json-rpc',
      'unauthorized',
      'accepted-without-answer',
      'session-lost',
      'closed',
      'unknown',
    ] satisfies TransportFailure['reason'][];
    const failures = reasons.map((reason) =>
      handshakeFailure({ kind: 'transport', failure: { reason, message: 'm' } }),
    );
    expect(failures.filter(({ code, remedy }) => TEXTS[code] === undefined || TEXTS[remedy] === undefined)).toEqual([]);
  });
});
