import { at, type Columns } from './columns.ts';
import type { RowFilter } from './rowFilter.ts';

/**
 * What a filter says of every row, found a part at a time, so that a million rows need not hold up the host. Rows that
 * change meanwhile are told by `touch`; `restart` when rows have moved between chains.
 */
export class FilterScan {
  readonly filter: RowFilter;
  private readonly columns: Columns;
  /** Of rows below `done`: 1 for a head that passes. */
  private passed = new Uint8Array(0);
  private done = 0;

  constructor(filter: RowFilter, columns: Columns) {
    this.filter = filter;
    this.columns = columns;
  }

  /** Tests at most `rows` more; true when none is left for now. */
  step(rows: number): boolean {
    const { columns, filter } = this;
    if (this.passed.length < columns.length) {
      const larger = new Uint8Array(columns.key.length);
      larger.set(this.passed);
      this.passed = larger;
    }
    const end = Math.min(columns.length, this.done + rows);
    for (let row = this.done; row < end; row++) {
      this.passed[row] = at(columns.head, row) === row && filter.shows(row) ? 1 : 0;
    }
    this.done = end;
    return end === columns.length;
  }

  /** A chain has changed. */
  touch(head: number): void {
    if (head < this.done) {
      this.passed[head] = this.filter.shows(head) ? 1 : 0;
    }
  }

  restart(): void {
    this.done = 0;
  }

  /** Of a head, once all rows are tested. */
  passes(head: number): boolean {
    return this.passed[head] === 1;
  }
}
