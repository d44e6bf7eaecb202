import { statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { type EventLogOptions, type Eviction, openEventLog } from '../../../../src/core/log/eventLog.ts';
import { UNSET_LIMITS } from '../../../../src/core/log/retention.ts';
import type { LogEvent, SessionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { idsOf, inFolder, message } from './support.ts';

const MB = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

function open(file: string, options: Partial<EventLogOptions> = {}) {
  const clock = new FakeClock();
  const log = openEventLog({ path: file, clock, ...options });
  const evictions: Eviction[] = [];
  log.onDidEvict((eviction) => evictions.push(eviction));
  return { log, clock, evictions };
}

/** Of about 10 kB. */
function large(id: number, session: string, wallUs = id) {
  const raw = `${id} `.repeat(5000).slice(0, 10_000);
  return message(id, {
    session: session as SessionId,
    wallUs,
    body: { kind: 'noise', stream: 'stdout', raw, bytes: 10_000, problem: 'not-json' },
  });
}

const notesOf = (events: readonly LogEvent[]) =>
  events.flatMap(({ body }) => (body.kind === 'note' && body.note.type === 'evicted' ? [body.note] : []));

/** Kept and declared evicted: together everything that was ever given a `seq`, or something was lost in silence. */
function accounted(events: readonly LogEvent[]): number {
  return events.length + notesOf(events).reduce((sum, note) => sum + note.events, 0);
}

describe('a log over its size', () => {
  it('lets the oldest go to nine tenths of it, says so once, and gives the space to what follows', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const { log, clock, evictions } = open(file, { limits: { maxBytes: 2 * MB } });
      for (let id = 1; id <= 900; id++) {
        log.append(large(id, id <= 400 ? 'old' : 'new'));
        await clock.advance(2);
      }
      await clock.advance(60_000);
      expect(clock.pendingMs()).toEqual([]);
      const events = log.read({ limit: 9999 });
      const notes = notesOf(events);
      expect(notes.length).toBeGreaterThan(0);
      expect(evictions).toEqual(Array.from(evictions, () => ({ reason: 'size' })));
      expect(accounted(events)).toBe(log.lastSeq);
      expect(log.count).toBe(events.length);
      expect(notes.at(-1)).toMatchObject({ reason: 'size', untilUs: expect.any(Number) });
      expect(statSync(file).size).toBeLessThan(3.5 * MB);
      expect(log.sessions().map(({ id }) => id)).toEqual(['new']);
      log.dispose();
    }));

  it('is held to its limit by a window that writes nothing itself, while taps write', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const { log, clock } = open(file, { limits: { maxBytes: 2 * MB }, pollMs: 500 });
      const tap = openEventLog({ path: file, clock });
      for (let id = 1; id <= 900; id++) {
        tap.append(large(id, 'tapped'));
        await clock.advance(2);
      }
      tap.dispose();
      await clock.advance(60_000);
      const events = log.read({ limit: 9999 });
      expect(accounted(events)).toBe(log.lastSeq);
      expect(notesOf(events).length).toBeGreaterThan(0);
      // No more goes at once than has to, although 500 of these are more than all of it.
      expect(events.length).toBeGreaterThan(150);
      expect(statSync(file).size).toBeLessThan(3.5 * MB);
      log.dispose();
    }));

  it.each<[string, EventLogOptions['limits'] & object, boolean]>([
    ['what a window has set', { maxBytes: 2 * MB }, true],
    ['that a window has set no limit', {}, false],
  ])('is held by a tap, with no window open, to %s', (_, limits, isEvicted) =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      open(file, { limits }).log.dispose();
      const { log, clock } = open(file, { limits: 'as-set' });
      for (let id = 1; id <= 600; id++) {
        log.append(large(id, 'tapped'));
        await clock.advance(2);
      }
      await clock.advance(60_000);
      const events = log.read({ limit: 9999 });
      expect([accounted(events), notesOf(events).length > 0]).toEqual([log.lastSeq, isEvicted]);
      log.dispose();
    }),
  );

  it('has a limit before any window has been open, the setting’s own', () => {
    const { configuration } = manifest.contributes;
    const settings = [configuration].flat().map(({ properties }): Record<string, { default?: unknown }> => properties);
    const setting = settings.find((properties) => 'faultline.log.maxSizeMb' in properties)?.['faultline.log.maxSizeMb'];
    expect(UNSET_LIMITS).toEqual({ maxBytes: Number(setting?.default) * MB });
  });

  it('keeps what is pinned, even when nothing else is left', () =>
    inFolder(async (folder) => {
      const { log, clock } = open(path.join(folder, 'log.db'));
      for (let id = 1; id <= 300; id++) {
        log.append(large(id, id <= 150 ? 'pinned' : 'other'));
      }
      log.flush();
      log.pinSession('pinned' as SessionId, true);
      log.configure({ limits: { maxBytes: MB } });
      await clock.advance(60_000);
      expect(log.sessions().map(({ id, events }) => [id, events])).toEqual([
        ['pinned', 150],
        ['other', 1],
      ]);
      log.dispose();
    }));

  it('is told of by another process that reads it', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const { log, clock } = open(file);
      const other = open(file);
      for (let id = 1; id <= 300; id++) {
        log.append(large(id, 'one'));
      }
      log.flush();
      other.log.poll();
      expect([other.log.count, other.evictions]).toEqual([300, []]);
      log.configure({ limits: { maxBytes: MB } });
      await clock.advance(60_000);
      other.log.poll();
      expect([other.log.count, other.evictions]).toEqual([log.count, [{ reason: 'size' }]]);
      log.clear();
      other.log.poll();
      expect([other.log.count, other.evictions.length]).toEqual([0, 2]);
      log.dispose();
      other.log.dispose();
    }));
});

