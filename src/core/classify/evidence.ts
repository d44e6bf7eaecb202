import type { JudgedRequest } from '../../protocol/call.ts';
import type { Signal, Verdict } from '../../protocol/outcome.ts';
import type { ResultView } from './resultView.ts';
import type { ToolNature } from './toolNature.ts';

/** One thing in a result without `isError` that speaks for failure or for part of the work missing. */
export interface Evidence {
  readonly says: 'failed' | 'partial';
  readonly signal: Signal;
  /** The words that name the cause, from which the retry class is read. */
  readonly cause: string;
  readonly partial?: NonNullable<Verdict['partial']>;
}

/** What a detector may look at beside the result itself. */
export interface DetectorContext {
  readonly request: JudgedRequest;
  readonly nature: ToolNature;
}

/** Looks for one kind of evidence in a walked result. Pure, linear in the result, never throws. */
export type Detector = (view: ResultView, context: DetectorContext) => readonly Evidence[];
