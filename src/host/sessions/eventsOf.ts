import type { LogEvent } from '../../protocol/events.ts';
import type { ReadableLog } from '../recording.ts';

/** Events of a log that are read at a time. */
const CHUNK_EVENTS = 1000;

/** The events of a log that are wanted, in their order, in steps that leave the extension host time for others. */
export async function* eventsOf(
  log: ReadableLog,
  isWanted: (event: LogEvent) => boolean = () => true,
): AsyncGenerator<LogEvent, void, undefined> {
  for (let from = 1; ; ) {
    const chunk = log.read({ from, limit: CHUNK_EVENTS });
    yield* chunk.filter(isWanted);
    const last = chunk.at(-1);
    if (last === undefined) {
      return;
    }
    from = last.seq + 1;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
