// Found, Node.js 22.23, two shared cores: log.rebuild 18.6 µs of processor time under load (half of it the judge, 1.5 µs reading),
// log.bytesPerRow 85 B, log.page200 0.3 to 0.5 ms, log.search1M 430 to 490 ms of processor time. Times that passed say more of the
// neighbours than of us, so rebuild and search are measured in time of the thread.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../src/base/systemClock.ts';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import { type EventLog, openEventLog } from '../../src/core/log/eventLog.ts';
import { Timeline } from '../../src/core/timeline/timeline.ts';
import { type BenchResult, median, progress, rounded, threadTimeOf, timeOf } from './bench.ts';
import { heldBytes } from './memory.ts';

const EVENTS = 1_000_000;
/** As the host reads an existing log. */
const CHUNK = 1000;
const PAGE = 200;

/** Four measures of one log of 1,000,000 events: 500,000 calls of tools on 20 connections, answers of 100 to 900 B. */
export async function millionEvents(): Promise<BenchResult[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-bench-'));
  const file = path.join(folder, 'log.db');
  try {
    openEventLog({ path: file, clock: systemClock }).dispose();
    progress(`log.*: ${EVENTS} events written in ${Math.round(timeOf(() => fillLog(file, EVENTS)))} ms`);
    const log = openEventLog({ path: file, clock: systemClock });
    if (log.status.kind !== 'file' || log.count !== EVENTS) {
      throw new Error(`the log has ${log.count} events`);
    }
    const timeline = new Timeline();
    const before = heldBytes();
    const start = performance.now();
    const rebuildMs = threadTimeOf(() => rebuild(log, timeline));
    progress(`log.rebuild: ${Math.round(performance.now() - start)} ms passed`);
    const bytesPerRow = (heldBytes() - before) / timeline.total;
    const page = pageMs(log, timeline);
    const search = await searchMs(log);
    log.dispose();
    return [
      result('log.rebuild', (rebuildMs * 1000) / EVENTS, 'µs/event', 20),
      result('log.bytesPerRow', bytesPerRow, 'B', 120),
      result('log.page200', page, 'ms', 5),
      result('log.search1M', search, 'ms', 1000),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function result(name: string, value: number, unit: string, goal: number): BenchResult {
  return { name, value: rounded(value), unit, goal: `≤ ${goal}`, ok: value <= goal };
}

function rebuild(log: EventLog, timeline: Timeline): void {
  const correlator = new Correlator(judge);
  for (let from = 1; ; from += CHUNK) {
    const events = log.read({ from, limit: CHUNK });
    for (const event of events) {
      timeline.apply(correlator.push(event));
    }
    if (events.length < CHUNK) {
      return;
    }
  }
}

/** A page of the timeline at a random place with the messages behind its rows, as the page asks for and details show. */
function pageMs(log: EventLog, timeline: Timeline): number {
  let state = 1;
  const times = Array.from({ length: 101 }, () => {
    state = (state * 48_271) % 0x7fffffff;
    const from = state % (timeline.total - PAGE);
    return timeOf(() => {
      const rows = timeline.rows(from, PAGE);
      const [first, last] = [rows[0], rows.at(-1)];
      if (first === undefined || last === undefined) {
        throw new Error('no rows');
      }
      return log.read({ from: first.firstSeq, to: last.lastSeq, limit: PAGE });
    });
  });
  return median(times);
}

/** A text that is nowhere, so that everything is looked through. */
async function searchMs(log: EventLog): Promise<number> {
  const times: number[] = [];
  for (const text of ['zebra crossing', 'the "quoted" zebra', 'ZEBRA_100%']) {
    const start = process.threadCpuUsage();
    const found = await log.search(text, { limit: PAGE });
    const { user, system } = process.threadCpuUsage(start);
    times.push((user + system) / 1000);
    if (found.length > 0) {
      throw new Error('found what is not there');
    }
  }
  return Math.max(...times);
}

const WORDS = 'the quick brown fox jumps over a lazy dog while books ship late and orders fail quietly'.split(' ');
const TOOLS = ['search_books', 'get_order', 'create_order', 'list_authors', 'check_stock'];

/** Fills an empty log with calls of tools and their answers: in one transaction, past the log, since what is measured is reading. */
export function fillLog(file: string, events: number, startUs = 1.7e15): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  const source = db.prepare('INSERT INTO source (id, session, server, connection) VALUES (?, ?, ?, ?)');
  for (let index = 0; index < 20; index++) {
    source.run(index + 1, `session-${index >> 2}`, `bench:server-${index % 4}`, `connection-${index}`);
  }
  const insert = db.prepare(
    'INSERT INTO event (source, wall_us, mono_us, origin, kind, body, raw) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (let index = 0; index < events; index++) {
    const { body, raw } = eventAt(index);
    insert.run(
      1 + Math.floor(index / (events / 20)),
      startUs + index * 500,
      index * 500,
      'client',
      'message',
      body,
      raw,
    );
  }
  db.exec(`INSERT INTO session (id, first_seq, first_us, last_us, events, bytes)
    SELECT session, MIN(seq), MIN(wall_us), MAX(wall_us), COUNT(*), SUM(LENGTH(body) + LENGTH(raw))
    FROM event JOIN source ON source.id = event.source GROUP BY session`);
  db.exec('COMMIT');
  db.close();
}

function eventAt(index: number): { readonly body: string; readonly raw: string } {
  const id = index >> 1;
  const words = Array.from({ length: 12 }, (_, at) => WORDS[(id * 7 + at * 13) % WORDS.length]).join(' ');
  if (index % 2 === 0) {
    const raw = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${TOOLS[id % TOOLS.length]}","arguments":{"query":"${words}"},"_meta":{"progressToken":"p${id}"}}}`;
    const envelope = `{"kind":"request","id":${id},"method":"tools/call","progressToken":"p${id}"}`;
    return { body: `{"direction":"sent","bytes":${raw.length},"envelope":${envelope}}`, raw };
  }
  const text = Array(1 + (id % 10))
    .fill(words)
    .join('. ');
  const flag = id % 20 === 0 ? ',"isError":true' : '';
  const raw = `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]${flag}}}`;
  return { body: `{"direction":"received","bytes":${raw.length},"envelope":{"kind":"result","id":${id}}}`, raw };
}
