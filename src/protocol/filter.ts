import type { OutcomeKind } from './outcome.ts';

/** What is wrong with the filter text, and where, in UTF-16 code units; the length is 0 where something is missing. */
export interface FilterProblem {
  readonly message: string;
  readonly offset: number;
  readonly length: number;
}

/** What may stand at the cursor of the filter. */
export interface CompletionView {
  readonly kind: 'key' | 'value' | 'keyword' | 'saved';
  readonly label: string;
  /** What it is about, or how many rows have it; may be empty. */
  readonly detail: string;
  /** Takes the place of the text from `from` to `to`; the cursor goes behind it. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  /** Of a saved filter: the toggles that go with it. */
  readonly hiddenOutcomes?: readonly OutcomeKind[];
}

/** The filter bar's own strings. */
export interface FilterStrings {
  readonly completions: string;
  readonly clear: string;
  readonly saved: string;
  /** While messages are searched for a text. */
  readonly searching: string;
}
