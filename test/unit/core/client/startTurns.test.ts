import { describe, expect, it } from 'vitest';
import { StartTurns } from '../../../../src/core/client/startTurns.ts';
import { FakeClock } from '../../support/fakeClock.ts';

function setUp() {
  const clock = new FakeClock();
  const turns = new StartTurns(clock);
  const seen: string[] = [];
  const startOf = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void turns.take(() => promise).then(() => seen.push(`${name} started`));
    return resolve;
  };
  const again = () => turns.afterFirst(1_000).then(() => seen.push('again'));
  return { clock, seen, startOf, again };
}

describe('whoever starts once more', () => {
  it('goes on at once where nobody starts', async () => {
    const { again, seen, clock } = setUp();
    await again();
    expect([seen, clock.pendingMs()]).toEqual([['again'], []]);
  });

  it('comes after all that start for the first time', async () => {
    const { again, seen, startOf, clock } = setUp();
    const [endA, endB] = [startOf('a'), startOf('b')];
    const done = again();
    endA();
    await clock.advance(10);
    expect(seen).toEqual(['a started']);
    endB();
    await done;
    expect([seen.includes('again'), clock.pendingMs()]).toEqual([true, []]);
  });

  it('waits no longer than it has to for one that hangs', async () => {
    const { again, seen, startOf, clock } = setUp();
    startOf('hung');
    void again();
    await clock.advance(999);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual(['again']);
  });

  it('is not kept by a start that throws', async () => {
    const turns = new StartTurns(new FakeClock());
    await expect(turns.take(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    await expect(turns.afterFirst(1_000)).resolves.toBeUndefined();
  });
});
