import { at } from './columns.ts';
import type { RowTable } from './rowFilter.ts';

/** Up to so many rows the ones that are gone are forgotten at once, of more when they are worth the work: a twentieth. */
const FEW_ROWS = 20_000;
const WORTH = 20;

/**
 * A test for the rows whose messages are all gone from the log: those of which the last has a `seq` below `firstSeq`, from which
 * on a session is kept, and all of a session for which it gives none. Not by their times: a clock that was set back has given
 * what is kept earlier ones. `undefined` when there are none, or too few of many to be worth the work. O(rows).
 */
export function goneRows(
  { columns, strings }: RowTable,
  firstSeq: (session: string) => number | undefined,
): ((row: number) => boolean) | undefined {
  const known = new Map<number, number>();
  const keptFrom = (session: number): number => {
    const from = known.get(session) ?? firstSeq(strings.textOf(session)) ?? Number.POSITIVE_INFINITY;
    known.set(session, from);
    return from;
  };
  const isGone = (row: number): boolean => {
    const lastSeq = Math.floor(at(columns.key, row)) + at(columns.lastOffset, row);
    return lastSeq < keptFrom(at(columns.session, row));
  };
  let gone = 0;
  for (let row = 0; row < columns.length; row++) {
    gone += isGone(row) ? 1 : 0;
  }
  const isWorth = columns.length <= FEW_ROWS || gone * WORTH >= columns.length;
  return gone > 0 && isWorth ? isGone : undefined;
}
