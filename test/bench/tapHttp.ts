// Found, Node.js 22.23, two quiet cores, against httpxy: throughput 0.95 to 0.98 at 200 B (9,000 to 11,000 calls/s), 1.01 to 1.03 at 64 KB,
// 1.01 at 5 MB (0.83 to 0.96 while a batch was 16 MiB at most); p99 1.16 to 1.22. mcp-proxy 1,600 calls/s, supergateway 1,900.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type BenchResult, median, progress } from './bench.ts';
import { bridges } from './tap/bridges.ts';
import { openHttpClient } from './tap/httpClient.ts';
import { callsPerSecond, type Load, latency, throughput } from './tap/measures.ts';
import { builtTap, echoServer, here } from './tap/subjects.ts';

const LOADS: readonly Load[] = [
  { name: '200B', bytes: 200, calls: 800, window: 8 },
  { name: '64K', bytes: 64 * 1024, calls: 150, window: 4 },
  { name: '5M', bytes: 5_000_000, calls: 4, window: 2 },
];
const LATENCY_CALLS = 500;

/** `tap.http…`: a tap that records, against a reverse proxy that does nothing else (`httpxy`). */
export async function tapHttp(): Promise<BenchResult[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-bench-tap-'));
  const tap = await builtTap(path.join(folder, 'log.sqlite'));
  const children: ChildProcess[] = [];
  const listen = async (command: readonly string[], pattern: RegExp): Promise<string> => {
    const [file = '', ...args] = command;
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return new Promise((resolve, reject) => {
      let said = '';
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        const found = pattern.exec(said)?.[1];
        if (found !== undefined) {
          resolve(found);
        }
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('close', () => reject(new Error(`${file} ended: ${said}`)));
    });
  };
  try {
    const server = `http://127.0.0.1:${await listen([...echoServer, '--http'], /^(\d+)/)}`;
    const bareUrl = `http://127.0.0.1:${await listen([process.execPath, here('bareHttp.mjs'), server], /^(\d+)/)}/mcp`;
    const http = ['--http', `${server}/mcp`, '--listen', '127.0.0.1:0'];
    const bare = await openHttpClient(bareUrl);
    const ours = await openHttpClient(await listen([...tap.command, ...http], /listening on (\S+)/));
    await tap.recorded(3);
    const pair = { name: 'tap.http', ours, bare, tap };
    const results: BenchResult[] = [];
    for (const load of LOADS) {
      results.push(await throughput(pair, load));
    }
    results.push(await latency(pair, LATENCY_CALLS), ...(await beside()));
    bare.close();
    ours.close();
    return results;
  } finally {
    for (const child of children) {
      child.removeAllListeners('close');
      child.kill('SIGKILL');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What bridges of others make of the same calls by a client over HTTP, the same server behind them over stdio. */
async function beside(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const { name, http } of await bridges()) {
    if (http === undefined) {
      continue;
    }
    progress(`${name} over HTTP`);
    const { url, stop } = await http();
    try {
      const client = await openHttpClient(url);
      const rates: number[] = [];
      for (let run = 0; run < 4; run += 1) {
        rates.push(await callsPerSecond(client, { name, calls: 200, window: 8, bytes: 200 }));
      }
      client.close();
      const value = Math.round(median(rates.slice(1)));
      results.push({ name: `tap.http200B.${name}`, value, unit: 'calls/s', goal: 'beside', ok: true });
    } finally {
      stop();
    }
  }
  return results;
}
