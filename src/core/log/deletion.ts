import type { DatabaseSync } from 'node:sqlite';
import type { NewLogEvent, SessionId } from '../../protocol/events.ts';
import { guarded, integer } from './rows.ts';
import type { Evicted, EvictionBound } from './store.ts';

/** At most so much in one step: a few milliseconds, in which the host does nothing else. */
const STEP_EVENTS = 500;
const STEP_PAGES = 256;
/** Free pages that stay for the next events, by pages of the file, unless a person wants them gone. */
const RESERVE = 0.05;

interface Measured {
  readonly events: number;
  readonly bytes: number;
  readonly lastSeq: number | null;
  readonly untilUs: number | null;
  readonly notedEvents: number;
  readonly notedBytes: number;
}

const PINNED = 'session IN (SELECT id FROM session WHERE pinned <> 0)';

const OF_SESSION = 'source IN (SELECT id FROM source WHERE session = ?1 AND doomed = 0)';

/**
 * Everything that takes events out of a database that `prepareSchema` has set up. Each is one transaction, bounded. `insert`
 * adds events within a transaction.
 */
export function createDeletion(db: DatabaseSync, insert: (events: readonly NewLogEvent[]) => void) {
  const statements = {
    oldest: db.prepare(
      `SELECT id, first_seq AS firstSeq FROM session
       WHERE pinned = 0 AND events > 0 AND first_us < ? ORDER BY first_us, id LIMIT 1`,
    ),
    // What earlier evictions have declared goes on in the declaration of the one that takes their notes away. As far as the first
    // that is not old enough: a clock that was set back has made later ones older, and going on behind those would leave what lies
    // between to nobody's count. And no further than there are bytes to be freed: a few hundred large events are a whole log.
    measure: db.prepare(
      `WITH oldest AS MATERIALIZED (
         SELECT seq, wall_us, LENGTH(body) + COALESCE(LENGTH(raw), 0) AS bytes,
           CASE WHEN kind = 'note' AND json_extract(body, '$.note.type') = 'evicted' THEN body END AS note
         FROM event WHERE seq >= ?2 AND ${OF_SESSION} ORDER BY seq LIMIT ?4),
       going AS (
         SELECT seq, wall_us, bytes, note, SUM(bytes) OVER (ORDER BY seq) - bytes AS bytesBefore FROM oldest
         WHERE seq < (SELECT IFNULL(MIN(seq), ${Number.MAX_SAFE_INTEGER}) FROM oldest WHERE wall_us >= ?3))
       SELECT COUNT(*) AS events, IFNULL(SUM(bytes), 0) AS bytes, MAX(seq) AS lastSeq, MAX(wall_us) AS untilUs,
         IFNULL(SUM(json_extract(note, '$.note.events')), 0) AS notedEvents,
         IFNULL(SUM(json_extract(note, '$.note.bytes')), 0) AS notedBytes FROM going WHERE bytesBefore < ?5`,
    ),
    remove: db.prepare(`DELETE FROM event WHERE seq BETWEEN ?2 AND ?3 AND ${OF_SESSION}`),
    next: db.prepare(`SELECT seq, wall_us AS wallUs FROM event WHERE seq > ?2 AND ${OF_SESSION} ORDER BY seq LIMIT 1`),
    reduce: db.prepare(
      `UPDATE session SET events = MAX(0, events - ?2), bytes = MAX(0, bytes - ?3), first_seq = ?4, first_us = ?5 WHERE id = ?1`,
    ),
    dropEmpty: db.prepare('DELETE FROM session WHERE id = ?1 AND name IS NULL AND pinned = 0'),
    empty: db.prepare('UPDATE session SET events = 0, bytes = 0 WHERE id = ?1'),
    dropSession: db.prepare('DELETE FROM session WHERE id = ?1'),
    // Renamed, so that the connection can go on as a new source when it is not over.
    doom: db.prepare(`UPDATE source SET doomed = 1, connection = 'doomed:' || id WHERE session = ?1 AND doomed = 0`),
    doomed: db.prepare('SELECT id AS value FROM source WHERE doomed <> 0 ORDER BY id LIMIT 1'),
    sweepEvents: db.prepare(
      'DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE source = ?1 ORDER BY seq LIMIT ?2)',
    ),
    dropSource: db.prepare('DELETE FROM source WHERE id = ?1'),
    countDeletion: db.prepare(`UPDATE meta SET value = value + 1 WHERE name = 'deletions'`),
    owe: db.prepare(
      `UPDATE meta SET value = CASE name
         WHEN 'evicted_events' THEN value + ?1 WHEN 'evicted_bytes' THEN value + ?2 ELSE MAX(value, ?3) END
       WHERE name IN ('evicted_events', 'evicted_bytes', 'evicted_until')`,
    ),
    owed: db.prepare(
      `SELECT (SELECT value FROM meta WHERE name = 'evicted_events') AS events,
         (SELECT value FROM meta WHERE name = 'evicted_bytes') AS bytes,
         (SELECT value FROM meta WHERE name = 'evicted_until') AS untilUs`,
    ),
    pinned: db.prepare('SELECT COUNT(*) AS value FROM session WHERE pinned <> 0'),
    deletions: db.prepare(`SELECT value FROM meta WHERE name = 'deletions'`),
    pages: db.prepare('SELECT page_count AS value FROM pragma_page_count'),
    freePages: db.prepare('SELECT freelist_count AS value FROM pragma_freelist_count'),
    pageSize: db.prepare('SELECT page_size AS value FROM pragma_page_size'),
  };

  const evictOldest = ({
    beforeUs = Number.MAX_SAFE_INTEGER,
    maxEvents,
    maxBytes = Number.MAX_SAFE_INTEGER,
  }: EvictionBound): Evicted | undefined => {
    const oldest = statements.oldest.get(beforeUs) as { id: string; firstSeq: number } | undefined;
    if (oldest === undefined) {
      return undefined;
    }
    const { id, firstSeq } = oldest;
    const limit = Math.min(maxEvents, STEP_EVENTS);
    const found = statements.measure.get(id, firstSeq, beforeUs, limit, Math.ceil(maxBytes)) as unknown as Measured;
    const { events, bytes, lastSeq, untilUs, notedEvents, notedBytes } = found;
    if (lastSeq !== null) {
      statements.remove.run(id, firstSeq, lastSeq);
      statements.owe.run(events + notedEvents, bytes + notedBytes, untilUs);
    }
    const next = statements.next.get(id, lastSeq ?? firstSeq - 1) as { seq: number; wallUs: number } | undefined;
    if (next === undefined) {
      statements.empty.run(id);
      statements.dropEmpty.run(id);
      statements.doom.run(id);
    } else {
      // Where nothing was old enough, the count was of a time that has gone: the next look must not stop here again.
      const firstUs = lastSeq === null ? Math.max(next.wallUs, beforeUs) : next.wallUs;
      statements.reduce.run(id, events, bytes, next.seq, firstUs);
    }
    return { events, bytes, untilUs: untilUs ?? 0 };
  };

  const pagesToFree = (isThorough: boolean) => {
    const free = integer(statements.freePages);
    return isThorough ? free : free - Math.ceil(integer(statements.pages) * RESERVE);
  };

  return {
    evict: (bound: EvictionBound): Evicted | undefined => transaction(db, () => evictOldest(bound)),
    deleteSession: (id: SessionId): boolean =>
      transaction(db, () => {
        const isKnown = Number(statements.dropSession.run(id).changes) + Number(statements.doom.run(id).changes) > 0;
        statements.countDeletion.run();
        return isKnown;
      }) ?? false,
    clear: (): boolean =>
      transaction(db, () => {
        if (integer(statements.pinned) === 0) {
          // By far the fastest for SQLite, which then drops pages rather than rows.
          db.exec('DELETE FROM event; DELETE FROM source; DELETE FROM session');
        } else {
          db.exec(`DELETE FROM event WHERE source NOT IN (SELECT id FROM source WHERE doomed = 0 AND ${PINNED});
            DELETE FROM source WHERE doomed <> 0 OR NOT ${PINNED};
            DELETE FROM session WHERE pinned = 0`);
        }
        statements.countDeletion.run();
        return true;
      }) ?? false,
    sweep(isThorough: boolean): boolean {
      const doomed = guarded(() => integer(statements.doomed), 0);
      if (doomed !== 0) {
        return sweepSource(doomed);
      }
      const pages = guarded(() => pagesToFree(isThorough), 0);
      if (pages <= 0) {
        return false;
      }
      return guarded(() => {
        db.exec(`PRAGMA incremental_vacuum(${Math.min(pages, STEP_PAGES)})`);
        if (pages <= STEP_PAGES && isThorough) {
          // What was deleted is still in the write-ahead log until that is emptied; when somebody reads now, the next gets it.
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        }
        return pages > STEP_PAGES;
      }, false);
    },
    undeclared: (): Evicted =>
      guarded(() => statements.owed.get() as unknown as Evicted, { events: 0, bytes: 0, untilUs: 0 }),
    declareEvicted: (note: (evicted: Evicted) => NewLogEvent): boolean =>
      transaction(db, () => {
        const evicted = statements.owed.get() as unknown as Evicted;
        if (evicted.events === 0) {
          return false;
        }
        insert([note(evicted)]);
        statements.owe.run(-evicted.events, -evicted.bytes, 0);
        return true;
      }) ?? false,
    deletions: () => guarded(() => integer(statements.deletions), 0),
    usedBytes: () =>
      guarded(() => (integer(statements.pages) - integer(statements.freePages)) * integer(statements.pageSize), 0),
  };

  function sweepSource(id: number): boolean {
    return (
      transaction(db, () => {
        if (Number(statements.sweepEvents.run(id, STEP_EVENTS).changes) < STEP_EVENTS) {
          statements.dropSource.run(id);
        }
        return true;
      }) ?? false
    );
  }
}

/** The result of the work, or `undefined` when it failed and nothing was done. */
function transaction<T>(db: DatabaseSync, work: () => T): T | undefined {
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch {
    guarded(() => db.exec('ROLLBACK'), undefined);
    return undefined;
  }
}
