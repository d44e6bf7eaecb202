import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import type { LogEvent, SessionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { idsOf, inFolder, message } from './support.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const evictedIn = (events: readonly LogEvent[]) =>
  events.reduce(
    (sum, { body }) => sum + (body.kind === 'note' && body.note.type === 'evicted' ? body.note.events : 0),
    0,
  );

describe('a log while the clock is set', () => {
  it.each([
    ['back (NTP, the end of summer time)', -HOUR_MS],
    ['forward (the beginning of summer time)', HOUR_MS],
    ['back by years', -4000 * DAY_MS],
  ])('%s: keeps the order in which things happened', (_, ms) =>
    inFolder(async (folder) => {
      const clock = new FakeClock();
      const log = openEventLog({ path: path.join(folder, 'log.db'), clock });
      for (let id = 1; id <= 6; id++) {
        log.append(message(id, { wallUs: clock.wallUs() + (id > 3 ? ms * 1000 : 0), monoUs: id }));
      }
      log.flush();
      expect(idsOf(log.read({ limit: 9 }))).toEqual([1, 2, 3, 4, 5, 6]);
      log.dispose();
    }),
  );

  it('declares every event that goes by age, also where later ones are older than those before them', () =>
    inFolder(async (folder) => {
      const clock = new FakeClock();
      const log = openEventLog({ path: path.join(folder, 'log.db'), clock, limits: { maxAgeMs: 30 * DAY_MS } });
      const session = 'a' as SessionId;
      const daysAgo = (days: number) => clock.wallUs() - days * DAY_MS * 1000;
      // For a while the clock was ten days ahead; then it was set right.
      const days = (id: number) => (id <= 10 ? 31 : id <= 20 ? 21 : 30.5);
      for (let id = 1; id <= 30; id++) {
        log.append(message(id, { session, wallUs: daysAgo(days(id)) }));
      }
      log.flush();
      await clock.advance(5000);
      const first = log.read({ limit: 99 });
      expect([idsOf(first).slice(0, -1), evictedIn(first)]).toEqual([
        Array.from({ length: 20 }, (_, index) => 11 + index),
        10,
      ]);
      expect(log.sessions()[0]).toMatchObject({ firstSeq: 11, events: 21 });
      // Eleven days later all of it is old, and all of it is declared.
      await clock.advance(11 * DAY_MS);
      const rest = log.read({ limit: 99 });
      expect(idsOf(rest)).toEqual(['note', 'note']);
      expect(rest.length + evictedIn(rest)).toBe(log.lastSeq);
      log.dispose();
    }));
});
