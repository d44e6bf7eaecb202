import { FAILURE_KINDS, MARKS, OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import type { OutcomeCounts } from '../../protocol/webview.ts';
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

interface Counting {
  readonly server: string;
  readonly tool: string;
  calls: number;
  readonly outcomes: Uint32Array;
  readonly durationsMs: number[];
  lastFailure: number | undefined;
}

/** Counts calls by server and tool, those first whose newest call is newest. O(rows), without an object a row. */
export function toolTallies({ columns, order, strings }: Records): readonly ToolTally[] {
  const calls = strings.idOf('tools/call');
  const found = new Map<number, Map<number, Counting>>();
  for (let position = order.length - 1; position >= 0; position--) {
    const row = order.at(position);
    if (at(columns.head, row) !== row || at(columns.method, row) !== calls || at(columns.target, row) === 0) {
      continue;
    }
    const server = at(columns.server, row);
    const target = at(columns.target, row);
    const ofServer = found.get(server) ?? new Map<number, Counting>();
    found.set(server, ofServer);
    let counting = ofServer.get(target);
    if (counting === undefined) {
      counting = {
        server: strings.textOf(server),
        tool: strings.textOf(target),
        calls: 0,
        outcomes: new Uint32Array(OUTCOME_KINDS.length),
        durationsMs: [],
        lastFailure: undefined,
      };
      ofServer.set(target, counting);
    }
    count(counting, columns, row);
  }
  return [...found.values()].flatMap((ofServer) => [...ofServer.values()].map(tallyOf));
}

function count(counting: Counting, columns: Columns, row: number): void {
  const last = at(columns.last, row);
  const outcome = at(columns.outcome, last);
  const kind = outcomeAt(outcome);
  counting.calls++;
  if (kind === undefined) {
    return;
  }
  counting.outcomes[outcome] = at(counting.outcomes, outcome) + 1;
  if (counting.lastFailure === undefined && FAILURE_KINDS.has(kind)) {
    counting.lastFailure = at(columns.key, row);
  }
  const durationMs = (at(columns.endUs, last) - at(columns.startUs, last)) / 1000;
  // Only an answer says how long the tool takes: a limit or a person ended the others.
  if (isAnswer(kind) && durationMs >= 0 && counting.durationsMs.length < DURATIONS) {
    counting.durationsMs.push(durationMs);
  }
}

function isAnswer(kind: OutcomeKind): boolean {
  return kind !== 'pending' && kind !== 'timeout' && kind !== 'cancelled' && kind !== 'transport_error';
}

function tallyOf({ server, tool, calls, outcomes, durationsMs, lastFailure }: Counting): ToolTally {
  const counts = Object.fromEntries(
    OUTCOME_KINDS.flatMap((kind, index) => (at(outcomes, index) === 0 ? [] : [[kind, at(outcomes, index)]])),
  );
  const p95Ms = percentile(durationsMs, 0.95);
  return {
    server,
    tool,
    calls,
    outcomes: counts,
    ...(p95Ms === undefined ? {} : { p95Ms }),
    ...(lastFailure === undefined ? {} : { lastFailure }),
  };
}

/** The smallest value that is at least as large as the given share of all (nearest rank); `undefined` of none. */
function percentile(values: readonly number[], share: number): number | undefined {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)];
}

/** How many calls and connections have failed whose end was recorded after `seq`; a chain counts once. O(rows). */
export function failuresAfter({ columns }: Records, seq: number): number {
  let failures = 0;
  for (let row = 0; row < columns.length; row++) {
    const last = at(columns.last, row);
    if (at(columns.head, row) !== row || (at(columns.marks, last) & ERA_PROBE) !== 0) {
      continue;
    }
    const kind = outcomeAt(at(columns.outcome, last));
    const endOffset = at(columns.endOffset, last);
    const endSeq = Math.floor(at(columns.key, last)) + endOffset;
    if (kind !== undefined && FAILURE_KINDS.has(kind) && endSeq > seq) {
      failures++;
    }
  }
  return failures;
}
