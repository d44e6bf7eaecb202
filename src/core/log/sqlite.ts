import process from 'node:process';

export type Sqlite = Pick<typeof import('node:sqlite'), 'DatabaseSync'>;

/** Returns `node:sqlite`, or `undefined` in a runtime that has none. Never throws. */
export function loadSqlite(): Sqlite | undefined {
  // Loading it emits an ExperimentalWarning, which a tap would print into the log of somebody else's client. The module
  // loads synchronously, so nobody else's warning can be lost meanwhile.
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.('node:sqlite');
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** What an error of `node:sqlite` means for whoever wrote or opened: each has its own remedy. */
export type SqliteProblem = 'locked' | 'disk-full' | 'read-only' | 'corrupt' | 'bad-value' | 'io-error';

/** Classifies by the primary result code (https://sqlite.org/rescode.html); an error that SQLite did not raise is a bad value. */
export function problemOf(error: unknown): SqliteProblem {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (typeof code !== 'number') {
    return 'bad-value';
  }
  switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'locked';
    case 8: // SQLITE_READONLY
      return 'read-only';
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return 'corrupt';
    case 13: // SQLITE_FULL
      return 'disk-full';
    case 18: // SQLITE_TOOBIG
    case 19: // SQLITE_CONSTRAINT
    case 20: // SQLITE_MISMATCH
    case 25: // SQLITE_RANGE
      return 'bad-value';
    default:
      return 'io-error';
  }
}
