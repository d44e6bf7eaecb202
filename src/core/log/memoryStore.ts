import { randomBytes } from 'node:crypto';
import type { LogEvent, NewLogEvent, SessionId } from '../../protocol/events.ts';
import { eventTextTest } from './eventText.ts';
import {
  type EventRange,
  type Evicted,
  type LogStore,
  payloadBytesOf,
  type SessionInfo,
  sizeOf,
  type WriteResult,
} from './store.ts';

const NOTHING: Evicted = { events: 0, bytes: 0, untilUs: 0 };

/** Keeps events in memory, at most `maxBytes` of them: the oldest quarter makes room when that is reached. */
export function createMemoryStore(maxBytes: number): LogStore {
  let events: LogEvent[] = [];
  let bytes = 0;
  let lastSeq = 0;
  const names = new Map<SessionId, string>();
  const pins = new Set<SessionId>();
  const key = randomBytes(16);

  /** Index of the first event whose `seq` is not below `seq`. */
  const indexOf = (seq: number) => {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.seq ?? 0) < seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };

  const keep = (isKept: (event: LogEvent) => boolean) => {
    const before = events;
    events = events.filter(isKept);
    bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
    return before.length - events.length;
  };

  const makeRoom = () => {
    let [count, freed, payload] = [0, 0, 0];
    keep((event) => {
      if (bytes - freed <= maxBytes * 0.75 || pins.has(event.session)) {
        return true;
      }
      freed += sizeOf(event);
      payload += payloadBytesOf(event);
      count++;
      return false;
    });
    return { events: count, bytes: payload };
  };

  return {
    write(batch: readonly NewLogEvent[]): WriteResult {
      const firstSeq = lastSeq + 1;
      for (const event of batch) {
        events.push({ ...event, seq: ++lastSeq });
        bytes += sizeOf(event);
      }
      const evicted = bytes > maxBytes ? makeRoom() : undefined;
      return evicted === undefined || evicted.events === 0
        ? { kind: 'written', firstSeq }
        : { kind: 'written', firstSeq, evicted };
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
      keep(({ session }) => pins.has(session));
      for (const id of [...names.keys()].filter((each) => !pins.has(each))) {
        names.delete(id);
      }
      return true;
    },
    // No other process writes it.
    limits: () => undefined,
    keepLimits: () => undefined,
    redactionKey: () => key,
    sessions: () => sessionsOf(events, names, pins),
    nameSession(id, name) {
      if (name === undefined) {
        names.delete(id);
      } else {
        names.set(id, name);
      }
      return events.some((event) => event.session === id);
    },
    pinSession(id, isPinned) {
      if (isPinned) {
        pins.add(id);
      } else {
        pins.delete(id);
      }
      return events.some((event) => event.session === id);
    },
    deleteSession(id) {
      names.delete(id);
      pins.delete(id);
      return keep((event) => event.session !== id) > 0;
    },
    // Its own bound is all that it has: it goes with the process.
    evict: () => undefined,
    undeclared: () => NOTHING,
    declareEvicted: () => false,
    usedBytes: () => 0,
    sweep: () => false,
    deletions: () => 0,
    changes: () => 0,
    search(text, from, to, limit) {
      const holds = eventTextTest(text);
      const found: number[] = [];
      for (let index = indexOf(to + 1) - 1; index >= 0 && found.length < limit; index--) {
        const event = events[index];
        if (event === undefined || event.seq < from) {
          break;
        }
        if (holds(event)) {
          found.push(event.seq);
        }
      }
      return found;
    },
    setPatience: () => undefined,
    close() {
      events = [];
    },
  };
}

function sessionsOf(
  events: readonly LogEvent[],
  names: ReadonlyMap<SessionId, string>,
  pins: ReadonlySet<SessionId>,
): readonly SessionInfo[] {
  const sessions = new Map<SessionId, SessionInfo>();
  for (const event of events) {
    const { session: id, wallUs } = event;
    const known = sessions.get(id);
    const name = names.get(id);
    sessions.set(id, {
      id,
      firstSeq: known?.firstSeq ?? event.seq,
      firstUs: Math.min(known?.firstUs ?? wallUs, wallUs),
      lastUs: Math.max(known?.lastUs ?? wallUs, wallUs),
      events: (known?.events ?? 0) + 1,
      bytes: (known?.bytes ?? 0) + sizeOf(event),
      ...(name === undefined ? {} : { name }),
      pinned: pins.has(id),
    });
  }
  return [...sessions.values()].sort((a, b) => a.firstUs - b.firstUs);
}
