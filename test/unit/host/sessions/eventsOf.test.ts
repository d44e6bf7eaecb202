import { describe, expect, it } from 'vitest';
import type { ReadableLog } from '../../../../src/host/recording.ts';
import { chunksOf, eventsOf } from '../../../../src/host/sessions/eventsOf.ts';
import type { LogEvent } from '../../../../src/protocol/events.ts';

/** A log of the events 3 to 7. */
const log = {
  read: ({ from = 1, limit = 1 }) =>
    [3, 4, 5, 6, 7]
      .filter((seq) => seq >= from)
      .map((seq) => ({ seq }) as LogEvent)
      .slice(0, limit),
} satisfies Pick<ReadableLog, 'read'> as unknown as ReadableLog;

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

const seqs = (events: readonly LogEvent[]) => events.map(({ seq }) => seq);

describe('the events of a log', () => {
  it.each([
    [{ limit: 2 }, [[3, 4], [5, 6], [7]]],
    [{ from: 5, limit: 5 }, [[5, 6, 7]]],
    [{ from: 8 }, []],
  ])('come in steps, %j', async (options, expected) => {
    expect((await all(chunksOf(log, options))).map(seqs)).toEqual(expected);
  });

  it('are those that are wanted, and each step is told, the last one too', async () => {
    const steps: (readonly number[])[] = [];
    const isOdd = ({ seq }: LogEvent) => seq % 2 === 1;
    const events = eventsOf(log, isOdd, { limit: 3, afterChunk: (chunk) => steps.push(seqs(chunk)) });
    expect([seqs(await all(events)), steps]).toEqual([
      [3, 5, 7],
      [
        [3, 4, 5],
        [6, 7],
      ],
    ]);
  });

  it('end with what the end of a step throws, rather than as if they were all', async () => {
    const afterChunk = () => {
      throw new Error('cancelled');
    };
    await expect(all(eventsOf(log, undefined, { limit: 10, afterChunk }))).rejects.toThrow('cancelled');
  });
});
