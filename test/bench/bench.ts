import process from 'node:process';

/** One line of `npm run bench`. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same measure without us. */
  readonly baseline?: number;
  /** `value` by `baseline`: firm on a shared machine, where times are not. */
  readonly ratio?: number;
  /** What `ratio`, or else `value`, has to keep to: `≤ 1.3`. */
  readonly goal: string;
  readonly ok: boolean;
}

/** The median; the mean of the middle two of an even number, NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? Number.NaN : (upper + lower) / 2;
}

/** Says on stderr what is being measured; stdout is for results alone. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** To three decimals, beyond which no machine here repeats itself. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** How long `work` takes, ms. */
export function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/**
 * The processor time of this thread that `work` takes, ms: on a machine that others use, far firmer than the time that
 * passes. What other threads do for it, such as collecting garbage, is not in it.
 */
export function threadTimeOf(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/**
 * The processor time of all threads of this process since `start`, ms, those that collect garbage included: firmer than the
 * time that passes, and it leaves nothing out.
 */
export function processTimeSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Does the work once and returns what is compared: a time, events a second, … */
export type Measure = () => number | Promise<number>;

export interface Comparison {
  /** Medians. */
  readonly ours: number;
  readonly baseline: number;
  /** The median of the ratios of neighbouring runs, which feel the same load. */
  readonly ratio: number;
}

/**
 * Compares the same work with and without us, alternating which goes first, after one uncounted run of each. At least five
 * runs.
 */
export async function ratioOf(ours: Measure, bare: Measure, runs = 7): Promise<Comparison> {
  const pairs: { readonly ours: number; readonly bare: number }[] = [];
  await ours();
  await bare();
  for (let run = 0; run < Math.max(5, runs); run += 1) {
    const isOursFirst = run % 2 === 0;
    const first = await (isOursFirst ? ours() : bare());
    const second = await (isOursFirst ? bare() : ours());
    pairs.push(isOursFirst ? { ours: first, bare: second } : { ours: second, bare: first });
  }
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    baseline: median(pairs.map((pair) => pair.bare)),
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
  };
}
