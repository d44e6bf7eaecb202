import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import { SCHEMA_VERSION } from '../../../../src/core/log/schema.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { inFolder, message } from './support.ts';

const fixtures = path.join(import.meta.dirname, '../../../fixtures/log');

function database(file: string, sql: string): unknown[] {
  const db = new DatabaseSync(file);
  try {
    db.exec(sql);
    return db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
  } finally {
    db.close();
  }
}

const olderVersions = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1);

describe.each(olderVersions)('a log of version %i', (version) => {
  const withLog = (use: (file: string) => void) =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      database(file, readFileSync(path.join(fixtures, `version${version}.sql`), 'utf8'));
      use(file);
    });

  it('is brought to the newest with everything in it', () =>
    withLog((file) => {
      const log = openEventLog({ path: file, clock: new FakeClock() });
      expect(log.status).toEqual({ kind: 'file', path: file });
      expect([log.lastSeq, log.count]).toEqual([7, 4]);
      expect(
        log.read({ limit: 9 }).map(({ seq, session, connection, body }) => [seq, session, connection, body]),
      ).toEqual([
        [
          1,
          'session-1',
          'connection-1',
          {
            kind: 'message',
            direction: 'sent',
            bytes: 45,
            raw: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
            envelope: { kind: 'request', id: 1, method: 'ping' },
          },
        ],
        [2, 'session-1', 'connection-2', { kind: 'stderr', line: 'listening', level: 'unknown' }],
        [
          3,
          'session-1',
          'connection-1',
          {
            kind: 'message',
            direction: 'received',
            bytes: 36,
            raw: '{"jsonrpc":"2.0","id":1,"result":{}}',
            envelope: { kind: 'result', id: 1 },
          },
        ],
        [
          6,
          'session-2',
          'connection-3',
          {
            kind: 'noise',
            stream: 'stdout',
            bytes: 2,
            problem: 'not-json',
            raw: 'a\ufffd',
            rawBytes: Uint8Array.from([0x61, 0xff]),
          },
        ],
      ]);
      expect(log.sessions()).toMatchObject([
        { id: 'session-1', firstUs: 1000, lastUs: 3000, events: 3, pinned: false },
        { id: 'session-2', firstUs: 5000, lastUs: 5000, events: 1, pinned: false },
      ]);
      log.append(message(8));
      expect(log.get(8)).toEqual({ ...message(8), seq: 8 });
      log.dispose();
    }));

  it('has the same tables as a new one then', () =>
    withLog((file) => {
      openEventLog({ path: file, clock: new FakeClock() }).dispose();
      const fresh = `${file}-fresh`;
      openEventLog({ path: fresh, clock: new FakeClock() }).dispose();
      const plain = (rows: unknown[]) => JSON.parse(JSON.stringify(rows).replace(/(?:\\n|\s)+/g, ' '));
      expect(plain(database(file, ''))).toEqual(plain(database(fresh, '')));
    }));
});
