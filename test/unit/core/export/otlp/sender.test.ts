import { describe, expect, it } from 'vitest';
import { Sender, type SenderOptions, type SenderState } from '../../../../../src/core/export/otlp/sender.ts';
import type { Sent } from '../../../../../src/core/export/otlp/transport.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const TAKEN: Sent = { kind: 'taken', answer: new Uint8Array() };
const LATER: Sent = { kind: 'later', why: 'not now' };

/** A sender of numbers to a collector that answers by a script, and then takes everything. */
function start(script: readonly Sent[], more: Partial<SenderOptions<number>> = {}) {
  const clock = new FakeClock();
  const answers = [...script];
  const sent: number[][] = [];
  const times: number[] = [];
  const lost: [number, string, string | undefined][] = [];
  const states: SenderState[] = [];
  let isClosed = false;
  const sender = new Sender<number>({
    clock,
    random: () => 0.5,
    timeoutMs: 1000,
    maxQueue: 10,
    maxBatch: 4,
    delayMs: 100,
    transport: {
      async send(body) {
        sent.push([...body]);
        times.push(clock.monoUs() / 1000);
        return answers.shift() ?? TAKEN;
      },
      close() {
        isClosed = true;
      },
    },
    encode: (batch) => Uint8Array.from(batch),
    rejected: () => undefined,
    onLost: (count, reason, why) => lost.push([count, reason, why]),
    onState: (state) => states.push(state),
    ...more,
  });
  return { clock, sender, sent, times, lost, states, isClosed: () => isClosed };
}

describe('a sender', () => {
  it('waits for others to send with, and for none when a batch is full', async () => {
    const { clock, sender, sent, times } = start([]);
    sender.push([1]);
    await clock.advance(50);
    expect(sent).toEqual([]);
    await clock.advance(50);
    expect([sent, times]).toEqual([[[1]], [100]]);
    sender.push([2, 3, 4, 5, 6]);
    await clock.advance(0);
    expect(sent).toEqual([[1], [2, 3, 4, 5], [6]]);
    expect([sender.sent, sender.waiting]).toEqual([6, 0]);
  });

  it('keeps what could not be sent and tries again, each time after twice as long', async () => {
    const { clock, sender, sent, times } = start([LATER, LATER, LATER]);
    sender.push([1, 2]);
    await clock.advance(10_000);
    expect([sent, times]).toEqual([Array(4).fill([1, 2]), [100, 1100, 3100, 7100]]);
    expect(sender.sent).toBe(2);
  });

  it('has a longest wait', async () => {
    const { clock, sender, times } = start(Array(12).fill(LATER));
    sender.push([1]);
    await clock.advance(3_600_000);
    expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBe(60_000);
  });

  it('waits for as long as the collector asks, in a hurry as well', async () => {
    const { clock, sender, times, states } = start([{ ...LATER, retryAfterMs: 30_000 }]);
    sender.push([1, 2, 3, 4]);
    await clock.advance(0);
    expect(states.at(-1)).toEqual({ kind: 'waiting', why: 'not now', untilUs: 30_000_000, failures: 1 });
    const flushed = sender.flush(60_000);
    await clock.advance(29_999);
    expect(times).toEqual([0]);
    await clock.advance(1);
    expect([times, await flushed]).toEqual([[0, 30_000], true]);
  });

  it('does not wait for its own time in a hurry', async () => {
    const { clock, sender, times } = start([LATER, LATER, LATER]);
    sender.push([1]);
    await clock.advance(5000);
    expect(times).toEqual([100, 1100, 3100]);
    const flushed = sender.flush(5000);
    await clock.advance(0);
    expect([times, await flushed]).toEqual([[100, 1100, 3100, 5000], true]);
  });

  it('ends its hurry in time, and counts what is left', async () => {
    const { clock, sender, lost, isClosed } = start(Array(100).fill(LATER));
    sender.push([1, 2, 3]);
    const flushed = sender.flush(2500);
    await clock.advance(2500);
    expect(await flushed).toBe(false);
    sender.close();
    expect([lost, isClosed()]).toEqual([[[3, 'closed', undefined]], true]);
    sender.push([4]);
    expect(lost.at(-1)).toEqual([1, 'closed', undefined]);
  });

  it('counts what finds no room; what is under way keeps its place', async () => {
    const { clock, sender, sent, lost } = start([LATER]);
    sender.push([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    sender.push([10, 11, 12]);
    expect(lost).toEqual([[2, 'queue_full', undefined]]);
    await clock.advance(2000);
    expect(sent).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ]);
  });

  it('drops what is refused, and what cannot be encoded, with the reason', async () => {
    const encode = (batch: readonly number[]) => {
      if (batch.includes(9)) {
        throw new Error('nine');
      }
      return Uint8Array.from(batch);
    };
    const { clock, sender, lost } = start([{ kind: 'refused', why: 'HTTP 400' }], { encode });
    sender.push([1, 2, 3, 4, 9, 6]);
    await clock.advance(0);
    expect(lost).toEqual([
      [4, 'rejected', 'HTTP 400'],
      [2, 'rejected', 'nine'],
    ]);
    expect([sender.sent, sender.waiting]).toEqual([0, 0]);
  });

  it('drops a single thing that is too large', async () => {
    const large: Sent = { kind: 'too-large', why: 'HTTP 413' };
    const { clock, sender, sent, lost } = start([large, large, large]);
    sender.push([1, 2, 3, 4]);
    await clock.advance(0);
    expect(sent).toEqual([[1, 2, 3, 4], [1, 2], [1], [2], [3, 4]]);
    expect(lost).toEqual([[1, 'rejected', 'HTTP 413']]);
  });

  it('replaces what it has not begun to send', async () => {
    const { clock, sender, sent } = start([LATER], { maxBatch: 1, delayMs: 0 });
    sender.replace(1);
    await clock.advance(500);
    sender.replace(2);
    sender.replace(3);
    await clock.advance(5000);
    expect(sent).toEqual([[1], [1], [3]]);
  });

  it('gives up when its patience is over, and lets nobody wait for room any more', async () => {
    const { clock, sender, lost } = start(Array(100).fill(LATER), { patienceMs: 5000 });
    sender.push([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const room = sender.room(1);
    await clock.advance(60_000);
    await room;
    expect(lost).toEqual([[10, 'closed', 'not now']]);
  });

  it('does not wait for a time that is beyond its patience', async () => {
    const { clock, sender, lost } = start([{ ...LATER, retryAfterMs: 3_600_000 }], { patienceMs: 5000 });
    sender.push([1, 2, 3, 4]);
    await clock.advance(0);
    expect(lost).toEqual([[4, 'closed', 'not now']]);
  });
});
