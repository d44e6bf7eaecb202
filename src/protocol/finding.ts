import type { TextArgs } from '../base/text.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';
export type Confidence = 'high' | 'medium' | 'low';

/** A stretch of source; lines and columns 0-based, columns in UTF-16 code units, the end exclusive. */
export interface SourceRange {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface TextEdit {
  readonly range: SourceRange;
  readonly newText: string;
}

/** One way to mend a finding. `safe`: on the wire only the error flag changes. Edits do not overlap. */
export interface Fix {
  /** Names a title in `protocol/texts.ts`. */
  readonly title: string;
  readonly args: TextArgs;
  readonly isSafe: boolean;
  readonly isPreferred: boolean;
  readonly edits: readonly TextEdit[];
}

export interface Finding {
  readonly rule: string;
  readonly name: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly range: SourceRange;
  /** Names a sentence in `protocol/texts.ts`. */
  readonly message: string;
  readonly args: TextArgs;
  readonly tools: readonly string[];
  /** SDK family and generation, for example `py-fastmcp-v1`; `unknown` when the file does not tell. */
  readonly sdk: string;
  readonly fixes: readonly Fix[];
}
