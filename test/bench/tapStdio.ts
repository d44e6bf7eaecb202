// Found, Node.js 22.23, two quiet cores: throughput 0.97 to 1.03 at 200 B (95,000 calls/s), 0.95 to 1.12 at 64 KB (0.71 to 0.84 while a
// batch was 16 MiB at most), 1.00 at 5 MB; p99 0.91 to 1.14; without any pause to record in, 0.91 to 0.94. A start takes 42 ms, of which
// a bare forwarder takes 29. 80 MB are resident in the midst of use at 200 B (a bare forwarder: 57), 105 MB at 64 KB (70).
// What was learnt: at 64 KB copying chunks took a third of the forwarding thread's time, so they change hands instead. A thorough
// collection in the recording thread also throws compiled code away, and costs the next burst a third of its throughput: only
// after a long rest. On the forwarding thread it made p99 27 times as long: never. supergateway: 1,700 to 2,500 calls/s.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type BenchResult, median, progress, ratioOf, rounded } from './bench.ts';
import { bridges } from './tap/bridges.ts';
import { callsPerSecond, type Load, latency, throughput } from './tap/measures.ts';
import { openStdioClient, type StdioClient } from './tap/stdioClient.ts';
import { type BuiltTap, builtTap, echoServer, here, residentBytes } from './tap/subjects.ts';

const LOADS: readonly Load[] = [
  { name: '200B', bytes: 200, calls: 4000, window: 16 },
  { name: '64K', bytes: 64 * 1024, calls: 200, window: 8 },
  { name: '5M', bytes: 5_000_000, calls: 4, window: 2 },
];
/** Far more than any client asks for: what it comes to when recording has no pause to fall into. */
const SUSTAINED: Load = { name: 'Sustained', bytes: 200, calls: 40_000, window: 16 };
const RUNS = 11;
const LATENCY_CALLS = 1000;
const MAX_START_MS = 150;
const MAX_BYTES = 80 * 1024 * 1024;

/** `tap.stdio…`, `tap.start` and `tap.rss`: a tap that records, against a process that forwards and does nothing else. */
export async function tapStdio(): Promise<BenchResult[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-bench-tap-'));
  const tap = await builtTap(path.join(folder, 'log.sqlite'));
  const bare = await openStdioClient([process.execPath, here('bareStdio.mjs'), ...echoServer]);
  const ours = await openStdioClient([...tap.command, '--', ...echoServer]);
  try {
    // The handshake: a request, its answer and a notification.
    await tap.recorded(3);
    const rss = await resident(ours, bare, tap);
    const pair = { name: 'tap.stdio', ours, bare, tap };
    const results: BenchResult[] = [];
    for (const load of LOADS) {
      results.push(await throughput(pair, load));
    }
    results.push(await latency(pair, LATENCY_CALLS));
    results.push({ ...(await throughput(pair, SUSTAINED)), goal: 'beside', ok: true });
    return [...results, ...(await beside()), await start(tap), ...rss];
  } finally {
    await Promise.all([bare.close(), ours.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What others make of the same calls, as far as they do the same: a client over stdio, the same server behind them. */
async function beside(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const [load] = LOADS;
  for (const { name, stdio } of await bridges()) {
    if (stdio === undefined || load === undefined) {
      continue;
    }
    progress(`${name} over stdio`);
    const { command, env, stop } = await stdio();
    const client = await openStdioClient(command, env);
    const rates: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      rates.push(await callsPerSecond(client, { ...load, calls: 500 }));
    }
    await client.close();
    stop();
    const value = Math.round(median(rates.slice(1)));
    results.push({ name: `tap.stdio200B.${name}`, value, unit: 'calls/s', goal: 'beside', ok: true });
  }
  return results;
}

/** How long from the start of a tap until a byte has gone through it and come back. */
async function start(tap: BuiltTap): Promise<BenchResult> {
  progress('tap.start');
  const { ours, baseline } = await ratioOf(
    () => firstByteMs([...tap.command, '--', 'cat']),
    () => firstByteMs([process.execPath, here('bareStdio.mjs'), 'cat']),
    RUNS,
  );
  return {
    name: 'tap.start',
    value: rounded(ours),
    unit: 'ms',
    baseline: rounded(baseline),
    goal: `≤ ${MAX_START_MS}`,
    ok: ours <= MAX_START_MS,
  };
}

function firstByteMs([command = '', ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let taken = Number.NaN;
    child.once('error', reject);
    child.stdout.once('data', () => {
      taken = performance.now() - from;
      child.stdin.end();
    });
    child.once('close', () => resolve(taken));
    child.stdin.write('\n');
  });
}

/** What is resident in the midst of use; beside it, that of the bare forwarder, and of both when messages are large. */
async function resident(ours: StdioClient, bare: StdioClient, tap: BuiltTap): Promise<BenchResult[]> {
  progress('tap.rss: after 1,000 calls of 200 B, and after 100 more of 64 KB');
  const rounds = async (bytes: number, calls: number) => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([ours.call(calls, 2, bytes), bare.call(calls, 2, bytes)]);
      await tap.recorded(2 * calls);
    }
    return { value: residentBytes(ours.pid), baseline: residentBytes(bare.pid) };
  };
  const small = await rounds(200, 100);
  const large = await rounds(64 * 1024, 10);
  return [
    { name: 'tap.rss', ...small, unit: 'bytes', goal: `≤ ${MAX_BYTES}`, ok: small.value <= MAX_BYTES },
    { name: 'tap.rss64K', ...large, unit: 'bytes', goal: 'beside', ok: true },
  ];
}
