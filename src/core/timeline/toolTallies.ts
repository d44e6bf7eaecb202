import { FAILURE_KINDS, MARKS, OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { OutcomeCounts } from '../../protocol/timelineViews.ts';
import { at, type Columns, outcomeAt } from './columns.ts';
import type { Records } from './records.ts';

/** What became of the calls of one tool of one server. A chain of attempts is one call, and its last attempt its outcome. */
export interface ToolTally {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly outcomes: OutcomeCounts;
  /**
   * The time within which 95 of 100 of the newest calls were answered, in ms, over at most `DURATIONS` of them; absent while
   * none was.
   */
  readonly p95Ms?: number;
  /** Key of the newest call that failed; absent when none did. */
  readonly lastFailure?: number;
}

/** Calls of a tool whose durations are looked at, from the newest on. */
export const DURATIONS = 1000;

const ERA_PROBE = 1 << MARKS.indexOf('era_probe');

/** A tool of a server, by the numbers of their names. */
interface Counting {
  readonly server: number;
  readonly target: number;
  readonly outcomes: Uint32Array;
  calls: number;
  /** Heads in the order in which they came; some may have become attempts of others since. */
  readonly rows: number[];
  newestRow: number;
  /** Made when it is asked for, and again after a change. */
  tally: ToolTally | undefined;
}

/**
 * Counts calls by tool, and keeps the failures at hand. It is told of each chain that comes, goes or changes, so that a call
 * costs as much with a million others as with none.
 */
export class ToolTallies {
  private readonly records: Records;
  private readonly countings = new Map<number, Counting>();
  /** Heads of the chains that have failed. */
  private readonly failed = new Set<number>();
  private callsId: number | undefined;

  constructor(records: Records) {
    this.records = records;
  }

  /** Takes a chain in as it is now, or out as it was. */
  note(head: number, sign: 1 | -1): void {
    const { columns } = this.records;
    const last = at(columns.last, head);
    const outcome = at(columns.outcome, last);
    const kind = outcomeAt(outcome);
    if (kind !== undefined && FAILURE_KINDS.has(kind) && (at(columns.marks, last) & ERA_PROBE) === 0) {
      if (sign === 1) {
        this.failed.add(head);
      } else {
        this.failed.delete(head);
      }
    }
    const counting = this.countingOf(head);
    if (counting === undefined) {
      return;
    }
    counting.tally = undefined;
    counting.calls += sign;
    if (kind !== undefined) {
      counting.outcomes[outcome] = at(counting.outcomes, outcome) + sign;
    }
    if (sign === 1 && head > counting.newestRow) {
      counting.newestRow = head;
      counting.rows.push(head);
    }
  }

  /** Every tool that was called, the one called last first. O(tools), and for each that has changed O(its calls) at worst. */
  all(): readonly ToolTally[] {
    return [...this.countings.values()]
      .filter(({ calls }) => calls > 0)
      .sort((a, b) => b.newestRow - a.newestRow)
      .map((counting) => {
        counting.tally ??= this.tallyOf(counting);
        return counting.tally;
      });
  }

  /** Failures whose end was recorded after `seq`; a chain counts once. O(failures). */
  failuresAfter(seq: number): number {
    const { columns } = this.records;
    let count = 0;
    for (const head of this.failed) {
      const last = at(columns.last, head);
      count += Math.floor(at(columns.key, last)) + at(columns.endOffset, last) > seq ? 1 : 0;
    }
    return count;
  }

  private countingOf(head: number): Counting | undefined {
    const { columns, strings } = this.records;
    const method = at(columns.method, head);
    const target = at(columns.target, head);
    if (this.callsId === undefined && strings.textOf(method) === 'tools/call') {
      this.callsId = method;
    }
    if (method !== this.callsId || target === 0) {
      return undefined;
    }
    const server = at(columns.server, head);
    // Both are numbers of names, far below the 2^21 of which this makes distinct ones.
    const id = server * 2 ** 32 + target;
    let counting = this.countings.get(id);
    if (counting === undefined) {
      const outcomes = new Uint32Array(OUTCOME_KINDS.length);
      counting = { server, target, outcomes, calls: 0, rows: [], newestRow: -1, tally: undefined };
      this.countings.set(id, counting);
    }
    return counting;
  }

  private tallyOf({ server, target, calls, outcomes, rows }: Counting): ToolTally {
    const { columns, strings } = this.records;
    const durationsMs: number[] = [];
    let lastFailure: number | undefined;
    const hasFailed = OUTCOME_KINDS.some((kind, index) => FAILURE_KINDS.has(kind) && at(outcomes, index) > 0);
    for (let index = rows.length - 1; index >= 0; index--) {
      const row = rows[index] as number;
      if (durationsMs.length === DURATIONS && (lastFailure !== undefined || !hasFailed)) {
        break;
      }
      if (at(columns.head, row) !== row) {
        continue;
      }
      if (lastFailure === undefined && this.failed.has(row)) {
        lastFailure = at(columns.key, row);
      }
      const durationMs = answeredMs(columns, row);
      if (durationMs !== undefined && durationsMs.length < DURATIONS) {
        durationsMs.push(durationMs);
      }
    }
    const p95Ms = percentile(durationsMs, 0.95);
    return {
      server: strings.textOf(server),
      tool: strings.textOf(target),
      calls,
      outcomes: outcomesOf(outcomes),
      ...(p95Ms === undefined ? {} : { p95Ms }),
      ...(lastFailure === undefined ? {} : { lastFailure }),
    };
  }
}

/** Counts by the number of the outcome as counts by its name, without those that are 0. */
export function outcomesOf(counts: Uint32Array): OutcomeCounts {
  return Object.fromEntries(
    OUTCOME_KINDS.flatMap((kind, index) => (at(counts, index) === 0 ? [] : [[kind, at(counts, index)]])),
  );
}

/** Counts of outcomes added up. */
export function sumOfOutcomes(counts: readonly OutcomeCounts[]): OutcomeCounts {
  const sum: Partial<Record<OutcomeKind, number>> = {};
  for (const [kind, count] of counts.flatMap((each) => Object.entries(each) as [OutcomeKind, number][])) {
    sum[kind] = (sum[kind] ?? 0) + count;
  }
  return sum;
}

/** What the last attempt of a chain took. Only an answer says how long a tool takes: a limit or a person ended the others. */
function answeredMs(columns: Columns, head: number): number | undefined {
  const last = at(columns.last, head);
  const kind = outcomeAt(at(columns.outcome, last));
  const ms = (at(columns.endUs, last) - at(columns.startUs, last)) / 1000;
  return kind !== undefined && !UNANSWERED.has(kind) && ms >= 0 ? ms : undefined;
}

const UNANSWERED: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>([
  'pending',
  'timeout',
  'cancelled',
  'transport_error',
]);

/** The smallest value that is at least as large as the given share of all (nearest rank); `undefined` of none. */
function percentile(values: readonly number[], share: number): number | undefined {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)];
}
