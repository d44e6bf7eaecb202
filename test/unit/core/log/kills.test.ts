import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { inFolder } from './support.ts';

/** `FAULTLINE_KILLS=200` for the whole proof; a few are enough to notice when it breaks. */
const KILLS = Number(process.env['FAULTLINE_KILLS'] ?? 12);
/** Kills of one file, one after the other, each by another writer. */
const KILLS_A_FILE = 4;
const random = seededRandom(20_260_728);

/** Lets a writer write, kills it at a random moment, and returns the last `seq` that it said was committed. */
async function killOnce(file: string, round: number): Promise<number> {
  const script = path.join(import.meta.dirname, 'writerProcess.ts');
  const mode = ['endless', 'limited', 'heavy'][round % 3] ?? '';
  const child = spawn(process.execPath, ['--no-warnings', script, file, `w${round}`, mode, '1000000000']);
  const delayMs = random() * 250;
  let last = 0;
  for await (const line of createInterface(child.stdout)) {
    if (last === 0) {
      void setTimeout(delayMs).then(() => child.kill('SIGKILL'));
    }
    last = Number(line);
  }
  return last;
}

function problemsOf(file: string, committed: number): object {
  const log = openEventLog({ path: file, clock: new FakeClock() });
  const events = log.read({ limit: 1e7 });
  const declared = events.reduce(
    (sum, { body }) => sum + (body.kind === 'note' && body.note.type === 'evicted' ? body.note.events : 0),
    0,
  );
  const unreadable = events.filter(({ body }) => body.kind === 'note' && body.note.type === 'gap').length;
  const found = {
    status: log.status.kind,
    lost: Math.max(0, committed - log.lastSeq),
    undeclared: log.lastSeq - events.length - declared,
    unreadable,
    miscounted: log.count - events.length,
  };
  log.dispose();
  const db = new DatabaseSync(file, { readOnly: true });
  const integrity = db
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => row['integrity_check']);
  db.close();
  return { ...found, integrity };
}

const SOUND = { status: 'file', lost: 0, undeclared: 0, unreadable: 0, miscounted: 0, integrity: ['ok'] };

describe(`a writer that is killed under load, ${KILLS} times at random moments`, () => {
  const files = Array.from({ length: Math.ceil(KILLS / KILLS_A_FILE) }, (_, index) => index);
  it.concurrent.each(files)(
    'leaves file %i sound, with everything that was committed, and no hole that is not declared',
    (index) =>
      inFolder(async (folder) => {
        const file = path.join(folder, 'log.db');
        for (let round = 0; round < KILLS_A_FILE; round++) {
          const committed = await killOnce(file, index + round);
          expect(committed).toBeGreaterThan(0);
          expect(problemsOf(file, committed)).toEqual(SOUND);
        }
      }),
    60_000,
  );
});
