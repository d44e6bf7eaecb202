import type { LogEvent } from '../../protocol/events.ts';
import type { ReadableLog } from '../recording.ts';

/** Events of a log that are read at a time. */
const CHUNK_EVENTS = 1000;

export interface ReadingOptions {
  /** `seq` of the first event, 1 when absent. */
  readonly from?: number;
  /** Events that are read at a time. */
  readonly limit?: number;
  /** After each step, when others had their turn, the last one included. What it throws ends the reading. */
  readonly afterChunk?: (chunk: readonly LogEvent[]) => void;
}

/** The events of a log in their order, in steps that leave the extension host time for others. */
export async function* chunksOf(
  log: ReadableLog,
  { from = 1, limit = CHUNK_EVENTS, afterChunk }: ReadingOptions = {},
): AsyncGenerator<readonly LogEvent[], void, undefined> {
  for (let next = from; ; ) {
    const chunk = log.read({ from: next, limit });
    const last = chunk.at(-1);
    if (last === undefined) {
      return;
    }
    yield chunk;
    next = last.seq + 1;
    await new Promise<void>((resolve) => setImmediate(resolve));
    afterChunk?.(chunk);
  }
}

/** The events of a log that are wanted, one by one, read as `chunksOf` does. */
export async function* eventsOf(
  log: ReadableLog,
  isWanted: (event: LogEvent) => boolean = () => true,
  options?: ReadingOptions,
): AsyncGenerator<LogEvent, void, undefined> {
  for await (const chunk of chunksOf(log, options)) {
    yield* chunk.filter(isWanted);
  }
}
