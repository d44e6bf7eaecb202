// Findings (Node.js 22.23, two shared cores): 5 to 7 µs a message of 200 B, the judge included, beside 9 µs of the bare client;
// about 55 µs at 64 KiB, where the second parse of what the SDK parses too is nearly all of it; at 5 MiB the SDK joins chunks
// quadratically and costs twice as much as we do. Judging an answer of 100 B by its words is 3 to 4 µs a message of that (it was
// 17 to 20 before one look at all stems decided which patterns are worth trying).
import path from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Judge } from '../../src/protocol/call.ts';
import { createReal, define, idOf, type Real, testServer } from '../integration/client/support.ts';
import { type BenchResult, median, progress, rounded } from './bench.ts';

interface Size {
  readonly name: string;
  readonly bytes: number;
  readonly calls: number;
  readonly runs: number;
  readonly goalUs?: number | undefined;
}

const SIZES: readonly Size[] = [
  { name: 'client.overhead200B', bytes: 100, calls: 2000, runs: 15, goalUs: 10 },
  { name: 'client.overhead64K', bytes: 64 * 1024, calls: 200, runs: 9 },
  { name: 'client.overhead5M', bytes: 5 * 1024 * 1024, calls: 4, runs: 5 },
];
const AT_ONCE = 8;

/** A way to make one call. */
type Call = (bytes: number) => Promise<unknown>;

/** CPU time of this process for one message, µs: a call is two of them. */
async function cpuOf(call: Call, { bytes, calls }: Size): Promise<number> {
  let left = calls;
  const start = process.cpuUsage();
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, calls) }, async () => {
      while (left > 0) {
        left -= 1;
        await call(bytes);
      }
    }),
  );
  const { user, system } = process.cpuUsage(start);
  return (user + system) / (2 * calls);
}

/** Judges by the kind of end alone: what the real judge costs is measured against it. */
const plainJudge: Judge = (_request, { kind }) => ({
  outcome: kind === 'result' ? 'success' : 'transport_error',
  retry: 'never',
  signals: [],
});

/**
 * `client.overhead…`: CPU time that a message costs more through the pool, recorded, followed and judged, than through the bare
 * SDK's client, each over a process of the same server, alternating. `client.judge200B`: what judging the answer by its words adds.
 */
export async function clientOverhead(): Promise<BenchResult[]> {
  const script = path.resolve(import.meta.dirname, '../servers/sized.mjs');
  const bare = new Client({ name: 'bench', version: '1' });
  await bare.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [script],
      stderr: 'ignore',
      maxBufferSize: 64 * 1024 * 1024,
    }),
  );
  const id = idOf('a');
  let events = 0;
  const sink = { append: () => (events += 1) };
  const definition = define('a', testServer('sized'));
  const real = createReal([definition], {}, { sink });
  const unjudged = createReal([definition], {}, { sink, judge: plainJudge });
  await Promise.all([real.pool.connect(id), unjudged.pool.connect(id)]);

  const through =
    ({ pool }: Real): Call =>
    async (bytes) => {
      const params = { name: 'work', arguments: { bytes } };
      const { kind } = await pool.call({ server: id, method: 'tools/call', params, origin: 'client' });
      if (kind !== 'success') {
        throw new Error(`a call ended as ${kind}`);
      }
    };
  const ours = through(real);
  const theirs: Call = (bytes) => bare.callTool({ name: 'work', arguments: { bytes } });

  const results: BenchResult[] = [];
  try {
    for (const size of SIZES) {
      results.push(await added(size.name, ours, theirs, size));
    }
    const [small] = SIZES;
    if (small !== undefined) {
      results.push(await added('client.judge200B', ours, through(unjudged), { ...small, goalUs: undefined }));
    }
  } finally {
    await bare.close();
    await Promise.all([real.pool.dispose(), unjudged.pool.dispose()]);
  }
  if (events === 0) {
    throw new Error('nothing was recorded');
  }
  return results;
}

/** What `dear` costs more than `cheap`, for one message. */
async function added(name: string, dear: Call, cheap: Call, size: Size): Promise<BenchResult> {
  progress(`${name}: ${size.calls} calls, ${size.runs} times each way`);
  await cpuOf(dear, size);
  await cpuOf(cheap, size);
  const pairs: { readonly dear: number; readonly cheap: number }[] = [];
  for (let run = 0; run < size.runs; run += 1) {
    const first = await cpuOf(run % 2 === 0 ? dear : cheap, size);
    const second = await cpuOf(run % 2 === 0 ? cheap : dear, size);
    pairs.push(run % 2 === 0 ? { dear: first, cheap: second } : { dear: second, cheap: first });
  }
  const more = median(pairs.map((pair) => pair.dear - pair.cheap));
  return {
    name,
    value: rounded(more),
    unit: 'µs',
    baseline: rounded(median(pairs.map((pair) => pair.cheap))),
    goal: size.goalUs === undefined ? '–' : `≤ ${size.goalUs}`,
    ok: size.goalUs === undefined || more <= size.goalUs,
  };
}
