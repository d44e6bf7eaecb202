import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EventLog, type EventLogOptions, openEventLog } from '../../../../src/core/log/eventLog.ts';
import type { ConnectionId, LogEvent, SessionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { idsOf, inFolder, message } from './support.ts';

interface Opened {
  readonly log: EventLog;
  readonly clock: FakeClock;
  /** Ids of the events of each `onDidAppend`. */
  readonly told: Array<ReturnType<typeof idsOf>>;
  readonly toldSeqs: number[];
}

const other = { connection: 'connection-2' as ConnectionId };

describe.each(['file', 'memory'])('a log in a %s', (kind) => {
  const withLog = (use: (opened: Opened) => unknown, options: Partial<EventLogOptions> = {}) =>
    inFolder(async (folder) => {
      const clock = new FakeClock();
      const log = openEventLog({ path: kind === 'file' ? path.join(folder, 'log.db') : undefined, clock, ...options });
      const told: Opened['told'] = [];
      const toldSeqs: number[] = [];
      log.onDidAppend((events) => {
        told.push(idsOf(events));
        toldSeqs.push(...events.map((event) => event.seq));
      });
      try {
        expect(log.status.kind).toBe(kind);
        await use({ log, clock, told, toldSeqs });
      } finally {
        log.dispose();
      }
    });

  it('writes what came within 50 ms in one go and tells it afterwards', () =>
    withLog(async ({ log, clock, told, toldSeqs }) => {
      log.append(message(1));
      await clock.advance(30);
      log.append(message(2));
      await clock.advance(19);
      expect(told).toEqual([]);
      await clock.advance(1);
      expect(told).toEqual([[1, 2]]);
      expect(toldSeqs).toEqual([1, 2]);
      expect(clock.pendingMs()).toEqual([]);
    }));

  it('writes at once, but not within append, when 512 wait, and lets others have a turn between', () =>
    withLog(async ({ log, clock, told }) => {
      for (let id = 1; id <= 600; id++) {
        log.append(message(id));
      }
      expect(told).toEqual([]);
      await clock.advance(0);
      expect(told.map((batch) => batch.length)).toEqual([128, 128, 128, 128, 88]);
    }));

  it('gives back every event as it came, with its seq', () =>
    withLog(({ log }) => {
      const events = [message(1), message(2, other), message(3)];
      events.forEach((event) => {
        log.append(event);
      });
      expect(log.read({ limit: 10 })).toEqual(events.map((event, index) => ({ ...event, seq: index + 1 })));
      expect(log.get(2)).toEqual({ ...events[1], seq: 2 });
    }));

  it.each<[string, Parameters<EventLog['read']>[0], number[]]>([
    ['from the beginning', { limit: 3 }, [1, 2, 3]],
    ['from a seq on', { from: 4, limit: 2 }, [4, 5]],
    ['to a seq', { to: 2, limit: 9 }, [1, 2]],
    ['both ends', { from: 2, to: 3, limit: 9 }, [2, 3]],
    ['one connection', { connection: other.connection, limit: 9 }, [2, 4, 6]],
    ['one connection in a range', { connection: other.connection, from: 3, to: 5, limit: 9 }, [4]],
    ['an unknown connection', { connection: 'nobody' as ConnectionId, limit: 9 }, []],
    ['past the end', { from: 7, limit: 9 }, []],
    ['an empty range', { from: 5, to: 4, limit: 9 }, []],
  ])('reads %s', (_, range, ids) =>
    withLog(({ log }) => {
      for (let id = 1; id <= 6; id++) {
        log.append(message(id, id % 2 === 0 ? other : {}));
      }
      expect(idsOf(log.read(range))).toEqual(ids);
    }),
  );

  it.each([0, -1, 7, 1.5, Number.NaN])('has no event %s', (seq) =>
    withLog(({ log }) => {
      log.append(message(1));
      expect(log.get(seq)).toBeUndefined();
    }),
  );

  it('keeps the order for every listener when one of them appends and flushes', () =>
    withLog(({ log, told }) => {
      const second: LogEvent[] = [];
      log.onDidAppend((events) => {
        if (events.some((event) => event.seq === 1)) {
          log.append(message(3));
          log.flush();
        }
      });
      log.onDidAppend((events) => second.push(...events));
      log.append(message(1));
      log.append(message(2));
      log.flush();
      expect(told).toEqual([[1, 2], [3]]);
      expect(idsOf(second)).toEqual([1, 2, 3]);
    }));

  it('counts, clears, and goes on counting seqs', () =>
    withLog(({ log, toldSeqs }) => {
      log.append(message(1));
      log.append(message(2));
      log.flush();
      expect([log.count, log.lastSeq]).toEqual([2, 2]);
      expect(log.clear()).toBe(true);
      expect([log.count, log.lastSeq, log.read({ limit: 9 })]).toEqual([0, 2, []]);
      log.append(message(3));
      log.flush();
      expect([log.count, log.lastSeq, toldSeqs]).toEqual([1, 3, [1, 2, 3]]);
      expect(log.get(3)).toEqual({ ...message(3), seq: 3 });
    }));

  it('keeps what is pinned when it is cleared', () =>
    withLog(({ log }) => {
      for (const [id, session] of [
        [1, 'pinned'],
        [2, 'other'],
        [3, 'pinned'],
      ] as const) {
        log.append(message(id, { session: session as SessionId, connection: `c-${session}` as ConnectionId }));
      }
      log.flush();
      log.pinSession('pinned' as SessionId, true);
      expect(log.clear()).toBe(true);
      expect([log.count, log.read({ limit: 9 }).map(({ seq }) => seq)]).toEqual([2, [1, 3]]);
      expect(log.sessions().map(({ id, events }) => [id, events])).toEqual([['pinned', 2]]);
      log.pinSession('pinned' as SessionId, false);
      expect(log.clear()).toBe(true);
      expect([log.count, log.read({ limit: 9 }), log.sessions()]).toEqual([0, [], []]);
    }));

  it('tells what waited when it is disposed, and ignores what comes later', () =>
    withLog(({ log, clock, told }) => {
      log.append(message(1));
      log.dispose();
      log.append(message(2));
      log.flush();
      log.poll();
      log.dispose();
      expect(told).toEqual([[1]]);
      expect(log.get(1)).toBeUndefined();
      expect(log.clear()).toBe(false);
      expect(clock.pendingMs()).toEqual([]);
    }));

  it('survives a listener that disposes it', () =>
    withLog(({ log, told }) => {
      log.onDidAppend(() => log.dispose());
      for (let id = 1; id <= 1000; id++) {
        log.append(message(id));
      }
      log.flush();
      expect(told.flat().length).toBe(512);
    }));

  it('loses nothing of a burst that comes faster than it is written', () =>
    withLog(({ log, toldSeqs }) => {
      for (let id = 1; id <= 30_000; id++) {
        log.append(message(id));
      }
      log.flush();
      expect([log.count, toldSeqs.length, toldSeqs.at(-1)]).toEqual([30_000, 30_000, 30_000]);
      expect(log.read({ from: 29_999, limit: 9 }).map(({ body }) => body.kind)).toEqual(['message', 'message']);
    }));

  it('drops and counts what finds the queue full, each connection by itself, in its place', () =>
    withLog(
      async ({ log, clock, told }) => {
        for (let id = 1; id <= 5; id++) {
          log.append(message(id, id === 4 ? other : {}));
        }
        await clock.advance(50);
        log.append(message(6));
        await clock.advance(50);
        expect(told.flat()).toEqual([1, 2, 'note', 'note', 6]);
        const { bytes } = message(1).body as { readonly bytes: number };
        const notes = log.read({ limit: 9 }).filter((event) => event.body.kind === 'note');
        expect(notes.map(({ connection, body }) => [connection, body])).toEqual([
          [
            'connection-1',
            { kind: 'note', note: { type: 'gap', events: 2, bytes: 2 * bytes, reason: 'log.gap.queue-full' } },
          ],
          ['connection-2', { kind: 'note', note: { type: 'gap', events: 1, bytes, reason: 'log.gap.queue-full' } }],
        ]);
      },
      { queue: { maxEvents: 2, maxBytes: 1e6 } },
    ));

  it('bounds the queue by bytes, but always takes one', () =>
    withLog(
      ({ log }) => {
        log.append(message(1));
        log.append(message(2));
        expect(idsOf(log.read({ limit: 9 }))).toEqual([1, 'note']);
      },
      { queue: { maxEvents: 100, maxBytes: 10 } },
    ));
});

describe('a log in memory', () => {
  it('lets the oldest go at its bound and says so', () => {
    const log = openEventLog({ path: undefined, clock: new FakeClock(), maxMemoryBytes: 2500 });
    for (let id = 1; id <= 12; id++) {
      log.append(message(id));
    }
    const kept = log.read({ limit: 99 });
    expect(idsOf(kept)).toEqual([6, 7, 8, 9, 10, 11, 12, 'note']);
    expect(kept.map((event) => event.seq)).toEqual([6, 7, 8, 9, 10, 11, 12, 13]);
    expect(log.count).toBe(8);
    expect(log.get(5)).toBeUndefined();
    expect(log.get(6)).toEqual({ ...message(6), seq: 6 });
  });
});
