import type { OutcomeKind } from '../src/protocol/outcome.ts';
import type { OverviewCell } from '../src/protocol/timelineViews.ts';
import { isFailure } from './outcomes.ts';

/** The worst first: by how much of the exchange is broken. Decides a bucket's colour. */
export const WORST_FIRST = [
  'transport_error',
  'protocol_error',
  'invalid_response',
  'timeout',
  'tool_error',
  'silent_error',
  'partial',
  'cancelled',
  'input_required',
  'task_pending',
  'pending',
  'success',
] as const satisfies readonly OutcomeKind[];

/** Rows of a cell. */
export function totalOf({ counts, others }: OverviewCell): number {
  return WORST_FIRST.reduce((sum, kind) => sum + (counts[kind] ?? 0), others);
}

/** Rows of a cell that failed. */
export function failedOf({ counts }: OverviewCell): number {
  return WORST_FIRST.reduce((sum, kind) => sum + (isFailure(kind) ? (counts[kind] ?? 0) : 0), 0);
}

/** The worst failure of a cell, or the worst of what did not fail; `undefined` when there is none. */
export function worstOf({ counts }: OverviewCell, wantsFailure: boolean): OutcomeKind | undefined {
  return WORST_FIRST.find((kind) => isFailure(kind) === wantsFailure && (counts[kind] ?? 0) > 0);
}
