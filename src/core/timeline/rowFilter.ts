import { OUTCOME_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import { at, type Columns } from './columns.ts';
import type { StringTable } from './stringTable.ts';

/** What a person wants to see: not these outcomes, and only rows with this text in a name. */
export interface FilterSpec {
  readonly hiddenOutcomes: readonly OutcomeKind[];
  /** Sought in server, method and target, without regard to case; empty matches every row. */
  readonly text: string;
}

/** Tests rows in O(1): each distinct name is compared with the text once. */
export class RowFilter {
  readonly spec: FilterSpec;
  private readonly strings: StringTable;
  private readonly isHidden: readonly boolean[];
  private readonly text: string;
  /** By string number. */
  private readonly matches: boolean[] = [];

  constructor(spec: FilterSpec, strings: StringTable) {
    this.spec = spec;
    this.strings = strings;
    this.isHidden = OUTCOME_KINDS.map((kind) => spec.hiddenOutcomes.includes(kind));
    this.text = spec.text.trim().toLowerCase();
  }

  /** Is this chain, or row that stands alone, to be shown? It is judged by the last attempt's outcome. */
  shows(columns: Columns, head: number): boolean {
    if (this.isHidden[at(columns.outcome, at(columns.last, head))] === true) {
      return false;
    }
    return (
      this.text === '' ||
      this.has(at(columns.method, head)) ||
      this.has(at(columns.target, head)) ||
      this.has(at(columns.server, head))
    );
  }

  private has(id: number): boolean {
    let isMatch = this.matches[id];
    if (isMatch === undefined) {
      isMatch = this.strings.textOf(id).toLowerCase().includes(this.text);
      this.matches[id] = isMatch;
    }
    return isMatch;
  }
}
