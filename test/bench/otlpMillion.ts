// Found, Node.js 22.23, two shared cores, two runs: otlp.millionCpu 73 and 79 s, of it 23 and 37 s over the projection; otlp.millionWire 48 MB;
// otlp.millionMemory 109 MB in use at most, while up to 530 MB are resident, since nothing presses the collector of garbage.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../src/base/systemClock.ts';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import { openExporter } from '../../src/core/export/otlp/exporter.ts';
import { readSettings } from '../../src/core/export/otlp/settings.ts';
import type { ConnectionId, LogEvent, ServerId, SessionId } from '../../src/protocol/events.ts';
import { type BenchResult, progress, rounded } from './bench.ts';
import { garbageCollector } from './memory.ts';

const EXCHANGES = 1_000_000;
/** Between two looks at the memory, for each of which garbage is collected. */
const LOOK_EVENTS = 200_000;

/**
 * A million calls of tools on 20 connections, exported over HTTP/protobuf with gzip: processor time of all threads, what the
 * projection alone takes of it, bytes of bodies on the wire, and the most memory that was in use on the way, garbage aside. The
 * collector is a process of its own.
 */
export async function otlpMillion(): Promise<BenchResult[]> {
  const projectionS = projectOnly();
  const collector = fork(path.join(import.meta.dirname, 'otlpCollectorProcess.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const { port } = await answer<{ readonly port: number }>(collector);
    const settings = readSettings({ endpoint: `http://127.0.0.1:${port}`, compression: 'gzip' }, {});
    if ('code' in settings) {
      throw new Error(settings.code);
    }
    const exporter = await openExporter({
      settings,
      version: '0',
      instance: 'bench',
      clock: systemClock,
      random: Math.random,
      projector: new Correlator(judge),
      patienceMs: settings.patienceMs,
    });
    if ('code' in exporter) {
      throw new Error(exporter.code);
    }
    let usedBytes = 0;
    const collect = garbageCollector();
    const before = process.cpuUsage();
    const startMs = performance.now();
    const status = await exporter.read(
      events(() => {
        collect();
        const { heapUsed, external } = process.memoryUsage();
        usedBytes = Math.max(usedBytes, heapUsed + external);
      }),
      true,
    );
    const { user, system } = process.cpuUsage(before);
    const cpuS = (user + system) / 1e6;
    progress(
      `otlp.million*: ${Math.round((performance.now() - startMs) / 1000)} s passed, ${rounded(projectionS)} s projection`,
    );
    if (status.sent !== EXCHANGES || Object.keys(status.dropped).length > 0) {
      throw new Error(`sent ${status.sent}, dropped ${JSON.stringify(status.dropped)}: ${status.lastProblem}`);
    }
    collector.send('report');
    const { bytes, requests } = await answer<{ readonly bytes: number; readonly requests: number }>(collector);
    progress(`otlp.million*: ${requests} requests`);
    return [
      result('otlp.millionCpu', cpuS, 's', 120),
      result('otlp.millionOverProjection', cpuS - projectionS, 's', 60),
      result('otlp.millionWire', bytes / 1e6, 'MB', 150),
      result('otlp.millionMemory', usedBytes / 1e6, 'MB', 200),
    ];
  } finally {
    collector.kill();
  }
}

/** What the timeline, or any other reader, would take as well: linear, so that a tenth of it is enough. */
function projectOnly(): number {
  const correlator = new Correlator(judge);
  const before = process.cpuUsage();
  let index = 0;
  for (const event of events(() => undefined)) {
    correlator.push(event);
    index += 1;
    if (index === (EXCHANGES * 2) / 10) {
      break;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1e6) * 10;
}

function result(name: string, value: number, unit: string, goal: number): BenchResult {
  return { name, value: rounded(value), unit, goal: `≤ ${goal}`, ok: value <= goal };
}

async function answer<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message');
  return message as T;
}

const WORDS = 'the quick brown fox jumps over a lazy dog while books ship late and orders fail quietly'.split(' ');
const TOOLS = ['search_books', 'get_order', 'create_order', 'list_authors', 'check_stock'];

/** Calls as real clients make them: answers of 100 to 900 B, 5 % say that they failed, 1 % are errors of the protocol. */
function* events(look: () => void): Generator<LogEvent, void, undefined> {
  for (let index = 0; index < EXCHANGES * 2; index += 1) {
    if (index % LOOK_EVENTS === 0) {
      look();
    }
    yield eventAt(index);
  }
}

function eventAt(index: number): LogEvent {
  const id = index >> 1;
  const words = Array.from({ length: 12 }, (_, at) => WORDS[(id * 7 + at * 13) % WORDS.length]).join(' ');
  const context = {
    seq: index + 1,
    session: `session-${Math.floor(index / 500_000)}` as SessionId,
    server: `bench:server-${id % 4}` as ServerId,
    connection: `connection-${Math.floor(index / 100_000)}` as ConnectionId,
    wallUs: 1.7e15 + index * 500,
    monoUs: index * 500,
    origin: 'client',
  } as const;
  if (index % 2 === 0) {
    const raw = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${TOOLS[id % TOOLS.length]}","arguments":{"query":"${words}"},"_meta":{"progressToken":"p${id}"}}}`;
    const envelope = { kind: 'request', id, method: 'tools/call', progressToken: `p${id}` } as const;
    return { ...context, body: { kind: 'message', direction: 'sent', raw, bytes: raw.length, envelope } };
  }
  if (id % 100 === 7) {
    const raw = `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"Internal error"}}`;
    const envelope = { kind: 'error', id, code: -32_603 } as const;
    return { ...context, body: { kind: 'message', direction: 'received', raw, bytes: raw.length, envelope } };
  }
  const text = Array(1 + (id % 10))
    .fill(words)
    .join('. ');
  const flag = id % 20 === 0 ? ',"isError":true' : '';
  const raw = `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]${flag}}}`;
  return {
    ...context,
    body: { kind: 'message', direction: 'received', raw, bytes: raw.length, envelope: { kind: 'result', id } },
  };
}
