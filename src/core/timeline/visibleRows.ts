import type { OutcomeKind } from '../../protocol/outcome.ts';
import { FAILURE_KINDS, MARKS } from '../../protocol/outcome.ts';
import type { TimeRange } from '../../protocol/timelineViews.ts';
import { at, EXPANDED, isOwnAttempt, NONE, outcomeAt, ownAttempt, PASSES, rowOfEntry, SHOWN } from './columns.ts';
import type { FilterScan } from './filterScan.ts';
import { IndexList } from './indexList.ts';
import type { Records } from './records.ts';
import type { RowFilter } from './rowFilter.ts';

/** How a chain stood before a change, so that only what changed is touched after it. */
export interface Standing {
  readonly isShown: boolean;
  readonly startUs: number;
  readonly endUs: number;
}

/** A row and where it is among those that are shown. */
export interface FoundRow {
  readonly key: number;
  readonly index: number;
}

const NO_ROWS: readonly number[] = [];

const ERA_PROBE = 1 << MARKS.indexOf('era_probe');

/**
 * The rows that are shown, in order: heads by key, each followed by its attempts while it is expanded. An entry is a row,
 * or a head's own first attempt (`ownAttempt`). Kept up to date change by change; `rebuild` does the same from nothing.
 */
export class VisibleRows {
  /** Grows whenever a row that was shown before gets another index. */
  epoch = 0;
  private readonly records: Records;
  private readonly list = new IndexList();
  private filter: RowFilter;
  private fromUs = Number.NEGATIVE_INFINITY;
  private toUs = Number.POSITIVE_INFINITY;
  /** Of the shown rows; `undefined` when it has to be found anew. */
  private extent: { fromUs: number; toUs: number } | undefined;
  /** Elements that changes in the middle have moved since the last `rebuild` or `settle`. */
  private moved = 0;

  constructor(records: Records, filter: RowFilter) {
    this.records = records;
    this.filter = filter;
  }

  get length(): number {
    return this.list.length;
  }

  get byteLength(): number {
    return this.list.byteLength;
  }

  get hiddenOutcomes(): readonly OutcomeKind[] {
    return this.filter.spec.hiddenOutcomes;
  }

  /** Would it be cheaper to rebuild than to go on changing row by row? */
  get isRebuildDue(): boolean {
    return this.moved > 4 * this.list.length + 4096;
  }

  /** The entry at an index: see `rowOfEntry`. */
  entryAt(index: number): number {
    return this.list.at(index);
  }

  /** Shows what the filter lets pass, which `scan` has found of every row. */
  setFilter(filter: RowFilter, scan: FilterScan): void {
    this.filter = filter;
    if (this.takes(scan)) {
      this.relist();
    }
  }

  /** Shows only what began in a time or ran into it; the filter is not asked again. */
  setRange(range: TimeRange | undefined): void {
    this.fromUs = range?.fromUs ?? Number.NEGATIVE_INFINITY;
    this.toUs = range?.toUs ?? Number.POSITIVE_INFINITY;
    this.relist();
  }

  /** Lists everything anew. */
  rebuild(): void {
    const { columns, order } = this.records;
    for (let position = 0; position < order.length; position++) {
      const row = order.at(position);
      if (at(columns.head, row) === row) {
        columns.setFlag(row, PASSES, this.filter.shows(row));
      }
    }
    this.relist();
  }

  private relist(): void {
    const { columns, order } = this.records;
    this.list.clear();
    this.extent = undefined;
    this.moved = 0;
    this.epoch++;
    for (let position = 0; position < order.length; position++) {
      const row = order.at(position);
      if (at(columns.head, row) === row) {
        const isShown = columns.has(row, PASSES) && this.isInRange(row);
        columns.setFlag(row, SHOWN, isShown);
        if (isShown) {
          this.list.push(row);
          this.list.insert(this.list.length, this.attemptsShown(row));
        }
      }
    }
  }

  /** Ends a round of changes. */
  settle(): void {
    this.moved = 0;
  }

  standingOf(head: number): Standing {
    const { columns } = this.records;
    return { isShown: columns.has(head, SHOWN), startUs: at(columns.startUs, head), endUs: this.endOf(head) };
  }

