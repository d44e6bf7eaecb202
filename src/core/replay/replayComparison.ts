import type { TextArgs } from '../../base/text.ts';
import type { CallOutcome, RawEnd } from '../../protocol/call.ts';
import type { EventBody } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { type CallEnd, outcomeChange } from './outcomeChange.ts';
import { diffResults, type ResultDiff } from './resultDiff.ts';

/**
 * What a replay came to beside what was recorded. `failed`: no request reached the server, or nobody waited for its end, so
 * that nothing can be said.
 */
export type ReplayVerdict = 'better' | 'same' | 'worse' | 'failed';

/** How a call ended that was recorded. */
export interface RecordedEnd extends CallEnd {
  /** The answering message; `undefined` when none came. */
  readonly answer: JsonValue | undefined;
}

/**
 * How a recorded call ended, over its attempts. `exchange`: its last attempt; `headUs`: when the first one began; `answer`: what is
 * recorded under its `endSeq`.
 */
export function recordedEnd(
  { verdict, chain, startUs, endUs }: Pick<Exchange, 'verdict' | 'chain' | 'startUs' | 'endUs'>,
  headUs: number | undefined,
  answer: EventBody | undefined,
): RecordedEnd {
  return {
    outcome: verdict?.outcome,
    attempts: chain?.attempt ?? 1,
    timeMs: endUs === undefined ? 0 : (endUs - (headUs ?? startUs)) / 1000,
    answer: answer?.kind === 'message' || answer?.kind === 'noise' ? jsonOrText(answer.raw) : undefined,
  };
}

export interface ReplayComparison {
  readonly verdict: ReplayVerdict;
  /** One sentence, as `outcomeChange` gives it. */
  readonly change: { readonly code: string; readonly args: TextArgs };
  /** How the answers differ; volatile parts are marked. */
  readonly diff: ResultDiff;
}

/** How bad an end is: equal numbers are as good as each other. A failure that hides is worse than one that says so. */
const BADNESS: Readonly<Record<OutcomeKind, number>> = {
  success: 0,
  input_required: 1,
  task_pending: 1,
  partial: 2,
  tool_error: 3,
  silent_error: 4,
  protocol_error: 5,
  invalid_response: 6,
  timeout: 7,
  transport_error: 7,
  cancelled: 8,
  pending: 8,
};

/** How a replay ended, beside what was recorded. Pure; never throws. */
export function compareReplay(before: RecordedEnd, after: CallOutcome): ReplayComparison {
  const end = endOfCall(after);
  return {
    verdict: isStopped(after) ? 'failed' : verdictOf(before.outcome, after),
    change: changeOf(before, after, end),
    diff: diffResults(before.answer, answerOf(after.detail.end)),
  };
}

/** How a call ended, in the terms of `outcomeChange`: waits included. */
function endOfCall({ kind, attempts }: CallOutcome): CallEnd {
  return {
    outcome: kind,
    attempts: Math.max(1, attempts.length),
    timeMs: attempts.reduce((sum, { delayMs, durationMs }) => sum + delayMs + durationMs, 0),
  };
}

/** The answering message as JSON; the text of one that is none, `undefined` when nothing answered. */
function answerOf(end: RawEnd): JsonValue | undefined {
  if (end.kind !== 'result' && end.kind !== 'error' && end.kind !== 'invalid') {
    return undefined;
  }
  return jsonOrText(end.raw);
}

/** A message as JSON, as the text that it is where it is none. */
export function jsonOrText(raw: string): JsonValue {
  try {
    return JSON.parse(raw) as JsonValue;
  } catch {
    return raw;
  }
}

function changeOf(before: CallEnd, after: CallOutcome, end: CallEnd): ReplayComparison['change'] {
  if (!isStopped(after)) {
    return outcomeChange(before, end);
  }
  return after.attempts.length === 0
    ? { code: 'replay.cancelledUnsent', args: {} }
    : { code: 'replay.cancelled', args: { attempt: after.attempts.length, after: after.kind } };
}

/** A person stopped it: in a wait, or an attempt that was under way. */
function isStopped({ kind, stopped }: CallOutcome): boolean {
  return kind === 'cancelled' || stopped === 'retry.cancelled';
}

function verdictOf(before: OutcomeKind | undefined, after: CallOutcome): ReplayVerdict {
  if (!hasReached(after)) {
    return 'failed';
  }
  const change = BADNESS[after.kind] - BADNESS[before ?? 'pending'];
  return change === 0 ? 'same' : change < 0 ? 'better' : 'worse';
}

/** Reasons by which a request never came to the server. */
const UNREACHED: ReadonlySet<string> = new Set(['spawn-failed', 'refused', 'unresolved', 'tls', 'unavailable']);

function hasReached({ attempts, detail: { end } }: CallOutcome): boolean {
  return attempts.length > 0 && !(end.kind === 'transport' && UNREACHED.has(end.failure.reason));
}
