import { Emitter } from '../../base/event.ts';
import type { SessionEntry } from '../../core/export/sessionFile.ts';
import { createSessionIndex } from '../../core/export/sessionIndex.ts';
import type { EventRange } from '../../core/log/store.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { ReadableLog } from '../recording.ts';

/** A log of what a session file holds: in memory, never growing, with the numbers that the events have in the file. */
export function createFileLog(
  path: string,
  events: readonly LogEvent[],
  entries: readonly SessionEntry[] = [],
): ReadableLog {
  const nothing = new Emitter<never>();
  const index = createSessionIndex(entries);
  for (const event of events) {
    index.add(event);
  }
  const positionOf = (seq: number) => {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle]?.seq ?? 0) < seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  return {
    status: { kind: 'file', path },
    onDidAppend: nothing.event,
    onDidEvict: nothing.event,
    count: events.length,
    get(seq) {
      const event = events[positionOf(seq)];
      return event?.seq === seq ? event : undefined;
    },
    read({ from = 1, to = Number.MAX_SAFE_INTEGER, connection, limit }: EventRange) {
      const found: LogEvent[] = [];
      for (let at = positionOf(from); at < events.length && found.length < limit; at++) {
        const event = events[at];
        if (event === undefined || event.seq > to) {
          break;
        }
        if (connection === undefined || event.connection === connection) {
          found.push(event);
        }
      }
      return found;
    },
    sessions: () => index.summaries(),
    clear: () => false,
    dispose: () => nothing.dispose(),
  };
}
