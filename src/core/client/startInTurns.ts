import type { Clock } from '../../base/clock.ts';

/** Started at once: a person may have hundreds of servers, each of which is a process or two that want a processor and memory. */
export const STARTS_AT_ONCE = 8;
/** One that takes longer makes room for the next: what hangs keeps nobody from starting. */
const MAKES_ROOM_MS = 2000;

/** Starts one after the other, a few at a time, in their order; resolves when all have ended. `start` must not reject. */
export async function startInTurns<T>(
  items: readonly T[],
  start: (item: T) => Promise<unknown>,
  clock: Clock,
): Promise<void> {
  const waiting = [...items];
  const starts: Promise<unknown>[] = [];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const started = start(item);
      starts.push(started);
      const awake = new AbortController();
      await Promise.race([started, clock.sleep(MAKES_ROOM_MS, awake.signal)]);
      awake.abort();
    }
  };
  await Promise.all(Array.from({ length: STARTS_AT_ONCE }, work));
  await Promise.all(starts);
}
