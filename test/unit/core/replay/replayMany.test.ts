import { describe, expect, it } from 'vitest';
import type { ReplayRequest } from '../../../../src/core/replay/replay.ts';
import { MAX_REPLAYS, type ManyOptions, replayMany } from '../../../../src/core/replay/replayMany.ts';
import { DEFAULT_REPLAY_POLICY } from '../../../../src/core/resilience/policy.ts';
import type { JsonObject } from '../../../../src/protocol/jsonrpc.ts';
import { createWorld, idOf, type Script, type World } from '../client/fakeServer.ts';
import { onCall } from '../client/poolCalls.ts';

const once = { ...DEFAULT_REPLAY_POLICY, maxAttempts: 1 };

const request = (server: string, target: string, key = 1, method = 'tools/call'): ReplayRequest => ({
  key,
  server: idOf(server),
  method,
  params: { name: target },
  policy: once,
});

function optionsOf(world: World, more: Partial<ManyOptions> = {}): ManyOptions {
  return {
    perServer: 2,
    loopLimit: 0,
    signal: new AbortController().signal,
    isConfirmed: () => false,
    lease: async () => ({ pool: world.pool, release: async () => undefined }),
    ...more,
  };
}

/** Answers every call alike, at once. */
const answering =
  (result: JsonObject): Script =>
  (message, wire) => {
    const isCall = message.method === 'tools/call';
    if (isCall) {
      wire.reply(message, result);
    }
    return isCall;
  };

/** Answers when it is told to; remembers who waits. */
function holding(): { script: Script; waiting: (() => void)[]; most: number } {
  const held = { waiting: [] as (() => void)[], most: 0, script: (() => false) as Script };
  held.script = onCall((message, wire) => {
    held.waiting.push(() => wire.reply(message, { content: [] }));
    held.most = Math.max(held.most, held.waiting.length);
  });
  return held;
}

const callsOf = (world: World) =>
  world.wires.flatMap(({ sent }) =>
    sent.filter(({ method }) => method === 'tools/call').map(({ params }) => params?.['name']),
  );

describe('replayMany', () => {
  const toolPolicy = (_server: string, tool: string) => ({ isIdempotent: tool.startsWith('read') });

  it('sends what is safe or was confirmed, and says of the rest why not', async () => {
    const world = createWorld({
      servers: { a: answering({}) },
      pool: { toolPolicy },
    });
    const ended: number[] = [];
    const done = replayMany(
      [request('a', 'read'), request('a', 'write'), request('a', 'write2')],
      optionsOf(world, { isConfirmed: (index) => index === 2, onEnd: (index) => ended.push(index) }),
    );
    await world.clock.advance(10);
    expect(await done).toMatchObject([
      { kind: 'replayed', outcome: { kind: 'success' } },
      { kind: 'skipped', code: 'replay.confirm.setting', args: { target: 'write' } },
      { kind: 'replayed', outcome: { kind: 'success' } },
    ]);
    expect(callsOf(world).sort()).toEqual(['read', 'write2']);
    expect(ended.sort()).toEqual([0, 1, 2]);
    await world.pool.dispose();
  });

  it('gives each server its share, and waits for none on account of another', async () => {
    const slow = holding();
    const quick = answering({});
    const world = createWorld({ servers: { slow: slow.script, quick }, pool: { toolPolicy } });
    const ended: number[] = [];
    const requests = [...'abcde'].map((letter) => request('slow', `read ${letter}`));
    const done = replayMany(
      [...requests, request('quick', 'read')],
      optionsOf(world, { onEnd: (index) => ended.push(index) }),
    );
    await world.clock.advance(10);
    expect({ ended, waiting: slow.waiting.length }).toEqual({ ended: [5], waiting: 2 });
    while (slow.waiting.length > 0) {
      slow.waiting.shift()?.();
      await world.clock.advance(1);
    }
    expect((await done).map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'replayed'));
    expect(slow.most).toBe(2);
    await world.pool.dispose();
  });

  it('stops at once when it is cancelled: what runs ends, what waits is not sent', async () => {
    const slow = holding();
    const world = createWorld({ servers: { a: slow.script }, pool: { toolPolicy } });
    const controller = new AbortController();
    const done = replayMany(
      [...'abcd'].map((letter) => request('a', `read ${letter}`)),
      optionsOf(world, { signal: controller.signal }),
    );
    await world.clock.advance(10);
    controller.abort();
    expect(await done).toMatchObject([
      { kind: 'replayed', outcome: { kind: 'cancelled' } },
      { kind: 'replayed', outcome: { kind: 'cancelled' } },
      { kind: 'skipped', code: 'replay.skipped.cancelled' },
      { kind: 'skipped', code: 'replay.skipped.cancelled' },
    ]);
    expect(callsOf(world)).toEqual(['read a', 'read b']);
    await world.pool.dispose();
  });

  it('does not go on with the same call once it has failed too often in a row', async () => {
    const fails = answering({ isError: true, content: [] });
    const world = createWorld({ servers: { a: fails }, pool: { toolPolicy } });
    const done = replayMany(
      [1, 2, 3, 4].map((key) => request('a', 'read', key)).concat(request('a', 'read other')),
      optionsOf(world, { perServer: 1, loopLimit: 2 }),
    );
    await world.clock.advance(10);
    expect(await done).toMatchObject([
      { kind: 'replayed' },
      { kind: 'replayed' },
      { kind: 'skipped', code: 'replay.skipped.loop', args: { count: 2 } },
      { kind: 'skipped', code: 'replay.skipped.loop' },
      { kind: 'replayed' },
    ]);
    expect(callsOf(world)).toEqual(['read', 'read', 'read other']);
    await world.pool.dispose();
  });

  it('releases what it was lent, also when nothing was sent', async () => {
    const world = createWorld({ servers: { a: () => false }, pool: { toolPolicy } });
    let lent = 0;
    await replayMany(
      [request('a', 'write'), request('a', 'write')],
      optionsOf(world, {
        lease: async () => {
          lent += 1;
          return {
            pool: world.pool,
            release: async () => {
              lent -= 1;
            },
          };
        },
      }),
    );
    expect(lent).toBe(0);
    expect(world.events).toEqual([]);
  });

  it('takes no more than a person can mean', async () => {
    const world = createWorld({ servers: { a: () => false }, pool: { toolPolicy } });
    const requests = Array.from({ length: MAX_REPLAYS + 1 }, () => request('a', 'write'));
    const items = await replayMany(requests, optionsOf(world));
    expect(items.map((item) => (item.kind === 'skipped' ? item.code : item.kind)).at(-1)).toBe(
      'replay.skipped.tooMany',
    );
    expect(world.events).toEqual([]);
  });
});
