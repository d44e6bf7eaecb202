import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EventLog, type Eviction, openEventLog } from '../../../../src/core/log/eventLog.ts';
import type { SessionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { idsOf, inFolder, message } from './support.ts';

const [first, second] = ['session-1', 'session-2'] as [SessionId, SessionId];

describe.each(['file', 'memory'])('the sessions of a log in a %s', (kind) => {
  const withLog = (
    use: (opened: { log: EventLog; clock: FakeClock; evictions: Eviction[]; file: string }) => unknown,
  ) =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const clock = new FakeClock();
      const log = openEventLog({ path: kind === 'file' ? file : undefined, clock });
      const evictions: Eviction[] = [];
      log.onDidEvict((eviction) => evictions.push(eviction));
      for (let id = 1; id <= 6; id++) {
        log.append(message(id, { session: id % 3 === 0 ? second : first, wallUs: 1000 * id }));
      }
      await Promise.resolve(use({ log, clock, evictions, file })).finally(() => log.dispose());
    });

  it('are listed, oldest first', () =>
    withLog(({ log }) => {
      expect(log.sessions()).toEqual([
        { id: first, firstSeq: 1, firstUs: 1000, lastUs: 5000, events: 4, bytes: expect.any(Number), pinned: false },
        { id: second, firstSeq: 3, firstUs: 3000, lastUs: 6000, events: 2, bytes: expect.any(Number), pinned: false },
      ]);
      expect(log.sessions()[0]?.bytes).toBeGreaterThan(4 * message(1).body.kind.length);
    }));

  it('can be named and pinned, and lose both again', () =>
    withLog(({ log }) => {
      expect([log.nameSession(first, 'before the fix'), log.pinSession(second, true)]).toEqual([true, true]);
      expect(log.sessions().map(({ name, pinned }) => [name, pinned])).toEqual([
        ['before the fix', false],
        [undefined, true],
      ]);
      expect([log.nameSession(first, undefined), log.pinSession(second, false)]).toEqual([true, true]);
      expect(log.sessions().map((session) => ['name' in session, session.pinned])).toEqual([
        [false, false],
        [false, false],
      ]);
      expect([log.nameSession('x' as SessionId, 'a'), log.pinSession('x' as SessionId, true)]).toEqual([false, false]);
    }));

  it('can be deleted, and go on when they are not over', () =>
    withLog(async ({ log, clock, evictions }) => {
      expect([log.deleteSession(first), log.deleteSession(first), log.deleteSession('x' as SessionId)]).toEqual([
        true,
        false,
        false,
      ]);
      expect([idsOf(log.read({ limit: 9 })), log.count, log.get(1)]).toEqual([[3, 6], 2, undefined]);
      expect(log.read({ connection: message(1).connection, limit: 9 }).length).toBe(2);
      expect(evictions).toEqual([{ reason: 'deleted' }]);
      log.append(message(7, { session: first }));
      log.flush();
      await clock.advance(1000);
      expect([idsOf(log.read({ limit: 9 })), log.count]).toEqual([[3, 6, 7], 3]);
      expect(log.sessions().map(({ id, events }) => [id, events])).toEqual(
        kind === 'file'
          ? [
              [second, 2],
              [first, 1],
            ]
          : expect.arrayContaining([
              [second, 2],
              [first, 1],
            ]),
      );
    }));
});

it('a deleted session is wiped from the file, step by step, and its space is given back', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'log.db');
    const clock = new FakeClock();
    const log = openEventLog({ path: file, clock });
    const raw = 'confidential '.repeat(200);
    for (let id = 0; id < 2000; id++) {
      log.append(
        message(id, { body: { kind: 'noise', stream: 'stdout', raw, bytes: raw.length, problem: 'not-json' } }),
      );
    }
    log.append(message(1, { session: second }));
    log.flush();
    log.deleteSession(first);
    const steps: number[] = [];
    while (clock.pendingMs().length > 0) {
      await clock.advance(20);
      steps.push(readFileSync(file).length);
    }
    expect(steps.length).toBeGreaterThan(4);
    for (const name of [file, `${file}-wal`]) {
      expect(readFileSync(name).includes('confidential')).toBe(false);
    }
    expect(readFileSync(file).length).toBeLessThan(200_000);
    expect(idsOf(log.read({ limit: 9 }))).toEqual([1]);
    log.dispose();
  }));