  /** Takes in a chain that is new. */
  show(head: number): void {
    this.update(head, { isShown: false, startUs: 0, endUs: 0 }, NONE);
  }

  /** Takes in that a chain has changed; `added` is an attempt that it has got, or `NONE`. */
  update(head: number, before: Standing, added: number): void {
    const { columns } = this.records;
    const passes = this.filter.shows(head);
    const isShown = passes && this.isInRange(head);
    columns.setFlag(head, PASSES, passes);
    columns.setFlag(head, SHOWN, isShown);
    if (isShown && !before.isShown) {
      this.insertAt(this.positionOf(head), [head, ...this.attemptsShown(head)]);
      this.extend(head);
    } else if (!isShown && before.isShown) {
      this.removeChain(head);
      this.shrink(before);
    } else if (isShown) {
      if (added !== NONE && columns.has(head, EXPANDED)) {
        // The second attempt brings the first with it.
        const rows = at(columns.next, head) === added ? [ownAttempt(head), added] : [added];
        this.insertAt(this.positionOf(rows[0] ?? added), rows);
      }
      if (this.endOf(head) < before.endUs || at(columns.startUs, head) > before.startUs) {
        this.shrink(before);
      }
      this.extend(head);
    }
  }

  /** Shows or folds the attempts of a chain whose flag has just changed. */
  toggle(head: number): void {
    const { columns } = this.records;
    if (!columns.has(head, SHOWN)) {
      return;
    }
    if (columns.has(head, EXPANDED)) {
      const attempts = this.attemptsShown(head);
      this.insertAt(this.positionOf(head) + 1, attempts);
    } else {
      this.removeAt(this.positionOf(head) + 1, this.records.chainOf(head).length);
    }
  }

  /** Where the entry is, or would be if it were shown. */
  positionOf(entry: number): number {
    const headKey = this.headKeyOf(entry);
    const rank = this.rankOf(entry);
    return this.list.search((other) => {
      const otherHeadKey = this.headKeyOf(other);
      return otherHeadKey < headKey || (otherHeadKey === headKey && this.rankOf(other) < rank);
    });
  }

  /** The index of the entry; -1 when it is not shown. */
  indexOf(entry: number): number {
    const position = this.positionOf(entry);
    return position < this.list.length && this.list.at(position) === entry ? position : -1;
  }

  /**
   * The index of the next chain that failed, from `position` on in the direction and round the end; -1 when none has.
   * Attempts under an expanded head are passed over: the head speaks for them.
   */
  failureFrom(position: number, direction: 1 | -1): number {
    const { columns } = this.records;
    const count = this.list.length;
    for (let step = 0; step < count; step++) {
      const index = (((position + step * direction) % count) + count) % count;
      const row = this.list.at(index);
      if (!isOwnAttempt(row) && at(columns.head, row) === row && this.hasFailed(row)) {
        return index;
      }
    }
    return -1;
  }

  /**
   * The index of the chain to jump to for a time: the first failure that began in it, else the first chain, else the one that
   * began nearest; -1 when nothing is shown. `server`: number of its name; only its chains count. O(shown).
   */
  indexNear(fromUs: number, toUs: number, server: number | undefined): number {
    const { columns } = this.records;
    let [found, nearest] = [-1, Number.POSITIVE_INFINITY];
    for (let index = 0; index < this.list.length; index++) {
      const row = this.list.at(index);
      const isHead = !isOwnAttempt(row) && at(columns.head, row) === row;
      if (!isHead || (server !== undefined && at(columns.server, row) !== server)) {
        continue;
      }
      const startUs = at(columns.startUs, row);
      const isIn = startUs >= fromUs && startUs < toUs;
      if (isIn && this.hasFailed(row)) {
        return index;
      }
      const distance = isIn ? -1 : Math.abs(startUs - (fromUs + toUs) / 2);
      if (distance < nearest) {
        [found, nearest] = [index, distance];
      }
    }
    return found;
  }

