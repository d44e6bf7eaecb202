import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../base/event.ts';
import type { SessionEntry } from '../../core/export/sessionFile.ts';
import { createSessionIndex } from '../../core/export/sessionIndex.ts';
import { eventTextTest } from '../../core/log/eventText.ts';
import type { EventRange } from '../../core/log/store.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { ReadableLog } from '../recording.ts';

/** Events searched at a time: a few milliseconds. */
const STEP_EVENTS = 2000;

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
    lastSeq: events.at(-1)?.seq ?? 0,
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
    async search(text, { limit, signal }) {
      const holds = eventTextTest(text);
      const found: number[] = [];
      for (
        let at = events.length - 1;
        at >= 0 && text !== '' && found.length < limit && signal?.aborted !== true;
        at--
      ) {
        const event = events[at];
        if (event !== undefined && holds(event)) {
          found.push(event.seq);
        }
        if (at % STEP_EVENTS === 0) {
          await setImmediate();
        }
      }
      return found;
    },
    clear: () => false,
    dispose: () => nothing.dispose(),
  };
}