describe('a log over its age', () => {
  it('lets what is older go, and no more', () =>
    inFolder(async (folder) => {
      const { log, clock, evictions } = open(path.join(folder, 'log.db'), { limits: { maxAgeMs: 30 * DAY_MS } });
      const daysAgo = (days: number) => clock.wallUs() - days * DAY_MS * 1000;
      for (let id = 1; id <= 1200; id++) {
        log.append(message(id, { session: 'a' as SessionId, wallUs: daysAgo(id <= 1100 ? 31 : 29) }));
      }
      log.append(message(1201, { session: 'b' as SessionId, wallUs: daysAgo(40) }));
      log.flush();
      await clock.advance(5000);
      const events = log.read({ limit: 9999 });
      expect(idsOf(events)).toEqual([...Array.from({ length: 100 }, (_, index) => 1101 + index), 'note']);
      expect(notesOf(events)).toEqual([
        { type: 'evicted', reason: 'age', events: 1101, bytes: expect.any(Number), untilUs: expect.any(Number) },
      ]);
      expect(evictions).toEqual([{ reason: 'age' }]);
      // A day later nothing more is due, and nothing is said.
      await clock.advance(DAY_MS / 2);
      expect(notesOf(log.read({ limit: 9999 })).length).toBe(1);
      log.dispose();
    }));
});

describe('an eviction that was cut short', () => {
  it('by closing is declared before the file closes', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const { log, clock } = open(file);
      for (let id = 1; id <= 2000; id++) {
        log.append(large(id, 'one'));
        if (id % 500 === 0) {
          log.flush();
        }
      }
      log.configure({ limits: { maxBytes: MB } });
      await clock.advance(40);
      log.dispose();
      const again = open(file).log;
      const events = again.read({ limit: 9999 });
      expect(notesOf(events).map((note) => note.events)).toEqual([1000]);
      expect(accounted(events)).toBe(again.lastSeq);
      again.dispose();
    }));

  it('by a kill is declared by whoever opens the file next', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      const { log } = open(file);
      for (let id = 1; id <= 10; id++) {
        log.append(message(id));
      }
      log.dispose();
      const db = new DatabaseSync(file);
      db.exec(`DELETE FROM event WHERE seq <= 4; UPDATE session SET events = 6, first_seq = 5;
        UPDATE meta SET value = 4 WHERE name = 'evicted_events'; UPDATE meta SET value = 99 WHERE name = 'evicted_until'`);
      db.close();
      for (const _ of [1, 2]) {
        const again = open(file).log;
        const events = again.read({ limit: 99 });
        expect(idsOf(events)).toEqual([5, 6, 7, 8, 9, 10, 'note']);
        expect(notesOf(events)).toEqual([{ type: 'evicted', reason: 'size', events: 4, bytes: 0, untilUs: 99 }]);
        again.dispose();
      }
    }));
});
