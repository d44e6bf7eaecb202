import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type EventLogOptions, openEventLog } from '../../../../src/core/log/eventLog.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../../../src/core/log/schema.ts';
import type { EventBody, LogEvent, NewLogEvent } from '../../../../src/protocol/events.ts';
import { logTexts } from '../../../../src/protocol/texts/log.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { idsOf, inFolder, message, withBody } from './support.ts';

function open(file: string, options: Partial<EventLogOptions> = {}) {
  return openEventLog({ path: file, clock: new FakeClock(), ...options });
}

const bytes = (...values: number[]) => Uint8Array.from(values);

const bodies: ReadonlyArray<[string, EventBody]> = [
  [
    'a message over HTTP',
    { kind: 'message', direction: 'received', raw: '{}', bytes: 2, envelope: { kind: 'result', id: 'a' }, http: 'h1' },
  ],
  [
    'text outside of the basic plane, with a BOM',
    { kind: 'noise', stream: 'stdout', raw: '\ufeff🦊 é', bytes: 10, problem: 'not-json' },
  ],
  ['NUL in the text', { kind: 'noise', stream: 'stdout', raw: 'a\0b', bytes: 3, problem: 'not-json' }],
  ['a lone surrogate', { kind: 'noise', stream: 'sse', raw: 'a\ud800b', bytes: 5, problem: 'not-json' }],
  ['no text at all', { kind: 'noise', stream: 'http', raw: '', bytes: 0, problem: 'unterminated' }],
  [
    'bytes that are no UTF-8',
    {
      kind: 'message',
      direction: 'received',
      raw: '{"a":"\ufffd"}',
      rawBytes: bytes(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d),
      bytes: 9,
      envelope: { kind: 'invalid', problem: 'missing-jsonrpc' },
    },
  ],
  [
    'bytes of which the text is only a beginning',
    {
      kind: 'noise',
      stream: 'stdout',
      raw: 'abc',
      rawBytes: bytes(0x61, 0x62, 0x63, 0xff),
      bytes: 1e9,
      problem: 'frame-too-large',
    },
  ],
  ['stderr', { kind: 'stderr', line: 'Traceback\0 ', level: 'error' }],
  [
    'HTTP',
    {
      kind: 'http',
      id: 'h1',
      method: 'POST',
      url: 'http://x/',
      status: 500,
      requestHeaders: {},
      responseHeaders: { a: 'b' },
      durationUs: 5,
      body: '<html>',
    },
  ],
  [
    'a lifecycle step',
    { kind: 'lifecycle', detail: { step: 'exited', code: null, signal: 'SIGKILL', expected: false } },
  ],
  ['a mark', { kind: 'note', note: { type: 'mark', text: 'x' } }],
];

describe('what is read back from the file', () => {
  it.each(bodies)('%s', (_, body) =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      const writer = open(file);
      const told: LogEvent[] = [];
      writer.onDidAppend((events) => told.push(...events));
      writer.append(withBody(body, { origin: 'tap:Claude' }));
      writer.dispose();
      const reader = open(file);
      const read = reader.read({ limit: 9 });
      reader.dispose();
      expect(read).toEqual([{ ...withBody(body, { origin: 'tap:Claude' }), seq: 1 }]);
      expect(told).toEqual(read);
    }),
  );

  it('is a gap where a row was damaged', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      const writer = open(file);
      writer.append(message(1));
      writer.append(message(2));
      writer.dispose();
      const db = new DatabaseSync(file);
      db.exec(`UPDATE event SET body = '{"a' WHERE seq = 1`);
      db.close();
      const reader = open(file);
      expect(reader.read({ limit: 9 }).map((event) => [event.seq, event.body])).toEqual([
        [1, { kind: 'note', note: { type: 'gap', events: 1, bytes: 3, reason: 'log.gap.unreadable' } }],
        [2, message(2).body],
      ]);
      reader.dispose();
    }));
});