  /** From the first start to the last end of what is shown; a pending row counts with its start. */
  span(): { readonly fromUs: number; readonly toUs: number } {
    if (this.list.length === 0) {
      return { fromUs: 0, toUs: 0 };
    }
    if (this.extent === undefined) {
      this.extent = { fromUs: Number.POSITIVE_INFINITY, toUs: Number.NEGATIVE_INFINITY };
      const { columns } = this.records;
      for (let index = 0; index < this.list.length; index++) {
        const row = this.list.at(index);
        if (!isOwnAttempt(row) && at(columns.head, row) === row) {
          this.extend(row);
        }
      }
    }
    return { ...this.extent };
  }

  private isInRange(head: number): boolean {
    const startUs = at(this.records.columns.startUs, head);
    return startUs < this.toUs && (startUs >= this.fromUs || this.runsUntil(head) > this.fromUs);
  }

  /** When the chain ended; a request that waits still goes on without end. */
  private runsUntil(head: number): number {
    const { columns } = this.records;
    const isWaiting = outcomeAt(at(columns.outcome, at(columns.last, head))) === 'pending';
    return isWaiting ? Number.POSITIVE_INFINITY : this.endOf(head);
  }

  private hasFailed(head: number): boolean {
    const { columns } = this.records;
    const last = at(columns.last, head);
    const outcome = outcomeAt(at(columns.outcome, last));
    return outcome !== undefined && FAILURE_KINDS.has(outcome) && (at(columns.marks, last) & ERA_PROBE) === 0;
  }

  /** Notes what passes; false when that is what passed before: a time that moves on mostly changes nothing. */
  private takes(scan: FilterScan): boolean {
    const { columns } = this.records;
    let isChanged = false;
    for (let row = 0; row < columns.length; row++) {
      if (at(columns.head, row) === row && scan.passes(row) !== columns.has(row, PASSES)) {
        columns.setFlag(row, PASSES, scan.passes(row));
        isChanged = true;
      }
    }
    return isChanged;
  }

  private attemptsShown(head: number): readonly number[] {
    if (!this.records.columns.has(head, EXPANDED)) {
      return NO_ROWS;
    }
    const others = this.records.chainOf(head).slice(1);
    return others.length === 0 ? NO_ROWS : [ownAttempt(head), ...others];
  }

  private headKeyOf(entry: number): number {
    const { columns } = this.records;
    return at(columns.key, at(columns.head, rowOfEntry(entry)));
  }

  /** Place within its chain: the head, then the attempts by key. */
  private rankOf(entry: number): number {
    const { columns } = this.records;
    const row = rowOfEntry(entry);
    return !isOwnAttempt(entry) && at(columns.head, row) === row ? 0 : at(columns.key, row);
  }

  private removeChain(head: number): void {
    const { columns } = this.records;
    const position = this.positionOf(head);
    let count = 1;
    while (
      position + count < this.list.length &&
      at(columns.head, rowOfEntry(this.list.at(position + count))) === head
    ) {
      count++;
    }
    this.removeAt(position, count);
  }

  private insertAt(position: number, rows: readonly number[]): void {
    this.note(this.list.length - position);
    this.list.insert(position, rows);
  }

  private removeAt(position: number, count: number): void {
    this.list.remove(position, count);
    this.note(Math.max(1, this.list.length - position));
  }

  /** Rows that moved got other indices, and so did a tail that is gone: its indices will be given again. */
  private note(moved: number): void {
    if (moved > 0) {
      this.moved += moved;
      this.epoch++;
    }
  }

  /** When the whole chain ended, or began when it has not. */
  private endOf(head: number): number {
    const { columns } = this.records;
    let end = at(columns.startUs, head);
    for (let row = head; row !== NONE; row = at(columns.next, row)) {
      const endUs = at(columns.endUs, row);
      end = Math.max(end, Number.isNaN(endUs) ? at(columns.startUs, row) : endUs);
    }
    return end;
  }

  private extend(head: number): void {
    if (this.extent !== undefined) {
      this.extent.fromUs = Math.min(this.extent.fromUs, at(this.records.columns.startUs, head));
      this.extent.toUs = Math.max(this.extent.toUs, this.endOf(head));
    }
  }

  /** What is gone may have been the first or the last; only then everything has to be looked at again. */
  private shrink(before: Standing): void {
    if (this.extent !== undefined && (before.startUs <= this.extent.fromUs || before.endUs >= this.extent.toUs)) {
      this.extent = undefined;
    }
  }
}
