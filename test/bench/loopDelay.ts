// Found, Node.js 22.23, two cores shared with other work: 4.2 to 4.9 ms, and 2.0 to 2.7 ms when messages are only received. In
// loud moments (load 7 and more) what is only received waits 10 ms. With checkpoints on the same thread it was 7.6 ms, and 30 ms
// in loud moments: see docs/decisions.md.
import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { type BenchResult, median, progress, rounded } from './bench.ts';

const RUNS = 3;
const SECONDS = 8;
const GOAL_MS = 20;

interface Felt {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly perSecond: number;
  readonly events: number;
  readonly gaps: number;
}

/**
 * `host.loopDelayP99`: how long the event loop of the extension host is held up while 5,000 messages a second of 300 B to
 * 4 KiB arrive from a process, are recorded in a file, projected and taken into the timeline. `baseline` is the same with
 * messages that are only received, which tells what else the machine is doing. A process of its own each.
 */
export async function loopDelay(): Promise<BenchResult[]> {
  progress(`host.loopDelayP99: ${RUNS} runs of ${SECONDS} s, and as many that only receive`);
  const runs: { readonly ours: number; readonly baseline: number }[] = [];
  for (let run = 0; run < RUNS; run++) {
    const baseline = await feel('nothing');
    const ours = await feel('log');
    runs.push({ ours: ours.p99, baseline: baseline.p99 });
  }
  const value = rounded(median(runs.map(({ ours }) => ours)));
  const baseline = rounded(median(runs.map((each) => each.baseline)));
  return [{ name: 'host.loopDelayP99', value, unit: 'ms', baseline, goal: `≤ ${GOAL_MS}`, ok: value <= GOAL_MS }];
}

async function feel(what: 'log' | 'nothing'): Promise<Felt> {
  const script = path.join(import.meta.dirname, 'loopDelayProcess.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script, String(SECONDS), what]);
  const felt = JSON.parse(stdout) as Felt;
  progress(`  ${what}: p50 ${rounded(felt.p50)} ms, p99 ${rounded(felt.p99)} ms, most ${rounded(felt.max)} ms`);
  if (felt.perSecond < 4500 || felt.gaps > 0) {
    throw new Error(`${Math.round(felt.perSecond)} messages a second arrived, ${felt.gaps} gaps`);
  }
  return felt;
}
