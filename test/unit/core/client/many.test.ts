import { describe, expect, it } from 'vitest';
import { STARTS_AT_ONCE } from '../../../../src/core/client/startInTurns.ts';
import { createWorld, idOf, type Script } from './fakeServer.ts';
import { call, done } from './poolCalls.ts';

const names = Array.from({ length: 200 }, (_, index) => `s${index}`);
const tools = Array.from({ length: 1000 }, (_, index) => ({
  name: `tool${index}`,
  description: 'x'.repeat(200),
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  annotations: { readOnlyHint: index % 2 === 0 },
}));

describe('two hundred servers', () => {
  const servers = Object.fromEntries(names.map((name): [string, Script] => [name, done]));

  it('are not started by being defined, looked at or asked for what they list', async () => {
    const world = createWorld({ servers });
    for (const name of names) {
      expect(world.pool.catalogue(idOf(name))).toMatchObject({ isAvailable: false });
      expect(world.pool.tools(idOf(name))).toEqual([]);
    }
    await world.clock.advance(60_000);
    expect([world.pool.connections.size, world.wires.length, world.events.length]).toEqual([200, 0, 0]);
    await call(world, 's7');
    expect(world.wires.length).toBe(1);
    await world.pool.dispose();
  });

  it('are connected a few at a time', async () => {
    const world = createWorld({ servers });
    let most = 0;
    world.pool.onDidChange(() => {
      const starting = [...world.pool.connections.values()].filter(({ state }) => state.kind === 'starting');
      most = Math.max(most, starting.length);
    });
    await world.pool.connectAll();
    expect([...world.pool.connections.values()].every(({ state }) => state.kind === 'running')).toBe(true);
    expect([most, world.wires.length]).toEqual([STARTS_AT_ONCE, 200]);
    await world.pool.dispose();
  });
});

describe('a thousand tools of one server', () => {
  it.each([
    ['in one page', 1000],
    ['in pages of fifty', 50],
  ])('%s are all known, and the last of them can be called', async (_, size) => {
    const script: Script = (message, wire) => {
      if (message.method === 'tools/list') {
        const from = Number(message.params?.['cursor'] ?? 0);
        const next = from + size < tools.length ? { nextCursor: String(from + size) } : {};
        wire.reply(message, { tools: tools.slice(from, from + size), ...next });
        return true;
      }
      return done(message, wire);
    };
    const world = createWorld({ servers: { a: script }, isTrusted: true });
    await world.pool.connectAll();
    const listed = await world.pool.listed(idOf('a'));
    expect([listed?.tools.isComplete, listed?.tools.items.map(({ name }) => name)]).toEqual([
      true,
      tools.map(({ name }) => name),
    ]);
    const params = { name: 'tool998', arguments: {} };
    expect(world.pool.idempotencyOf(idOf('a'), 'tools/call', params)).toMatchObject({ isIdempotent: true });
    expect(await call(world, 'a', { params: { name: 'tool999', arguments: {} } })).toMatchObject({ kind: 'success' });
    await world.pool.dispose();
  });
});