describe('the file', () => {
  it('is made with its folder, for this user alone, in WAL mode', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'a', 'b', 'log.db');
      const log = open(file);
      log.append(message(1));
      log.flush();
      expect(log.status).toEqual({ kind: 'file', path: file });
      if (process.platform !== 'win32') {
        for (const suffix of ['', '-wal', '-shm']) {
          expect([suffix, statSync(file + suffix).mode & 0o777]).toEqual([suffix, 0o600]);
        }
        expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
      }
      const db = new DatabaseSync(file, { readOnly: true });
      expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION });
      db.close();
      log.dispose();
    }));

  it('goes on from where the last process stopped', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      for (const id of [1, 2, 3]) {
        const log = open(file);
        expect([log.lastSeq, log.count]).toEqual([id - 1, id - 1]);
        log.append(message(id));
        log.dispose();
      }
      const log = open(file);
      expect(idsOf(log.read({ limit: 9 }))).toEqual([1, 2, 3]);
      log.dispose();
    }));

  it('gives its space back when it is cleared, and keeps nothing of what was in it', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      const log = open(file);
      for (let id = 0; id < 500; id++) {
        log.append(
          withBody({ kind: 'noise', stream: 'stdout', raw: 'secret'.repeat(1000), bytes: 6000, problem: 'not-json' }),
        );
      }
      log.flush();
      log.clear();
      expect(readFileSync(file).includes('secret')).toBe(false);
      expect(existsSync(`${file}-wal`) && readFileSync(`${file}-wal`).includes('secret')).toBe(false);
      expect(statSync(file).size).toBeLessThan(65_536);
      log.dispose();
    }));
});

function database(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

describe('a log that cannot be in the file', () => {
  it.each<[string, string, (file: string) => void]>([
    [
      'newer-schema',
      'of a newer version',
      (file) => {
        open(file).dispose();
        database(file, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
      },
    ],
    ['cannot-open', 'of another program', (file) => database(file, 'CREATE TABLE theirs (a)')],
    ['cannot-open', 'of another program with a version', (file) => database(file, 'PRAGMA user_version = 1')],
    ['corrupt', 'that is no database', (file) => writeFileSync(file, 'x'.repeat(8192))],
    [
      'corrupt',
      'that is damaged',
      (file) => {
        open(file).dispose();
        const content = readFileSync(file);
        content.fill(0xaa, 100, 4096);
        writeFileSync(file, content);
      },
    ],
  ])('%s: one %s is left as it was', (reason, _, make) =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      make(file);
      const before = readFileSync(file);
      const log = open(file);
      log.append(message(1));
      expect(idsOf(log.read({ limit: 9 }))).toEqual([1]);
      expect(log.status).toMatchObject({ kind: 'memory', reason });
      log.dispose();
      expect(readFileSync(file).equals(before)).toBe(true);
    }),
  );

  it('newer-schema: one whose version is still in its write-ahead log is left as it was', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      open(file).dispose();
      const newer = new DatabaseSync(file);
      newer.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
      const before = readFileSync(file);
      const log = open(file);
      expect(log.status).toMatchObject({ kind: 'memory', reason: 'newer-schema' });
      log.dispose();
      expect(readFileSync(file).equals(before)).toBe(true);
      newer.close();
    }));

  it('cannot-open: the path is a folder, or its folder is a file', () =>
    inFolder((folder) => {
      mkdirSync(path.join(folder, 'log.db'));
      writeFileSync(path.join(folder, 'file'), '');
      const paths = [path.join(folder, 'log.db'), path.join(folder, 'file', 'log.db')];
      expect(paths.map((file) => open(file).status)).toMatchObject([
        { kind: 'memory', reason: 'cannot-open' },
        { kind: 'memory', reason: 'cannot-open' },
      ]);
    }));

  it('no-sqlite, no-path', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      expect(open(file, { loadSqlite: () => undefined }).status).toMatchObject({ reason: 'no-sqlite' });
      expect(existsSync(file)).toBe(false);
      expect(openEventLog({ path: undefined, clock: new FakeClock() }).status).toMatchObject({ reason: 'no-path' });
    }));

  it('has its file marked as ours', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      open(file).dispose();
      expect(readFileSync(file).readUInt32BE(68)).toBe(APPLICATION_ID);
    }));
});

