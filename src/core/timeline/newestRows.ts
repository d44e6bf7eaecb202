import { at } from './columns.ts';
import type { Records } from './records.ts';
import type { RowTest } from './rowFilter.ts';
import type { TimelineRow } from './timelineRow.ts';

/** A part of a look back over the rows. `next`: where the next part begins; absent when all have been looked at or enough found. */
export interface NewestRows {
  readonly found: readonly TimelineRow[];
  readonly next: number | undefined;
}

/**
 * Chains and rows that stand alone and pass a test, the newest first, whatever the timeline shows. Looks at no more than
 * `atMost` rows from the position `from` on, which is the newest when absent, and ends when `limit` have been found.
 */
export function newestRows(
  records: Records,
  test: RowTest,
  { from, atMost, limit }: { readonly from: number | undefined; readonly atMost: number; readonly limit: number },
): NewestRows {
  const found: TimelineRow[] = [];
  let position = Math.min(from ?? records.order.length - 1, records.order.length - 1);
  for (let looked = 0; looked < atMost && position >= 0 && found.length < limit; looked++, position--) {
    const row = records.order.at(position);
    if (at(records.columns.head, row) === row && test(row)) {
      found.push(records.view(row));
    }
  }
  return { found, next: position < 0 || found.length >= limit ? undefined : position };
}
