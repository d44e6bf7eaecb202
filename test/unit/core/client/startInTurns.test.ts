import { describe, expect, it } from 'vitest';
import { STARTS_AT_ONCE, startInTurns } from '../../../../src/core/client/startInTurns.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const items = Array.from({ length: 200 }, (_, index) => index);

describe('two hundred starts', () => {
  it('are a few at a time, in their order, each once', async () => {
    const clock = new FakeClock();
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const all = startInTurns(
      items,
      async (item) => {
        begun.push(item);
        running += 1;
        most = Math.max(most, running);
        await clock.sleep(100);
        running -= 1;
      },
      clock,
    );
    expect(begun.length).toBe(STARTS_AT_ONCE);
    await clock.advance(200 * 100);
    await all;
    expect([begun, most, running, clock.pendingMs()]).toEqual([items, STARTS_AT_ONCE, 0, []]);
  });

  it('are not kept by those that hang, and end when those do', async () => {
    const clock = new FakeClock();
    const begun: number[] = [];
    let hasEnded = false;
    const all = startInTurns(
      items.slice(0, 20),
      (item) => {
        begun.push(item);
        return item < STARTS_AT_ONCE ? clock.sleep(30_000) : Promise.resolve();
      },
      clock,
    ).then(() => {
      hasEnded = true;
    });
    await clock.advance(1999);
    expect(begun.length).toBe(STARTS_AT_ONCE);
    await clock.advance(1);
    expect([begun.length, hasEnded]).toEqual([20, false]);
    await clock.advance(30_000);
    await all;
    expect(hasEnded).toBe(true);
  });
});