describe('a write that fails', () => {
  /** A log over a file, and the connection that it writes through. */
  const withLog = (
    use: (opened: {
      log: ReturnType<typeof open>;
      clock: FakeClock;
      db: DatabaseSync;
      file: string;
      told: LogEvent[];
    }) => Promise<void>,
  ) =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'log.db');
      const opened: DatabaseSync[] = [];
      class Spied extends DatabaseSync {
        constructor(...args: ConstructorParameters<typeof DatabaseSync>) {
          super(...args);
          opened.push(this);
        }
      }
      const clock = new FakeClock();
      const loadSqlite = () => ({ DatabaseSync: Spied });
      const log = open(file, { clock, loadSqlite, patienceMs: 0, queue: { maxEvents: 3, maxBytes: 1e6 } });
      const told: LogEvent[] = [];
      log.onDidAppend((events) => told.push(...events));
      const db = opened.at(-1);
      if (db === undefined) {
        throw new Error('the log opened no database');
      }
      await use({ log, clock, db, file, told }).finally(() => log.dispose());
    });

  const gapsOf = (events: readonly NewLogEvent[]) =>
    events.flatMap(({ body }) => (body.kind === 'note' && body.note.type === 'gap' ? [body.note] : []));

  it('is tried again: a lock of another process loses nothing that the queue holds', () =>
    withLog(async ({ log, clock, file, told }) => {
      const rival = new DatabaseSync(file);
      rival.exec('BEGIN IMMEDIATE');
      log.append(message(1));
      await clock.advance(50);
      log.append(message(2));
      expect(log.read({ limit: 9 })).toEqual([]);
      await clock.advance(1000);
      expect(told).toEqual([]);
      rival.exec('ROLLBACK');
      rival.close();
      await clock.advance(250);
      expect(idsOf(told)).toEqual([1, 2]);
      expect(clock.pendingMs()).toEqual([]);
    }));

  it.each<[string, (db: DatabaseSync, file: string) => () => void]>([
    [
      'log.gap.locked',
      (_, file) => {
        const rival = new DatabaseSync(file);
        rival.exec('BEGIN IMMEDIATE');
        return () => {
          rival.exec('ROLLBACK');
          rival.close();
        };
      },
    ],
    [
      'log.gap.disk-full',
      (db) => {
        db.exec('PRAGMA max_page_count = 1');
        return () => db.exec('PRAGMA max_page_count = 1000000');
      },
    ],
    [
      'log.gap.read-only',
      (db) => {
        db.exec('PRAGMA query_only = 1');
        return () => db.exec('PRAGMA query_only = 0');
      },
    ],
  ])('%s: is told as a gap with its counts once writing works again', (reason, spoil) =>
    withLog(async ({ log, clock, db, file, told }) => {
      const large = (id: number) => {
        const raw = 'x'.repeat(10_000);
        return message(id, { body: { ...message(id).body, raw, bytes: raw.length } as EventBody });
      };
      log.append(message(0));
      log.flush();
      const mend = spoil(db, file);
      for (let id = 1; id <= 3; id++) {
        log.append(large(id));
      }
      log.flush();
      for (let id = 4; id <= 9; id++) {
        log.append(large(id));
        await clock.advance(300);
      }
      expect(idsOf(told)).toEqual([0]);
      mend();
      await clock.advance(250);
      log.append(message(10));
      log.flush();
      expect(idsOf(told)).toEqual([0, 1, 2, 3, 'note', 10]);
      expect(gapsOf(told)).toEqual([{ type: 'gap', events: 6, bytes: 6 * 10_000, reason }]);
      expect(log.read({ limit: 99 })).toEqual(told);
    }),
  );

  it('for the sake of one event costs only that one', () =>
    withLog(async ({ log, told }) => {
      const cycle: { self?: unknown } = {};
      cycle.self = cycle;
      log.append(message(1));
      log.append(withBody({ kind: 'note', note: { type: 'mark', text: cycle as unknown as string } }));
      log.append(message(3, { wallUs: Number.NaN }));
      log.flush();
      expect(idsOf(told)).toEqual([1, 'note', 'note']);
      expect(gapsOf(told).map((gap) => [gap.events, gap.reason])).toEqual([
        [1, 'log.gap.bad-value'],
        [1, 'log.gap.bad-value'],
      ]);
    }));

  it('has a sentence for each reason', () => {
    const problems = ['locked', 'disk-full', 'read-only', 'corrupt', 'bad-value', 'io-error', 'queue-full'];
    expect(problems.filter((problem) => !(`log.gap.${problem}` in logTexts))).toEqual([]);
  });
});
