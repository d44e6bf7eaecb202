import type { TextArgs } from '../../base/text.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';

/** How a call ended, over all its attempts. */
export interface CallEnd {
  readonly outcome: OutcomeKind | undefined;
  /** Number of the attempt that ended it. */
  readonly attempts: number;
  /** From the first attempt's start to the end, waits included. */
  readonly timeMs: number;
}

/**
 * One sentence on how the end of a call differs from that of another: a code of `protocol/texts.ts`, in whose arguments
 * `before` and `after` are outcome kinds, to be put into words by whoever shows it.
 */
export function outcomeChange(before: CallEnd, after: CallEnd): { readonly code: string; readonly args: TextArgs } {
  const seconds = (Math.max(0, after.timeMs) / 1000).toFixed(1);
  const isRetried = after.attempts > 1;
  const change = before.outcome === after.outcome ? 'same' : 'changed';
  return {
    code: `diff.${change}${isRetried ? 'OnAttempt' : ''}`,
    args: {
      before: before.outcome ?? 'pending',
      after: after.outcome ?? 'pending',
      attempt: after.attempts,
      seconds,
    },
  };
}
