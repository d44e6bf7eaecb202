import * as vscode from 'vscode';
import type { TextArgs } from '../../base/text.ts';
import type { ReplayComparison } from '../../core/replay/replayComparison.ts';
import { boundReplayPolicy } from '../../core/replay/replayPolicy.ts';
import type { ReplayPolicy } from '../../core/resilience/policy.ts';
import type { AttemptBody } from '../../protocol/events.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { say } from '../say.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';
import { outcomesText, timeText } from './policyWords.ts';

const { t } = vscode.l10n;

/** Where a running replay is: its attempt, and the wait or the reason. */
export function attemptText({ number, maxAttempts, decision, delayMs = 0, reason }: AttemptBody): string {
  const place = t('attempt {0} of {1}', number, maxAttempts);
  switch (decision) {
    case 'send':
      return place;
    case 'wait':
      return t('{0}, waiting {1}', place, timeText(delayMs));
    case 'give-up':
    case 'refuse':
    case 'cancel':
      return say(reason);
  }
}

/** How a replay ended beside what was recorded, and in how many parts the answers differ. */
export function comparisonText({ change, diff }: ReplayComparison): string {
  const sentence = say(change.code, named(change.args));
  if (diff.isEquivalent || change.code.startsWith('replay.')) {
    return sentence;
  }
  const count = diff.changes.filter(({ isVolatile }) => !isVolatile).length + diff.omitted;
  return [sentence, count === 1 ? t('1 difference') : t('{0} differences', count)].join(' · ');
}

/** How often a policy may send a call, for a person who is asked whether that is all right. */
export function timesText(policy: ReplayPolicy): string {
  const { maxAttempts, retryOn } = boundReplayPolicy(policy);
  return maxAttempts === 1 || retryOn.length === 0
    ? t('It is sent once.')
    : t('It is sent up to {0} times: again after {1}.', maxAttempts, outcomesText(retryOn));
}

/** The outcomes among the arguments of a sentence by their names. */
function named(args: TextArgs): TextArgs {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      name === 'before' || name === 'after' ? (outcomeNames[value as OutcomeKind] ?? value) : value,
    ]),
  );
}
