// Found, Node.js 22.23, two busy cores: 0.81 to 0.89 with redaction, sessions and checkpoints on the same thread; 1.3 to 1.9 since
// checkpoints have a thread of their own, which the bare inserts do not. Redaction is a tenth of the log's time: 0.5 µs for 300 B
// without anything suspicious, 2 µs for 4 KiB.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../src/base/systemClock.ts';
import { type EventLog, openEventLog } from '../../src/core/log/eventLog.ts';
import type { ConnectionId, MessageBody, NewLogEvent, ServerId, SessionId } from '../../src/protocol/events.ts';
import { type BenchResult, progress, ratioOf, rounded, timeOf } from './bench.ts';

const EVENTS = 8192;
const BATCH = 512;
const GOAL = 0.8;

/** `log.append`: events a second through the log, against inserting the finished rows in the same batches. */
export async function logAppend(): Promise<BenchResult[]> {
  const events = Array.from({ length: EVENTS }, (_, index) => toolCall(index, index % 2 === 0 ? 300 : 4096));
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-bench-'));
  const log = openEventLog({ path: path.join(folder, 'log.db'), clock: systemClock });
  const bare = openBareTable(path.join(folder, 'bare.db'));
  try {
    const rows = events.map(rowOf);
    const perSecond = (work: () => void) => EVENTS / (timeOf(work) / 1000);
    progress(`log.append: ${EVENTS} events, half of 300 B and half of 4 KiB`);
    const { ours, baseline, ratio } = await ratioOf(
      () => perSecond(() => throughTheLog(log, events)),
      () => perSecond(() => bare.insert(rows)),
    );
    return [
      {
        name: 'log.append',
        value: Math.round(ours),
        unit: 'events/s',
        baseline: Math.round(baseline),
        ratio: rounded(ratio),
        goal: `≥ ${GOAL}`,
        ok: ratio >= GOAL,
      },
    ];
  } finally {
    log.dispose();
    bare.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Appends all events, each batch to the end, with one listener. */
function throughTheLog(log: EventLog, events: readonly NewLogEvent[]): void {
  let told = 0;
  const listener = log.onDidAppend((batch) => {
    told += batch.length;
  });
  events.forEach((event, index) => {
    log.append(event);
    if ((index + 1) % BATCH === 0) {
      log.flush();
    }
  });
  listener.dispose();
  if (log.status.kind !== 'file' || told !== events.length) {
    throw new Error(`the log took ${told} of ${events.length} events`);
  }
}

interface BareRow {
  readonly wallUs: number;
  readonly monoUs: number;
  readonly origin: string;
  readonly kind: string;
  readonly body: string;
  readonly raw: string;
}

function rowOf({ body, ...context }: NewLogEvent): BareRow {
  const { raw, kind, ...fields } = body as MessageBody;
  return { ...context, kind, body: JSON.stringify(fields), raw };
}

/** The log's own table, index and settings, and nothing else. */
function openBareTable(file: string) {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE event (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, wall_us INTEGER NOT NULL,
      mono_us INTEGER NOT NULL, origin TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, raw ANY) STRICT;
    CREATE INDEX event_by_source ON event (source)`);
  const statement = db.prepare(
    'INSERT INTO event (source, wall_us, mono_us, origin, kind, body, raw) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    insert(rows: readonly BareRow[]): void {
      for (let first = 0; first < rows.length; first += BATCH) {
        db.exec('BEGIN IMMEDIATE');
        for (const row of rows.slice(first, first + BATCH)) {
          statement.run(1, row.wallUs, row.monoUs, row.origin, row.kind, row.body, row.raw);
        }
        db.exec('COMMIT');
      }
    },
    close: () => db.close(),
  };
}

/** A `tools/call` or its answer, of about `bytes` bytes. */
function toolCall(index: number, bytes: number): NewLogEvent {
  const id = index >> 1;
  const isRequest = index % 4 < 2;
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(Math.ceil(bytes / 45));
  const message = isRequest
    ? {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'search', arguments: { text }, _meta: { progressToken: id } },
      }
    : { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
  const excess = JSON.stringify(message).length - bytes;
  const raw = JSON.stringify(message).replace(text, text.slice(0, Math.max(0, text.length - excess)));
  return {
    session: '0190d3c2-7b1a-7c3e-9f00-5a4b3c2d1e0f' as SessionId,
    server: 'vscode-mcp-json:bookshop' as ServerId,
    connection: `bookshop-${index % 3}` as ConnectionId,
    wallUs: 1_700_000_000_000_000 + index * 137,
    monoUs: index * 137,
    origin: 'client',
    body: {
      kind: 'message',
      direction: isRequest ? 'sent' : 'received',
      raw,
      bytes: raw.length,
      envelope: isRequest ? { kind: 'request', id, method: 'tools/call', progressToken: id } : { kind: 'result', id },
    },
  };
}
