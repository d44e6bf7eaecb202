import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import type { NoiseBody } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { inFolder, withBody } from './support.ts';

const SENTENCE = 'Ein Sätzchen mit 🦊 and "quotes". ';

function noise(raw: string, rawBytes?: Uint8Array): NoiseBody {
  return {
    kind: 'noise',
    stream: 'stdout',
    raw,
    bytes: raw.length,
    problem: 'not-json',
    ...(rawBytes === undefined ? {} : { rawBytes }),
  };
}

const broken = new Uint8Array(200_000).fill(0x61);
broken[7] = 0xff;

describe('a payload', () => {
  it.each<[string, NoiseBody, boolean]>([
    ['of 64 KiB is stored as it is', noise('x'.repeat(64 * 1024)), false],
    ['over 64 KiB is compressed', noise('x'.repeat(64 * 1024 + 1)), true],
    ['of text beyond ASCII is compressed', noise(SENTENCE.repeat(5000)), true],
    ['of bytes that are no UTF-8 is compressed', noise(new TextDecoder().decode(broken), broken), true],
    ['that does not get smaller is stored as it is', noise(randomBytes(80_000).toString('latin1')), false],
  ])('%s, and comes back as it was', (_, body, isPacked) =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      const log = openEventLog({ path: file, clock: new FakeClock(), redaction: 'raw' });
      log.append(withBody(body));
      expect(log.read({ limit: 9 })).toEqual([{ ...withBody(body), seq: 1 }]);
      log.dispose();
      const db = new DatabaseSync(file, { readOnly: true });
      const [row] = db.prepare('SELECT packing <> 0 AS packed, LENGTH(raw) AS bytes FROM event').all();
      db.close();
      expect(row?.['packed']).toBe(Number(isPacked));
      expect(statSync(file).size < body.raw.length).toBe(isPacked);
    }),
  );

  it('that is damaged, or packed in a way of a newer version, is a gap in its place', () =>
    inFolder((folder) => {
      const file = path.join(folder, 'log.db');
      const log = openEventLog({ path: file, clock: new FakeClock() });
      for (let index = 0; index < 3; index++) {
        log.append(withBody(noise('x'.repeat(70_000))));
      }
      log.flush();
      const db = new DatabaseSync(file);
      db.exec(`UPDATE event SET raw = X'FFFFFF' WHERE seq = 1; UPDATE event SET packing = 99 WHERE seq = 2`);
      db.close();
      expect(log.read({ limit: 9 }).map(({ body }) => body.kind)).toEqual(['note', 'note', 'noise']);
      log.dispose();
    }));
});
