import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/base/systemClock.ts';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import { openSqliteStore } from '../../../../src/core/log/openStore.ts';
import type { ConnectionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { idsOf, inFolder, message } from './support.ts';

function startWriter(file: string, name: string, mode: 'rivals' | 'endless', count: number) {
  const script = path.join(import.meta.dirname, 'writerProcess.ts');
  return spawn(process.execPath, ['--no-warnings', script, file, name, mode, String(count)]);
}

async function outputOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let [output, errors] = ['', ''];
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  await once(child, 'close');
  expect(errors).toBe('');
  return output;
}

describe('several processes on one file', () => {
  it('each is told of every event once, in one and the same order', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const count = 3000;
      const writers = ['a', 'b'].map((name) => startWriter(file, name, 'rivals', count));
      const outputs = writers.map(outputOf);
      // A process that opens the file late is not told of what was there before.
      await Promise.all(writers.map((writer) => once(writer.stdout, 'data')));
      for (const writer of writers) {
        writer.stdin.write('go\n');
      }
      const [first, second] = (await Promise.all(outputs)).map((output) => output.replace('ready\n', ''));
      const told: Array<[number, string]> = JSON.parse(first ?? '');
      expect(JSON.parse(second ?? '')).toEqual(told);
      expect(told.map(([seq]) => seq)).toEqual(Array.from({ length: 2 * count }, (_, index) => index + 1));

      const log = openEventLog({ path: file, clock: new FakeClock() });
      const events = log.read({ limit: 9999 });
      expect(events.map((event) => [event.seq, event.connection])).toEqual(told);
      for (const name of ['a', 'b']) {
        const own = log.read({ connection: name as ConnectionId, limit: 9999 });
        expect(idsOf(own)).toEqual(Array.from({ length: count }, (_, index) => index));
      }
      log.dispose();
    }));

  it('a reader finds what another wrote before its own, by a commit or by a poll', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const clock = new FakeClock();
      const [ours, theirs] = [
        openEventLog({ path: file, clock, pollMs: 1000 }),
        openEventLog({ path: file, clock: new FakeClock() }),
      ];
      const told: Array<string | number> = [];
      ours.onDidAppend((events) => told.push(...idsOf(events)));
      const write = (log: typeof ours, ...ids: number[]) => {
        for (const id of ids) {
          log.append(message(id));
        }
        log.flush();
      };
      write(theirs, 1, 2);
      write(ours, 3);
      expect(told).toEqual([1, 2, 3]);
      write(theirs, 4);
      expect(ours.count).toBe(4);
      await clock.advance(1000);
      expect(told).toEqual([1, 2, 3, 4]);
      write(theirs, ...Array.from({ length: 1100 }, (_, index) => 5 + index));
      theirs.clear();
      write(theirs, 2000);
      write(ours, 2001);
      expect(told).toEqual([1, 2, 3, 4, 2000, 2001]);
      write(theirs, ...Array.from({ length: 1100 }, (_, index) => 3000 + index));
      ours.poll();
      expect(told.slice(6)).toEqual(Array.from({ length: 1100 }, (_, index) => 3000 + index));
      ours.dispose();
      theirs.dispose();
    }));

  it('what others write is told page by page, a page a turn, and what is written meanwhile in its place', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const clock = new FakeClock();
      const ours = openEventLog({ path: file, clock, pollMs: 1000 });
      const theirs = openEventLog({ path: file, clock: new FakeClock() });
      const told: Array<string | number>[] = [];
      ours.onDidAppend((events) => told.push(idsOf(events)));
      const ids = Array.from({ length: 1700 }, (_, index) => index);
      for (const id of ids) {
        theirs.append(message(id));
      }
      theirs.flush();
      ours.append(message(9000));
      ours.flush();
      // Ours is the log's already, and is told when its turn comes.
      expect(ours.read({ limit: 9999 })).toHaveLength(1701);
      expect(told.flat().length).toBeLessThan(1700);
      expect(told.every((page) => page.length <= 500)).toBe(true);
      await clock.advance(1);
      expect(told.flat()).toEqual([...ids, 9000]);
      expect(told.every((page) => page.length <= 500)).toBe(true);
      expect(ours.lastSeq).toBe(1701);
      ours.dispose();
      theirs.dispose();
      expect(clock.pendingMs()).toEqual([]);
    }));

  it.runIf(process.platform === 'linux')('what another writes is told as it is written, without asking', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      // Nothing comes by a poll: it is an hour away.
      const ours = openEventLog({ path: file, clock: systemClock, pollMs: 3_600_000, isWatched: true });
      const theirs = openEventLog({ path: file, clock: systemClock });
      const told: Array<string | number> = [];
      ours.onDidAppend((events) => told.push(...idsOf(events)));
      for (const id of [1, 2, 3]) {
        theirs.append(message(id));
        theirs.flush();
        await vi.waitFor(() => expect(told.at(-1)).toBe(id), { timeout: 10_000 });
      }
      theirs.clear();
      const evicted = new Promise((resolve) => ours.onDidEvict(resolve));
      expect(await evicted).toEqual({ reason: 'elsewhere' });
      expect(told).toEqual([1, 2, 3]);
      ours.dispose();
      theirs.dispose();
    }),
  );

  it('nothing is read while nobody else writes', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const store = openSqliteStore({ DatabaseSync }, file);
      const other = openSqliteStore({ DatabaseSync }, file);
      if ('reason' in store || 'reason' in other) {
        throw new Error('not opened');
      }
      const before = store.changes();
      store.write([message(1)]);
      expect(store.changes()).toBe(before);
      other.write([message(2)]);
      expect(store.changes()).not.toBe(before);
      store.close();
      other.close();
    }));

  it('a process that is killed while it writes leaves a sound file with everything it had committed', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const child = startWriter(file, 'a', 'endless', Number.MAX_SAFE_INTEGER);
      let last = 0;
      for await (const line of createInterface(child.stdout)) {
        last = Number(line);
        if (last > 2000) {
          child.kill('SIGKILL');
        }
      }
      expect(child.exitCode).toBeNull();
      expect(last).toBeGreaterThan(2000);

      const log = openEventLog({ path: file, clock: new FakeClock() });
      expect(log.status).toEqual({ kind: 'file', path: file });
      expect(log.lastSeq).toBeGreaterThanOrEqual(last);
      const written = log.read({ limit: 1e6 });
      expect(written).toEqual(
        Array.from({ length: log.lastSeq }, (_, id) => ({
          ...message(id, { connection: 'a' as ConnectionId }),
          seq: id + 1,
        })),
      );
      log.append(message(-1));
      expect(idsOf(log.read({ from: log.lastSeq, limit: 2 })).at(-1)).toBe(-1);
      log.dispose();
      const db = new DatabaseSync(file, { readOnly: true });
      expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      db.close();
    }));
});
