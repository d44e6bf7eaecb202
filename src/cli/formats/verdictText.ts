import { assertNever } from '../../base/assertNever.ts';
import { safeLine } from '../../base/safeText.ts';
import { formatText } from '../../base/text.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { OutcomeKind, RetryClass, Verdict } from '../../protocol/outcome.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';
import { TEXTS } from '../../protocol/texts.ts';
import type { TextStyle } from '../terminal.ts';

export type Style = (style: TextStyle, text: string) => string;

/** Longest sentence, in UTF-16 code units: arguments may quote the server at any length. */
const maxSentence = 400;
const maxMissing = 20;

const retryAdvice: Readonly<Record<RetryClass, string>> = {
  never: 'never: there is nothing to be gained by sending the same request again',
  safe: 'safe: the request was not executed',
  only_if_idempotent: 'only if it is idempotent: it may have been executed',
  after_fix: 'after a fix: it fails the same way until something is changed',
};

/** An outcome in words and in its colour; the word alone is enough. */
export function outcomeText(kind: OutcomeKind, partial: Verdict['partial'], style: Style): string {
  const words = kind.replaceAll('_', ' ');
  const counted =
    partial?.done === undefined || partial.total === undefined ? words : `${words} ${partial.done}/${partial.total}`;
  return style(outcomeStyle(kind), counted);
}

function outcomeStyle(kind: OutcomeKind): TextStyle {
  switch (kind) {
    case 'success':
      return 'green';
    case 'silent_error':
      return 'magenta';
    case 'partial':
    case 'tool_error':
      return 'yellow';
    case 'input_required':
    case 'task_pending':
      return 'blue';
    case 'timeout':
      return 'cyan';
    case 'cancelled':
    case 'pending':
      return 'dim';
    case 'protocol_error':
    case 'transport_error':
    case 'invalid_response':
      return 'red';
    default:
      return assertNever(kind);
  }
}

/** The sentence that a code stands for, fit for a terminal. An unknown code stands for itself. */
export function sentence(code: string, args: Readonly<Record<string, string | number>> = {}): string {
  return safeLine(formatText(TEXTS[code] ?? code, args), maxSentence);
}

/** Why a verdict was given, what is missing, and whether to try again; indented, one line each. */
export function reasonLines(verdict: Verdict, style: Style): readonly string[] {
  const why = verdict.signals.map((signal) => {
    const place = signal.pointer === undefined || signal.pointer === '' ? '' : ` at ${safeLine(signal.pointer, 120)}`;
    return `  why      ${sentence(signal.code, signal.args)} ${style('dim', `(${signal.strength}${place})`)}`;
  });
  const { missing = [] } = verdict.partial ?? {};
  const named = missing.slice(0, maxMissing).map((item) => `  missing  ${safeLine(item, 120)}`);
  const more = missing.length > maxMissing ? [`  missing  … and ${missing.length - maxMissing} more`] : [];
  const retry = FAILURE_KINDS.has(verdict.outcome) ? [`  retry    ${retryAdvice[verdict.retry]}`] : [];
  return [...why, ...named, ...more, ...retry];
}

/** The attempts of a call that had more than one, each with the wait before it and its reason; indented, one line each. */
export function attemptLines(call: CallOutcome, style: Style): readonly string[] {
  if (call.attempts.length < 2) {
    return [];
  }
  return call.attempts.map((attempt) => {
    const wait = attempt.delayMs === 0 ? '' : ` after ${Math.round(attempt.delayMs)} ms`;
    const reason = style('dim', sentence(attempt.reason));
    const ended = `${outcomeText(attempt.outcome, undefined, style)} in ${Math.round(attempt.durationMs)} ms`;
    return `  attempt  ${attempt.number}${wait}: ${ended} ${reason}`;
  });
}

/** The verdict that a call ended with. */
export function verdictOf(call: CallOutcome): Verdict {
  const { signals, retry, partial } = call.detail;
  return { outcome: call.kind, retry, signals, ...(partial === undefined ? {} : { partial }) };
}
