/** Steps of time at most; at least half of them are in use once there are so many steps. */
const MAX_BUCKETS = 60;
const FIRST_STEP_US = 1_000_000;

export interface TimeBucket {
  /** Wall time, µs. */
  readonly fromUs: number;
  readonly calls: number;
  readonly failures: number;
}

/** Counts calls by time without knowing how long a recording is: when it gets too long, steps are doubled. Bounded. */
export class TimeBuckets {
  private stepUs = FIRST_STEP_US;
  /** By the number of the step since the epoch. */
  private counts = new Map<number, { calls: number; failures: number }>();
  private first = Number.POSITIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;

  add(us: number, isFailure: boolean): void {
    let step = Math.floor(us / this.stepUs);
    while (Math.max(step, this.last) - Math.min(step, this.first) >= MAX_BUCKETS) {
      this.double();
      step = Math.floor(us / this.stepUs);
    }
    this.first = Math.min(this.first, step);
    this.last = Math.max(this.last, step);
    const count = this.counts.get(step) ?? { calls: 0, failures: 0 };
    count.calls += 1;
    count.failures += isFailure ? 1 : 0;
    this.counts.set(step, count);
  }

  /** The steps with a call in them, in order. */
  result(): { readonly stepUs: number; readonly buckets: readonly TimeBucket[] } {
    const { stepUs } = this;
    const buckets = [...this.counts]
      .sort(([a], [b]) => a - b)
      .map(([step, { calls, failures }]) => ({ fromUs: step * stepUs, calls, failures }));
    return { stepUs, buckets };
  }

  private double(): void {
    this.stepUs *= 2;
    const counts = new Map<number, { calls: number; failures: number }>();
    for (const [step, { calls, failures }] of this.counts) {
      const half = Math.floor(step / 2);
      const sum = counts.get(half) ?? { calls: 0, failures: 0 };
      counts.set(half, { calls: sum.calls + calls, failures: sum.failures + failures });
    }
    this.counts = counts;
    this.first = Math.floor(this.first / 2);
    this.last = Math.floor(this.last / 2);
  }
}
