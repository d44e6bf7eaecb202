import { MARKS, OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { OverviewCell, OverviewSegment } from '../../protocol/timelineViews.ts';
import { at, type Columns } from './columns.ts';
import { ActivityRuns, BucketFinder, segmentsOf } from './overviewSegments.ts';
import type { Records } from './records.ts';

/** Slots of a bucket: one an outcome, and one for rows that have none or whose refusal is an answer. */
const OTHERS = OUTCOME_KINDS.length;
const SLOTS = OTHERS + 1;

const ERA_PROBE = 1 << MARKS.indexOf('era_probe');

/** The rows of one server on the axis of all. `server` is its id. */
export interface OverviewLane {
  readonly server: string;
  readonly cells: readonly OverviewCell[];
}

/** Chains by the time at which they began, for a strip of `buckets` bars at most. */
export interface Overview {
  readonly segments: readonly OverviewSegment[];
  /** Buckets that have rows, ascending. */
  readonly cells: readonly OverviewCell[];
  /** Servers that have rows, in the order of their first one; absent when they were not asked for. */
  readonly lanes: readonly OverviewLane[] | undefined;
}

export interface OverviewInput {
  /** At least 1. */
  readonly buckets: number;
  readonly isByServer: boolean;
  /** Flag of the rows that count. */
  readonly flag: number;
}

/**
 * Counts rows for an overview: once over all of them to see when there was anything, once more to count. In steps, so that a
 * million rows need not be one task; rows that come meanwhile may or may not be in it.
 */
export class OverviewScan {
  private readonly records: Records;
  private readonly input: OverviewInput;
  private readonly runs = new ActivityRuns();
  private position = 0;
  private counting:
    | { readonly segments: readonly OverviewSegment[]; readonly buckets: number; readonly finder: BucketFinder }
    | undefined;
  private all: Uint32Array = new Uint32Array(0);
  /** By number of the server's name, in the order of their first row. */
  private readonly lanes = new Map<number, Uint32Array>();

  constructor(records: Records, input: OverviewInput) {
    this.records = records;
    this.input = input;
  }

  /** Looks at `rows` rows more; true when there is nothing more to look at. */
  step(rows: number): boolean {
    const { order } = this.records;
    const end = Math.min(order.length, this.position + rows);
    if (this.counting === undefined) {
      this.findRuns(end);
      if (this.position >= order.length) {
        const segments = segmentsOf(this.runs, this.input.buckets);
        const buckets = segments.reduce((sum, { count }) => sum + count, 0);
        this.counting = { segments, buckets, finder: new BucketFinder(segments) };
        this.all = new Uint32Array(buckets * SLOTS);
        this.position = 0;
      }
      return false;
    }
    this.count(end, this.counting.finder, this.counting.buckets);
    return this.position >= order.length;
  }

  /** What was counted so far; all of it when `step` has returned true. */
  result(): Overview {
    const { strings } = this.records;
    return {
      segments: this.counting?.segments ?? [],
      cells: cellsOf(this.all),
      lanes: this.input.isByServer
        ? [...this.lanes].map(([server, counts]) => ({ server: strings.textOf(server), cells: cellsOf(counts) }))
        : undefined,
    };
  }

  private findRuns(end: number): void {
    const { columns, order } = this.records;
    const { flag } = this.input;
    for (; this.position < end; this.position++) {
      const row = order.at(this.position);
      if (counts(columns, row, flag)) {
        this.runs.add(at(columns.startUs, row));
      }
    }
  }

  private count(end: number, finder: BucketFinder, buckets: number): void {
    const { columns, order } = this.records;
    const { flag, isByServer } = this.input;
    for (; this.position < end; this.position++) {
      const row = order.at(this.position);
      if (!counts(columns, row, flag)) {
        continue;
      }
      const bucket = finder.bucketOf(at(columns.startUs, row));
      if (bucket < 0) {
        continue;
      }
      const slot = bucket * SLOTS + slotOf(columns, row);
      this.all[slot] = at(this.all, slot) + 1;
      if (isByServer) {
        const lane = this.laneOf(at(columns.server, row), buckets);
        lane[slot] = at(lane, slot) + 1;
      }
    }
  }

  private laneOf(server: number, buckets: number): Uint32Array {
    let lane = this.lanes.get(server);
    if (lane === undefined) {
      lane = new Uint32Array(buckets * SLOTS);
      this.lanes.set(server, lane);
    }
    return lane;
  }
}

/** A chain counts once, by its head, and only when the head bears the flag. */
function counts(columns: Columns, row: number, flag: number): boolean {
  return (at(columns.flags, row) & flag) !== 0 && at(columns.head, row) === row;
}

/** A chain is judged by its last attempt; a refused question about the era is an answer, not a failure. */
function slotOf(columns: Columns, head: number): number {
  const last = at(columns.last, head);
  return (at(columns.marks, last) & ERA_PROBE) !== 0 ? OTHERS : Math.min(at(columns.outcome, last), OTHERS);
}

function cellsOf(slots: Uint32Array): OverviewCell[] {
  const cells: OverviewCell[] = [];
  for (let bucket = 0; bucket * SLOTS < slots.length; bucket++) {
    const values = slots.subarray(bucket * SLOTS, (bucket + 1) * SLOTS);
    if (values.some((value) => value > 0)) {
      const found: Partial<Record<OutcomeKind, number>> = {};
      OUTCOME_KINDS.forEach((kind, index) => {
        const value = at(values, index);
        if (value > 0) {
          found[kind] = value;
        }
      });
      cells.push({ bucket, counts: found, others: at(values, OTHERS) });
    }
  }
  return cells;
}
