import { ROW_KINDS, type RowKind } from '../../protocol/exchange.ts';
import { MARKS, type Mark, type OutcomeKind } from '../../protocol/outcome.ts';
import type { RowView } from '../../protocol/timelineViews.ts';
import { at, type Columns, EXPANDED, FROM_SERVER, HAS_CHAIN, marksOf, NONE, outcomeAt } from './columns.ts';
import type { StringTable } from './stringTable.ts';

/**
 * A row as numbers and names; the host makes sentences of them. A chain head speaks for its chain: the last attempt's
 * outcome, end and attempt number, the bytes of all and the marks of all.
 */
export interface TimelineRow {
  /** `seq` of the request; its negative for a head's own first attempt, shown under the head that has the key. */
  readonly key: number;
  readonly kind: RowKind;
  /** 1 for an attempt that is shown under the head of its chain. */
  readonly depth: 0 | 1;
  readonly isExpandable: boolean;
  readonly isExpanded: boolean;
  /** Wall time, µs; the end is absent while pending. */
  readonly startUs: number;
  readonly endUs: number | undefined;
  readonly server: string;
  readonly connection: string;
  readonly method: string;
  readonly target: string | undefined;
  readonly initiator: 'client' | 'server';
  readonly outcome: OutcomeKind | undefined;
  readonly marks: readonly Mark[];
  readonly bytes: number;
  readonly attempt: { readonly number: number; readonly of: number } | undefined;
  /** Key of the chain's head; the row's own when it is the head or stands alone. */
  readonly headKey: number;
  /** Key of the attempt whose outcome and end the row shows: the chain's last one for a head, else its own. */
  readonly endKey: number;
  /** Of a head with more than one attempt. The last has a duration of 0 while it is pending. */
  readonly segments: RowView['segments'];
  readonly firstSeq: number;
  /** Highest `seq` that belongs to the row. */
  readonly lastSeq: number;
  /** `seq` of the answer or local end; absent while pending. */
  readonly endSeq: number | undefined;
  readonly replayOf: number | undefined;
}

const RETRIED = 1 << MARKS.indexOf('retried');

/** The row as it is shown at its place: a head for its chain unless `isAttempt`, any other for itself. O(attempts). */
export function timelineRow(
  columns: Columns,
  strings: StringTable,
  row: number,
  replayOf: number | undefined,
  isAttempt = false,
): TimelineRow {
  const head = at(columns.head, row);
  const isHead = head === row && !isAttempt;
  const end = isHead ? at(columns.last, row) : row;
  const isExpandable = end !== row;
  const text = (column: Uint32Array) => strings.textOf(at(column, row));
  let [bytes, marks, lastSeq] = [0, isExpandable ? RETRIED : 0, 0];
  for (let each = row; each !== NONE; each = isHead ? at(columns.next, each) : NONE) {
    bytes += at(columns.bytes, each);
    marks |= at(columns.marks, each);
    lastSeq = Math.max(lastSeq, Math.floor(at(columns.key, each)) + at(columns.lastOffset, each));
  }
  const endOffset = at(columns.endOffset, end);
  return {
    key: head === row && isAttempt ? -at(columns.key, row) : at(columns.key, row),
    kind: ROW_KINDS[at(columns.kind, row)] ?? 'note',
    depth: isHead ? 0 : 1,
    isExpandable,
    isExpanded: isExpandable && columns.has(row, EXPANDED),
    startUs: at(columns.startUs, row),
    endUs: endOf(columns, end),
    server: text(columns.server),
    connection: text(columns.connection),
    method: text(columns.method),
    target: at(columns.target, row) === 0 ? undefined : text(columns.target),
    initiator: columns.has(row, FROM_SERVER) ? 'server' : 'client',
    outcome: outcomeAt(at(columns.outcome, end)),
    marks: marksOf(marks),
    bytes,
    attempt: columns.has(end, HAS_CHAIN)
      ? { number: at(columns.attempt, end), of: at(columns.maxAttempts, end) }
      : undefined,
    headKey: at(columns.key, head),
    endKey: at(columns.key, end),
    segments: isExpandable ? segmentsOf(columns, row) : undefined,
    firstSeq: Math.floor(at(columns.key, row)),
    lastSeq,
    endSeq: endOffset === 0 ? undefined : Math.floor(at(columns.key, end)) + endOffset,
    replayOf,
  };
}

/** The attempts of a chain and the waits between them, as offsets from the head's start. */
function segmentsOf(columns: Columns, head: number): NonNullable<RowView['segments']> {
  const originUs = at(columns.startUs, head);
  const segments: Array<NonNullable<RowView['segments']>[number]> = [];
  let freeUs = originUs;
  for (let row = head; row !== NONE; row = at(columns.next, row)) {
    const startUs = at(columns.startUs, row);
    if (row !== head && startUs > freeUs) {
      segments.push({ kind: 'gap', startUs: freeUs - originUs, durationUs: startUs - freeUs });
    }
    const endUs = endOf(columns, row) ?? startUs;
    const outcome = outcomeAt(at(columns.outcome, row));
    const times = { startUs: startUs - originUs, durationUs: endUs - startUs };
    segments.push({ kind: 'attempt', ...(outcome === undefined ? {} : { outcome }), ...times });
    freeUs = endUs;
  }
  return segments;
}

function endOf(columns: Columns, row: number): number | undefined {
  const endUs = at(columns.endUs, row);
  return Number.isNaN(endUs) ? undefined : endUs;
}
