/** One line of `npm run bench`. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same measure without us. */
  readonly baseline?: number;
  /** `value` by `baseline`: firm on a shared machine, where times are not. */
  readonly ratio?: number;
  /** The goal in words, such as `ratio <= 1.3`. */
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

/** How two ways of doing the same work compare. Times are medians. */
export interface Comparison {
  readonly oursMs: number;
  readonly bareMs: number;
  /** The median of the ratios of neighbouring runs, which feel the same load. */
  readonly ratio: number;
}

/**
 * Times the same work with and without us, alternating which goes first, after one unmeasured run of each. At least five
 * runs.
 */
export async function ratioOf(ours: () => unknown, bare: () => unknown, runs = 7): Promise<Comparison> {
  const pairs: { readonly oursMs: number; readonly bareMs: number }[] = [];
  await ours();
  await bare();
  for (let run = 0; run < Math.max(5, runs); run += 1) {
    const isOursFirst = run % 2 === 0;
    const first = await timeOf(isOursFirst ? ours : bare);
    const second = await timeOf(isOursFirst ? bare : ours);
    pairs.push(isOursFirst ? { oursMs: first, bareMs: second } : { oursMs: second, bareMs: first });
  }
  return {
    oursMs: median(pairs.map(({ oursMs }) => oursMs)),
    bareMs: median(pairs.map(({ bareMs }) => bareMs)),
    ratio: median(pairs.map(({ oursMs, bareMs }) => oursMs / bareMs)),
  };
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
