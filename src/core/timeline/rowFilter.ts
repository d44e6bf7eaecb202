import { OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import { at, type Columns } from './columns.ts';
import type { StringTable } from './stringTable.ts';

/** The rows as a filter sees them. Both grow; a cleared timeline has new ones. */
export interface RowTable {
  readonly columns: Columns;
  readonly strings: StringTable;
}

/** Does this chain, or row that stands alone, pass? Asked of heads alone, and again when a chain changes. */
export type RowTest = (head: number) => boolean;

/** What a person wants to see: not these outcomes, and only rows that pass the test of the text. */
export interface FilterSpec {
  readonly hiddenOutcomes: readonly OutcomeKind[];
  /** As it was written. */
  readonly text: string;
  /** What the text means (`filter/compile.ts`); every row passes without. */
  readonly bind?: (table: RowTable) => RowTest;
}

/** A filter of one table. */
export class RowFilter {
  readonly spec: FilterSpec;
  private readonly columns: Columns;
  /** By outcome number. */
  private readonly isHidden: readonly boolean[];
  private readonly test: RowTest | undefined;

  constructor(spec: FilterSpec, table: RowTable) {
    this.spec = spec;
    this.columns = table.columns;
    this.isHidden = OUTCOME_KINDS.map((kind) => spec.hiddenOutcomes.includes(kind));
    this.test = spec.bind?.(table);
  }

  /** Is this chain to be shown? Its outcome is that of its last attempt. */
  shows(head: number): boolean {
    const outcome = at(this.columns.outcome, at(this.columns.last, head));
    return this.isHidden[outcome] !== true && (this.test === undefined || this.test(head));
  }
}
