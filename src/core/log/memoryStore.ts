import type { LogEvent, NewLogEvent } from '../../protocol/events.ts';
import { type EventRange, type LogStore, payloadBytesOf, sizeOf, type WriteResult } from './store.ts';

/** Keeps events in memory, at most `maxBytes` of them: the oldest quarter makes room when that is reached. */
export function createMemoryStore(maxBytes: number): LogStore {
  let events: LogEvent[] = [];
  let bytes = 0;
  let lastSeq = 0;

  /** Index of the first event whose `seq` is not below `seq`: they are consecutive. */
  const indexOf = (seq: number) => Math.min(events.length, Math.max(0, seq - (lastSeq - events.length + 1)));

  const evict = () => {
    let count = 0;
    let freed = 0;
    let payload = 0;
    for (const event of events) {
      if (bytes - freed <= maxBytes * 0.75) {
        break;
      }
      freed += sizeOf(event);
      payload += payloadBytesOf(event);
      count++;
    }
    events = events.slice(count);
    bytes -= freed;
    return { events: count, bytes: payload };
  };

  return {
    write(batch: readonly NewLogEvent[]): WriteResult {
      const firstSeq = lastSeq + 1;
      for (const event of batch) {
        events.push({ ...event, seq: ++lastSeq });
        bytes += sizeOf(event);
      }
      return bytes > maxBytes ? { kind: 'written', firstSeq, evicted: evict() } : { kind: 'written', firstSeq };
    },
    get(seq) {
      const event = events[indexOf(seq)];
      return event?.seq === seq ? event : undefined;
    },
    read({ from = 1, to = lastSeq, connection, limit }: EventRange) {
      const found: LogEvent[] = [];
      for (let index = indexOf(from); index < events.length && found.length < limit; index++) {
        const event = events[index];
        if (event === undefined || event.seq > to) {
          break;
        }
        if (connection === undefined || event.connection === connection) {
          found.push(event);
        }
      }
      return found;
    },
    lastSeq: () => lastSeq,
    count: () => events.length,
    clear() {
      events = [];
      bytes = 0;
      return true;
    },
    setPatience: () => undefined,
    close() {
      events = [];
    },
  };
}
