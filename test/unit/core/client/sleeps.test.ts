import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { RequestTable, type SettledRequest } from '../../../../src/core/client/requestTable.ts';
import { parseFrame } from '../../../../src/core/transport/envelope.ts';
import type { Frame } from '../../../../src/core/transport/wire.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { createWorld, idOf } from './fakeServer.ts';
import { call, safeTool, silent } from './poolCalls.ts';

const HOURS_8 = 8 * 3_600_000;

/** One request that was sent, and what it has come to by now. */
function opened(limits = { idleMs: 60_000, totalMs: 600_000 }) {
  const clock = new FakeClock();
  const [sent, received] = [new Emitter<Frame>(), new Emitter<Frame>()];
  const never = new Emitter<never>().event;
  const table = new RequestTable({
    clock,
    wire: { onDidSend: sent.event, onDidReceive: received.event, onDidLoseRequest: never, onDidClose: never },
    onLocalEnd: () => undefined,
  });
  const frame = (message: object): Frame => {
    const raw = JSON.stringify({ jsonrpc: '2.0', ...message });
    return { raw, ...parseFrame(raw), monoUs: clock.monoUs() };
  };
  let end: SettledRequest['end'] | undefined;
  const { signal } = new AbortController();
  void table.open({ token: 'a', limits, signal, origin: 'client' }).then((settled) => {
    end = settled.end;
  });
  sent.fire(frame({ id: 1, method: 'tools/call', params: { _meta: { progressToken: 'a' } } }));
  return { clock, end: () => end, answer: () => received.fire(frame({ id: 1, result: {} })) };
}

describe('a machine that sleeps for eight hours in a call', () => {
  it('hears the answer that was there when it woke', async () => {
    const { clock, end, answer } = opened();
    await clock.advance(10_000);
    clock.lapse(HOURS_8);
    // Timers are looked at before what has arrived.
    await clock.advance(0);
    expect(end()).toBeUndefined();
    answer();
    await clock.advance(0);
    expect(end()).toMatchObject({ kind: 'result' });
  });

  it('gives a silent server the whole limit from when it woke, and no more', async () => {
    const { clock, end } = opened();
    clock.lapse(HOURS_8);
    await clock.advance(0);
    await clock.advance(59_999);
    expect(end()).toBeUndefined();
    await clock.advance(1);
    expect(end()).toMatchObject({ kind: 'timeout', limit: 'idle', afterMs: HOURS_8 + 60_000 });
  });

  it('ends a call that is asleep again and again', async () => {
    const { clock, end } = opened();
    for (let night = 1; night <= 4; night += 1) {
      expect(end()).toBeUndefined();
      clock.lapse(HOURS_8);
      await clock.advance(0);
    }
    expect(end()).toMatchObject({ kind: 'timeout' });
  });

  it('does not take a timer that is a little late for sleep', async () => {
    const { clock, end } = opened({ idleMs: 100, totalMs: 1000 });
    clock.lapse(1_000);
    await clock.advance(0);
    expect(end()).toMatchObject({ kind: 'timeout', limit: 'idle' });
  });

  it('neither repeats nor reports a call that is answered after it', async () => {
    const world = createWorld({ servers: { a: silent }, tools: [safeTool], isTrusted: true });
    const calling = call(world);
    await world.clock.advance(0);
    world.clock.lapse(HOURS_8);
    await world.clock.advance(0);
    const [wire] = world.wires;
    const request = wire?.sent.find(({ method }) => method === 'tools/call');
    if (wire === undefined || request === undefined) {
      throw new Error('nothing was sent');
    }
    wire.reply(request, { content: [] });
    await world.clock.advance(0);
    expect(await calling).toMatchObject({ kind: 'success', attempts: [{ number: 1 }] });
    expect(world.pool.connections.get(idOf('a'))?.state.kind).toBe('running');
    await world.pool.dispose();
  });
});

describe('a wall clock that is set', () => {
  it.each([-3_600_000, 3_600_000])('by %i ms changes no limit', async (ms) => {
    const { clock, end } = opened();
    await clock.advance(10_000);
    clock.setWall(ms);
    await clock.advance(49_999);
    expect(end()).toBeUndefined();
    await clock.advance(1);
    expect(end()).toMatchObject({ kind: 'timeout', afterMs: 60_000 });
  });
});
