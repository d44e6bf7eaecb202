import { ROW_KINDS } from '../../protocol/exchange.ts';
import { FAILURE_KINDS, MARKS, OUTCOME_KINDS } from '../../protocol/outcome.ts';
import type { LatencyBin } from '../../protocol/timelineViews.ts';
import { at, type Columns, NONE } from './columns.ts';
import type { Records } from './records.ts';

/** Each fine bin is 2 % wider than the one before, so that a percentile read from them is within 2 % of the exact one. */
const FACTOR = 1.02;
const LOG_FACTOR = Math.log(FACTOR);

/** Fine bins up to 1.02^1300 µs, about 40 hours; what took longer is in the last one. */
const FINE_BINS = 1300;

/** Bounds of the bars, µs: 1, 2 and 5 of each power of ten from a millisecond on. The last bar has no upper bound. */
const BOUNDS_US = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap((power) => [power, 2 * power, 5 * power]);

const REQUEST = ROW_KINDS.indexOf('request');
const IS_FAILURE = OUTCOME_KINDS.map((kind) => FAILURE_KINDS.has(kind));
const ERA_PROBE = 1 << MARKS.indexOf('era_probe');

/** How long the requests took, waits between attempts included. */
export interface Latency {
  /** Requests that have ended. */
  readonly count: number;
  /** µs, within 2 %; absent when nothing has ended. */
  readonly percentiles: { readonly p50Us: number; readonly p95Us: number; readonly p99Us: number } | undefined;
  /** From the first bar with a request to the last one, those between without any too. */
  readonly bins: readonly LatencyBin[];
}

/** Counts durations. */
export class LatencyHistogram {
  private readonly fine = new Uint32Array(FINE_BINS);
  private readonly passed = new Uint32Array(BOUNDS_US.length + 1);
  private readonly failed = new Uint32Array(BOUNDS_US.length + 1);
  private count = 0;
  private maxUs = 0;

  add(us: number, isFailure: boolean): void {
    const fine = us <= 1 ? 0 : Math.min(FINE_BINS - 1, Math.floor(Math.log(us) / LOG_FACTOR));
    this.fine[fine] = at(this.fine, fine) + 1;
    let bar = 0;
    while (bar < BOUNDS_US.length && us >= (BOUNDS_US[bar] ?? Number.POSITIVE_INFINITY)) {
      bar++;
    }
    const bars = isFailure ? this.failed : this.passed;
    bars[bar] = at(bars, bar) + 1;
    this.count++;
    this.maxUs = Math.max(this.maxUs, us);
  }

  result(): Latency {
    const percentiles =
      this.count === 0
        ? undefined
        : { p50Us: this.percentile(0.5), p95Us: this.percentile(0.95), p99Us: this.percentile(0.99) };
    return { count: this.count, percentiles, bins: this.bins() };
  }

  /** The duration that the part `share` of all did not exceed, by nearest rank, as the middle of its fine bin. */
  private percentile(share: number): number {
    let left = Math.max(1, Math.ceil(this.count * share));
    const bin = this.fine.findIndex((value) => {
      left -= value;
      return left <= 0;
    });
    if (bin === 0 || bin === FINE_BINS - 1) {
      return bin === 0 ? Math.min(1, this.maxUs) : this.maxUs;
    }
    return Math.min(this.maxUs, Math.round(FACTOR ** (bin + 0.5)));
  }

  private bins(): LatencyBin[] {
    const bins = Array.from(this.passed, (passed, bar) => ({
      fromUs: bar === 0 ? 0 : (BOUNDS_US[bar - 1] ?? 0),
      ...(bar < BOUNDS_US.length ? { toUs: BOUNDS_US[bar] ?? 0 } : {}),
      passed,
      failed: at(this.failed, bar),
    }));
    const isUsed = (bin: LatencyBin) => bin.passed + bin.failed > 0;
    return bins.slice(Math.max(0, bins.findIndex(isUsed)), bins.findLastIndex(isUsed) + 1);
  }
}

/** Counts the durations of the requests whose head bears a flag, in steps. */
export class LatencyScan {
  private readonly records: Records;
  private readonly flag: number;
  private readonly histogram = new LatencyHistogram();
  private position = 0;

  constructor(records: Records, flag: number) {
    this.records = records;
    this.flag = flag;
  }

  /** Looks at `rows` rows more; true when there is nothing more to look at. */
  step(rows: number): boolean {
    const { columns, order } = this.records;
    const end = Math.min(order.length, this.position + rows);
    for (; this.position < end; this.position++) {
      const row = order.at(this.position);
      if (
        (at(columns.flags, row) & this.flag) !== 0 &&
        at(columns.head, row) === row &&
        at(columns.kind, row) === REQUEST
      ) {
        this.take(columns, row);
      }
    }
    return this.position >= order.length;
  }

  result(): Latency {
    return this.histogram.result();
  }

  private take(columns: Columns, head: number): void {
    const last = at(columns.next, head) === NONE ? head : at(columns.last, head);
    const us = at(columns.endUs, last) - at(columns.startUs, head);
    if (!Number.isNaN(us)) {
      const isProbe = (at(columns.marks, last) & ERA_PROBE) !== 0;
      this.histogram.add(Math.max(0, us), !isProbe && IS_FAILURE[at(columns.outcome, last)] === true);
    }
  }
}
