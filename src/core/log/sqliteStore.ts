import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type {
  ConnectionId,
  EventBody,
  LogEvent,
  NewLogEvent,
  Origin,
  ServerId,
  SessionId,
} from '../../protocol/events.ts';
import { createCheckpointer } from './checkpointer.ts';
import { decodeBody, encodeBody } from './codec.ts';
import { createDeletion } from './deletion.ts';
import { pack, unpack } from './packing.ts';
import { guarded, integer } from './rows.ts';
import { createSessionTable } from './sessionTable.ts';
import { problemOf } from './sqlite.ts';
import { type EventRange, type LogStore, type RetentionLimits, sizeOf, type WriteResult } from './store.ts';
import { createTextSearch } from './textSearch.ts';

/** Rows an INSERT statement: crossing into SQLite once a row costs as much as the insert itself. */
const ROWS_PER_INSERT = 16;
const INSERT_COLUMNS = 8;

const SELECT = `SELECT seq, session, server, connection, wall_us, mono_us, origin, kind, body, raw, packing
  FROM event JOIN source ON source.id = event.source AND source.doomed = 0`;

/** A store over the database in `file` that `prepareSchema` has set up; owns and closes it. */
export function createSqliteStore(db: DatabaseSync, file: string): LogStore {
  const statements = {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    addSource: db.prepare('INSERT INTO source (session, server, connection) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    findSource: db.prepare('SELECT id AS value FROM source WHERE session = ? AND server = ? AND connection = ?'),
    findConnection: db.prepare('SELECT id AS value FROM source WHERE connection = ?'),
    insertOne: insertStatement(db, 1),
    insertMany: insertStatement(db, ROWS_PER_INSERT),
    get: asArrays(db.prepare(`${SELECT} WHERE seq = ?`)),
    read: asArrays(db.prepare(`${SELECT} WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?`)),
    readSource: asArrays(db.prepare(`${SELECT} WHERE event.source = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?`)),
    lastSeq: db.prepare(`SELECT seq AS value FROM sqlite_sequence WHERE name = 'event'`),
    changes: db.prepare('PRAGMA data_version'),
    count: db.prepare('SELECT IFNULL(SUM(events), 0) AS value FROM session'),
    limits: db.prepare(`SELECT name, value FROM meta WHERE name IN ('max_bytes', 'max_age_ms')`),
    keepLimit: db.prepare('INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2'),
    redactionKey: db.prepare(`SELECT value FROM meta WHERE name = 'redaction_key'`),
  };
  const sessions = createSessionTable(db);
  const checkpointer = createCheckpointer(db, file);
  const search = createTextSearch(db);

  /** Within one transaction only: another process may clear the file between two. */
  const sourceIds = () => {
    const known = new Map<ConnectionId, { readonly event: NewLogEvent; readonly id: number }>();
    return (event: NewLogEvent): number => {
      const last = known.get(event.connection);
      if (last !== undefined && last.event.session === event.session && last.event.server === event.server) {
        return last.id;
      }
      statements.addSource.run(event.session, event.server, event.connection);
      const id = integer(statements.findSource, event.session, event.server, event.connection);
      known.set(event.connection, { event, id });
      return id;
    };
  };

  /** Inserts within a transaction, in statements of `rowsPerInsert` rows, and tells how far it has come. Gives the first `seq`. */
  const insert = (events: readonly NewLogEvent[], rowsPerInsert: number, reached: (index: number) => void): number => {
    const sourceId = sourceIds();
    const tally = sessions.tally();
    let lastSeq = 0;
    for (let index = 0; index < events.length; ) {
      reached(index);
      const rows = events.length - index >= rowsPerInsert ? rowsPerInsert : 1;
      const values: Array<string | number | Uint8Array | null> = [];
      for (const event of events.slice(index, index + rows)) {
        const encoded = encodeBody(event.body);
        const { raw, packing } = pack(encoded.raw);
        const { wallUs, monoUs, origin } = event;
        const times = [Math.round(wallUs), Math.round(monoUs)] as const;
        values.push(sourceId(event), ...times, origin, event.body.kind, encoded.body, raw, packing);
        tally.add(event, encoded.body.length + (raw?.length ?? 0));
      }
      const statement = rows === 1 ? statements.insertOne : statements.insertMany;
      lastSeq = Number(statement.run(...values).lastInsertRowid);
      index += rows;
    }
    // Consecutive, since nobody else writes during a transaction and AUTOINCREMENT counts on from the highest.
    const firstSeq = lastSeq - events.length + 1;
    tally.write(firstSeq);
    return firstSeq;
  };

  const writeOnce = (events: readonly NewLogEvent[], rowsPerInsert: number): WriteResult => {
    let index = 0;
    try {
      statements.begin.run();
      const firstSeq = insert(events, rowsPerInsert, (reached) => {
        index = reached;
      });
      statements.commit.run();
      checkpointer.written(events.reduce((sum, event) => sum + sizeOf(event), 0));
      return { kind: 'written', firstSeq };
    } catch (error) {
      rollBack(db);
      const problem = problemOf(error);
      return problem === 'bad-value' ? { kind: 'rejected', index } : { kind: 'failed', problem };
    }
  };

  const deletion = createDeletion(db, (events) => insert(events, 1, () => undefined));

  return {
    write(events) {
      const result = writeOnce(events, ROWS_PER_INSERT);
      // Row by row, the index that failed is the event's own.
      return result.kind === 'rejected' ? writeOnce(events, 1) : result;
    },
    get: (seq) => readRows(statements.get, seq)[0],
    read({ from = 1, to = Number.MAX_SAFE_INTEGER, connection, limit }: EventRange) {
      if (connection === undefined) {
        return readRows(statements.read, from, to, limit);
      }
      const sources = guarded(() => statements.findConnection.all(connection), []);
      const found = sources.flatMap(({ value }) => readRows(statements.readSource, Number(value), from, to, limit));
      return sources.length > 1 ? found.sort((a, b) => a.seq - b.seq).slice(0, limit) : found;
    },
    lastSeq: () => guarded(() => integer(statements.lastSeq), 0),
    count: () => guarded(() => integer(statements.count), 0),
    clear() {
      if (!deletion.clear()) {
        return false;
      }
      // Deleted text must not linger in free pages; when somebody reads just now, the next clear gets them.
      guarded(() => db.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)'), undefined);
      return true;
    },
    limits: () => limitsOf(guarded(() => statements.limits.all(), [])),
    keepLimits({ maxBytes = 0, maxAgeMs = 0 }) {
      const before = limitsOf(guarded(() => statements.limits.all(), []));
      if (before === undefined || (before.maxBytes ?? 0) !== maxBytes || (before.maxAgeMs ?? 0) !== maxAgeMs) {
        guarded(() => {
          statements.keepLimit.run('max_bytes', maxBytes);
          statements.keepLimit.run('max_age_ms', maxAgeMs);
        }, undefined);
      }
    },
    redactionKey: () => guarded(() => statements.redactionKey.get()?.['value'] as Uint8Array, new Uint8Array(16)),
    sessions: sessions.list,
    nameSession: sessions.setName,
    pinSession: sessions.setPinned,
    deleteSession: deletion.deleteSession,
    evict(bound) {
      const evicted = deletion.evict(bound);
      checkpointer.written(evicted?.bytes ?? 0);
      return evicted;
    },
    undeclared: deletion.undeclared,
    declareEvicted: deletion.declareEvicted,
    usedBytes: deletion.usedBytes,
    sweep: deletion.sweep,
    deletions: deletion.deletions,
    changes: () => guarded(() => Number(statements.changes.get()?.['data_version']), 0),
    search,
    setPatience(ms) {
      guarded(() => db.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.trunc(ms))}`), undefined);
    },
    close() {
      checkpointer.close();
      guarded(() => db.close(), undefined);
    },
  };
}

/** 0 is no limit. */
function limitsOf(rows: ReadonlyArray<Record<string, unknown>>): RetentionLimits | undefined {
  const found = new Map(rows.map(({ name, value }) => [name, Number(value)]));
  const [maxBytes, maxAgeMs] = [found.get('max_bytes') ?? 0, found.get('max_age_ms') ?? 0];
  return found.size === 0
    ? undefined
    : { ...(maxBytes > 0 ? { maxBytes } : {}), ...(maxAgeMs > 0 ? { maxAgeMs } : {}) };
}

function insertStatement(db: DatabaseSync, rows: number): StatementSync {
  const places = `(${Array<string>(INSERT_COLUMNS).fill('?').join(', ')})`;
  const values = Array<string>(rows).fill(places).join(', ');
  return db.prepare(`INSERT INTO event (source, wall_us, mono_us, origin, kind, body, raw, packing) VALUES ${values}`);
}

function readRows(statement: StatementSync, ...values: readonly number[]): LogEvent[] {
  const rows = guarded(() => statement.all(...values) as unknown as ReadonlyArray<Row>, []);
  return rows.map((row) => decodeRow(Array.isArray(row) ? row : (Object.values(row) as unknown as Row)));
}

/** In the order of `SELECT`; a STRICT table gives the types. */
type Row = readonly [
  seq: number,
  session: SessionId,
  server: ServerId,
  connection: ConnectionId,
  wallUs: number,
  monoUs: number,
  origin: Origin,
  kind: string,
  body: string,
  raw: unknown,
  packing: number,
];

/**
 * The row as an event; one that cannot be read is a gap in its place, since the rest of the log still can. Member by member:
 * a spread would cost as much as the query.
 */
function decodeRow(row: Row): LogEvent {
  const [seq, session, server, connection, wallUs, monoUs, origin, kind, encoded, raw, packing] = row;
  return { seq, session, server, connection, wallUs, monoUs, origin, body: decodeColumns(kind, encoded, raw, packing) };
}

function decodeColumns(kind: string, encoded: string, raw: unknown, packing: number): EventBody {
  try {
    return decodeBody(kind, encoded, unpack(raw, packing));
  } catch {
    return { kind: 'note', note: { type: 'gap', events: 1, bytes: encoded.length, reason: 'log.gap.unreadable' } };
  }
}

/** Rows as arrays, where Node.js can (22.16): twice as fast. */
function asArrays(statement: StatementSync): StatementSync {
  (statement as Partial<Pick<StatementSync, 'setReturnArrays'>>).setReturnArrays?.(true);
  return statement;
}

function rollBack(db: DatabaseSync): void {
  // Fails when no transaction was begun, or when SQLite has rolled back by itself.
  guarded(() => db.exec('ROLLBACK'), undefined);
}
