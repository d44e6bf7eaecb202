import { describe, expect, it } from 'vitest';
import { createWorld, idOf, type Script } from './fakeServer.ts';
import { attempts, call, done, exited, onCall, safeTool } from './poolCalls.ts';

describe('a lost connection', () => {
  it('ends every call in flight with its cause, and is made again by the next call', async () => {
    const world = createWorld({
      servers: {
        a: onCall((message, wire, count) => {
          if (count === 2) {
            wire.exit(exited);
          } else if (count > 2) {
            wire.reply(message, {});
          }
        }),
      },
    });
    const first = call(world);
    const second = call(world);
    const ends = await Promise.all([first, second]);
    for (const end of ends) {
      expect(end).toMatchObject({
        kind: 'transport_error',
        detail: { end: { kind: 'transport', failure: exited } },
        stopped: 'notIdempotent.unknown',
      });
    }
    expect(world.bodies('local-end').map(({ end }) => end.kind)).toEqual(['transport', 'transport']);
    expect(world.pool.connections.get(idOf('a'))?.state).toMatchObject({
      kind: 'failed',
      failure: { code: 'connection.exited', remedy: 'connection.exited.remedy', failure: exited },
    });
    expect((await call(world)).kind).toBe('success');
    expect(world.wires.length).toBe(2);
    await world.pool.dispose();
  });

  it('is made again for a retry, and only then', async () => {
    const script = onCall((message, wire, count) => (count === 1 ? wire.exit(exited) : wire.reply(message, {})));
    const world = createWorld({ servers: { a: script }, tools: [safeTool], isTrusted: true });
    await world.pool.connect(idOf('a'));
    await world.clock.advance(0);
    const outcome = call(world);
    await world.clock.advance(999);
    expect(world.wires.length).toBe(1);
    await world.clock.advance(1);
    expect((await outcome).kind).toBe('success');
    expect(attempts(world)).toEqual(['1 send 0 retry.first', '2 wait 1000 retry.lost', '2 send 1000 retry.lost']);
    expect(new Set(world.events.map(({ connection }) => connection)).size).toBe(2);
    await world.pool.dispose();
  });

  it('repeats what had not left once, over a new connection', async () => {
    const world = createWorld({
      servers: { a: done },
      prepareWire: (wire, count) => {
        if (count === 1) {
          wire.refuse = ({ method }) => {
            if (method !== 'tools/call') {
              return undefined;
            }
            wire.exit(exited);
            return { reason: 'closed', message: 'the pipe is closed' };
          };
        }
      },
    });
    await world.pool.connect(idOf('a'));
    const outcome = call(world);
    await world.clock.advance(2000);
    expect((await outcome).kind).toBe('success');
    expect(attempts(world)).toEqual(['1 send 0 retry.first', '2 wait 1000 retry.notSent', '2 send 1000 retry.notSent']);
    expect(world.bodies('local-end')).toEqual([]);
    await world.pool.dispose();
  });

  it('begins a new session once when the server has forgotten the old one', async () => {
    const forgotten = { reason: 'session-lost', message: '404', status: 404 } as const;
    const world = createWorld({
      servers: {
        a: onCall((message, wire, count) =>
          count === 1 ? wire.lose(message.id ?? 0, forgotten) : wire.reply(message, {}),
        ),
      },
    });
    const outcome = await call(world);
    expect(outcome).toMatchObject({ kind: 'success', attempts: [{ number: 1 }, { number: 2, delayMs: 0 }] });
    expect(world.wires.length).toBe(2);
    await world.pool.dispose();
  });

  it('waits longer and longer before it asks a server again that keeps refusing', async () => {
    const world = createWorld({
      servers: { a: done },
      prepareWire: (wire) => {
        wire.startFailure = { reason: 'spawn-failed', code: 'ENOENT', message: 'no such file' };
      },
    });
    expect(await call(world)).toMatchObject({
      kind: 'transport_error',
      detail: { end: { failure: { reason: 'spawn-failed', code: 'ENOENT' } } },
      stopped: 'retry.neverExecuted',
    });
    const second = call(world);
    await world.clock.advance(999);
    expect(world.wires.length).toBe(1);
    await world.clock.advance(1);
    await second;
    const third = call(world);
    await world.clock.advance(2000);
    await third;
    expect(world.wires.length).toBe(3);
    expect(world.bodies('lifecycle').filter(({ detail }) => detail.step === 'backoff')).toMatchObject([
      { detail: { delayMs: 1000, attempt: 1 } },
      { detail: { delayMs: 2000, attempt: 2 } },
    ]);
    expect(world.pool.connections.get(idOf('a'))?.state).toMatchObject({ failure: { code: 'connection.notFound' } });
    await world.pool.dispose();
  });
});

describe('one dead server', () => {
  it("delays neither another's calls nor its catalogue nor its shutdown", async () => {
    const dead: Script = () => true;
    const world = createWorld({ servers: { dead, alive: done }, tools: [safeTool] });
    void world.pool.connectAll();
    const stuck = call(world, 'dead');
    expect((await call(world, 'alive')).kind).toBe('success');
    await world.clock.advance(0);
    expect(world.pool.tools(idOf('alive')).map(({ name }) => name)).toEqual(['work']);
    expect(world.pool.connections.get(idOf('dead'))?.state.kind).toBe('starting');
    await world.pool.dispose();
    expect((await stuck).kind).toBe('cancelled');
    expect(world.wires.every((wire) => wire.isClosed)).toBe(true);
    expect(world.clock.pendingMs()).toEqual([]);
  });

  it('fails by itself', async () => {
    const world = createWorld({ servers: { dead: () => true, alive: done } });
    const states = Promise.all([world.pool.connect(idOf('dead')), world.pool.connect(idOf('alive'))]);
    await world.clock.advance(30_000);
    expect((await states).map(({ kind }) => kind)).toEqual(['failed', 'running']);
    await world.pool.dispose();
  });
});
