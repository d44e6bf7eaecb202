import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/messageOf.ts';
import { inspectSchema, prepareSchema, SCHEMA_VERSION } from './schema.ts';
import { problemOf, type Sqlite } from './sqlite.ts';
import { createSqliteStore } from './sqliteStore.ts';
import type { LogStore } from './store.ts';

export interface Unusable {
  readonly reason: 'cannot-open' | 'newer-schema' | 'corrupt';
  readonly detail: string;
}

/** Waits for other processes that are creating or migrating the same file. */
const OPEN_PATIENCE_MS = 1000;
const OPEN_ATTEMPTS = 20;

/**
 * Opens or creates the log at `file`, with its folder, readable by this user alone. Returns why not when it cannot be
 * used; a file that is not a log of this or an older version is left as it is. Never throws.
 */
export function openSqliteStore(sqlite: Sqlite, file: string): LogStore | Unusable {
  let db: DatabaseSync | undefined;
  try {
    createPrivately(file);
    const refusal = inspect(sqlite, file);
    if (refusal !== undefined) {
      return refusal;
    }
    db = new sqlite.DatabaseSync(file, { timeout: OPEN_PATIENCE_MS, enableForeignKeyConstraints: false });
    prepare(db);
    return createSqliteStore(db, file);
  } catch (error) {
    db?.close();
    return { reason: problemOf(error) === 'corrupt' ? 'corrupt' : 'cannot-open', detail: messageOf(error) };
  }
}

/** SQLite gives the `-wal` and `-shm` files the mode of the main one. */
function createPrivately(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

/** Looks through a read-only connection: closing a writing one would move the log of a newer version into its file. */
function inspect(sqlite: Sqlite, file: string): Unusable | undefined {
  if (statSync(file).size === 0) {
    return undefined;
  }
  const db = new sqlite.DatabaseSync(file, { readOnly: true, timeout: OPEN_PATIENCE_MS });
  try {
    const state = inspectSchema(db);
    switch (state.kind) {
      case 'newer':
        return { reason: 'newer-schema', detail: `version ${state.version}, this is ${SCHEMA_VERSION}` };
      case 'foreign':
        return { reason: 'cannot-open', detail: 'not a Faultline log' };
      default:
        return undefined;
    }
  } finally {
    db.close();
  }
}

/** Switching a new file to WAL reports "locked" at once, however patient the connection, while another does the same. */
function prepare(db: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      prepareSchema(db);
      return;
    } catch (error) {
      if (problemOf(error) !== 'locked' || attempt === OPEN_ATTEMPTS) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
