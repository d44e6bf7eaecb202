import type { DatabaseSync } from 'node:sqlite';

/** `PRAGMA application_id` of a log, "fltl" in ASCII, so that another program's database is never taken for ours. */
export const APPLICATION_ID = 0x666c746c;

/**
 * One script a version, applied in order to a file of an older one. Never edit a script that was released; add one.
 *
 * `event.body` is the JSON of the event's body without what `raw` holds. `raw` is TEXT for text that UTF-8 gives back
 * unchanged, BLOB for bytes that are no UTF-8, and BLOB again where `packing` says how it is compressed. AUTOINCREMENT keeps
 * `seq` increasing over deletions and processes. `session` counts what `event` holds of it, so that lists and limits need
 * no scan. A source that is doomed is deleted already as far as readers know; its events go in steps. `meta` holds the
 * key of this log's placeholders, how often events were deleted, which is how other processes learn of it, what was
 * evicted and is not on record yet, and the limits (`max_bytes`, `max_age_ms`; 0 for none) that a window has last set.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE source (
     id INTEGER PRIMARY KEY,
     session TEXT NOT NULL,
     server TEXT NOT NULL,
     connection TEXT NOT NULL,
     UNIQUE (connection, server, session)
   ) STRICT;
   CREATE TABLE event (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     source INTEGER NOT NULL,
     wall_us INTEGER NOT NULL,
     mono_us INTEGER NOT NULL,
     origin TEXT NOT NULL,
     kind TEXT NOT NULL,
     body TEXT NOT NULL,
     raw ANY
   ) STRICT;
   CREATE INDEX event_by_source ON event (source);`,
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
   INSERT INTO meta VALUES ('redaction_key', randomblob(16)), ('deletions', 0), ('evicted_events', 0), ('evicted_bytes', 0), ('evicted_until', 0);
   ALTER TABLE event ADD COLUMN packing INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE source ADD COLUMN doomed INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE session (
     id TEXT PRIMARY KEY,
     name TEXT,
     pinned INTEGER NOT NULL DEFAULT 0,
     first_seq INTEGER NOT NULL,
     first_us INTEGER NOT NULL,
     last_us INTEGER NOT NULL,
     events INTEGER NOT NULL,
     bytes INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   INSERT INTO session (id, first_seq, first_us, last_us, events, bytes)
     SELECT session, MIN(seq), MIN(wall_us), MAX(wall_us), COUNT(*), SUM(LENGTH(body) + COALESCE(LENGTH(raw), 0))
     FROM event JOIN source ON source.id = event.source GROUP BY session;`,
];

/** The version that this build writes, and the newest that it reads. */
export const SCHEMA_VERSION = MIGRATIONS.length;

export type SchemaState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ours'; readonly version: number }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'foreign' };

/** Says whose database this is, without writing to it. Throws what SQLite throws. */
export function inspectSchema(db: DatabaseSync): SchemaState {
  const version = pragma(db, 'user_version');
  const application = pragma(db, 'application_id');
  if (application === APPLICATION_ID) {
    return version > SCHEMA_VERSION ? { kind: 'newer', version } : { kind: 'ours', version };
  }
  const hasTables = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
  return application === 0 && version === 0 && !hasTables ? { kind: 'empty' } : { kind: 'foreign' };
}

/**
 * Sets the connection up and brings the file to `target`, which only tests of migrations choose; safe against other processes that do the same at the
 * same moment. Throws what SQLite throws; the caller has inspected the file before.
 */
export function prepareSchema(db: DatabaseSync, target = SCHEMA_VERSION): void {
  // Only an empty file takes the first: it lets `clear` give disk space back without copying the file. The second wipes
  // what stays in pages that are kept, since what a person deletes has to be gone.
  db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = FAST');
  // In WAL mode NORMAL survives a crash of the process whole; only a power cut can cost the last commits, never the file.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216');
  if (pragma(db, 'user_version') >= target) {
    return;
  }
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = pragma(db, 'user_version');
    for (const script of MIGRATIONS.slice(version, target)) {
      db.exec(script);
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${Math.max(version, target)}; COMMIT`);
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  const value = db.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === 'number' ? value : 0;
}
