import { type BenchResult, progress, ratioOf, rounded } from '../bench.ts';
import { type BuiltTap, p99 } from './subjects.ts';

/** A client of either kind: calls `count` times, `window` at a time, and gives how long each took, ms. */
export interface Caller {
  call(count: number, window: number, bytes: number): Promise<readonly number[]>;
}

export interface Load {
  readonly name: string;
  /** Of a request, and of its answer. */
  readonly bytes: number;
  readonly calls: number;
  /** Calls under way at a time. */
  readonly window: number;
}

/** The same calls through a tap and through what only forwards. */
export interface Pair {
  /** Of the results: `tap.stdio`. */
  readonly name: string;
  readonly ours: Caller;
  readonly bare: Caller;
  readonly tap: BuiltTap;
}

const RUNS = 11;
const MIN_RATIO = 0.9;
const MAX_P99 = 1.3;

export async function callsPerSecond(client: Caller, { calls, window, bytes }: Load): Promise<number> {
  const from = performance.now();
  await client.call(calls, window, bytes);
  return calls / ((performance.now() - from) / 1000);
}

export async function throughput({ name, ours, bare, tap }: Pair, load: Load): Promise<BenchResult> {
  progress(`${name}${load.name}: ${load.calls} calls, ${load.window} at a time`);
  const {
    ours: value,
    baseline,
    ratio,
  } = await ratioOf(
    async () => {
      const rate = await callsPerSecond(ours, load);
      await tap.recorded(2 * load.calls);
      return rate;
    },
    () => callsPerSecond(bare, load),
    RUNS,
  );
  return {
    name: `${name}${load.name}`,
    value: Math.round(value),
    unit: 'calls/s',
    baseline: Math.round(baseline),
    ratio: rounded(ratio),
    goal: `≥ ${MIN_RATIO}`,
    ok: ratio >= MIN_RATIO,
  };
}

/** The time below which 99 of 100 calls of 200 B lie, one after the other. */
export async function latency({ name, ours, bare, tap }: Pair, calls: number): Promise<BenchResult> {
  progress(`${name}P99: ${calls} calls of 200 B, one after the other`);
  const {
    ours: value,
    baseline,
    ratio,
  } = await ratioOf(
    async () => {
      const times = await ours.call(calls, 1, 200);
      await tap.recorded(2 * calls);
      return p99(times);
    },
    async () => p99(await bare.call(calls, 1, 200)),
    RUNS,
  );
  return {
    name: `${name}P99`,
    value: rounded(value),
    unit: 'ms',
    baseline: rounded(baseline),
    ratio: rounded(ratio),
    goal: `≤ ${MAX_P99}`,
    ok: ratio <= MAX_P99,
  };
}
