import { assertNever } from '../../../base/assertNever.ts';
import type { TextArgs } from '../../../base/text.ts';
import type { CallOutcome, RawEnd } from '../../../protocol/call.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../protocol/outcome.ts';
import type { Diagnosis } from '../../client/diagnosis/diagnose.ts';
import { type Mismatch, mismatchesOf } from './matchers.ts';
import type { SuiteCase, SuiteExpectation } from './suiteFile.ts';

/** What became of a case. */
export type CaseStatus =
  /** `isKnownBug`: as expected, and what is expected is a tool that hides its failure. */
  | { readonly kind: 'passed'; readonly isKnownBug: boolean }
  | { readonly kind: 'failed'; readonly mismatches: readonly Mismatch[] }
  /** It was not sent, since it may change something; or could not be. `code` names a sentence in `protocol/texts.ts`. */
  | { readonly kind: 'refused' | 'error'; readonly code: string; readonly args: TextArgs }
  | { readonly kind: 'cancelled' };

export interface CaseResult {
  readonly case: SuiteCase;
  /** Place in the file, from 0. */
  readonly index: number;
  /** How many times all cases were run before, from 0. */
  readonly repetition: number;
  readonly status: CaseStatus;
  /** Of all attempts and the waits between them. */
  readonly durationMs: number;
  /** Absent when nothing was sent. */
  readonly outcome?: CallOutcome;
  /** Why there was no answer, where the server is the reason. */
  readonly cause?: Diagnosis;
}

/** Is it what a person must look at? */
export function isFailure({ status }: CaseResult): boolean {
  return status.kind !== 'passed';
}

/** Compares what became of a call with what is expected of it. Pure; never throws. */
export function judgeCase(expect: SuiteExpectation, outcome: CallOutcome, durationMs: number): CaseStatus {
  const { end } = outcome.detail;
  const answer = answerOf(end);
  const mismatches: Mismatch[] = [];
  if (outcome.kind !== expect.outcome) {
    mismatches.push({
      code: isFixed(expect.outcome, outcome.kind) ? 'suite.fixed' : 'suite.otherOutcome',
      args: { expected: expect.outcome, actual: outcome.kind },
      pointer: '',
      expected: expect.outcome,
      actual: outcome.kind,
    });
  } else if (expect.code !== undefined && end.kind === 'error' && end.error.code !== expect.code) {
    mismatches.push({
      code: 'suite.otherCode',
      args: { expected: expect.code, actual: end.error.code },
      pointer: '/code',
      expected: expect.code,
      actual: end.error.code,
    });
  }
  for (const matcher of expect.matches ?? []) {
    mismatches.push(
      ...(answer === undefined
        ? [{ code: 'suite.noAnswer', args: {}, pointer: matcher.at ?? '' }]
        : mismatchesOf(answer, matcher, expect.ignore ?? [])),
    );
  }
  if (expect.maxMs !== undefined && durationMs > expect.maxMs) {
    const args = { limit: expect.maxMs, actual: Math.round(durationMs) };
    mismatches.push({ code: 'suite.tooSlow', args, pointer: '' });
  }
  return mismatches.length > 0
    ? { kind: 'failed', mismatches }
    : { kind: 'passed', isKnownBug: expect.outcome === 'silent_error' };
}

/** A tool that hid its failure says it. */
function isFixed(expected: OutcomeKind, actual: OutcomeKind): boolean {
  return expected === 'silent_error' && actual === 'tool_error';
}

/** What matchers look at: the result, the error object, or what came instead; `undefined` when nothing did. */
export function answerOf(end: RawEnd): JsonValue | undefined {
  switch (end.kind) {
    case 'result':
      return end.result;
    case 'error': {
      const { code, message, data } = end.error;
      return { code, message, ...(data === undefined ? {} : { data }) };
    }
    case 'invalid':
      return end.raw;
    case 'transport': {
      const { reason, message, code, status, exitCode } = end.failure;
      return {
        reason,
        message,
        ...(code === undefined ? {} : { code }),
        ...(status === undefined ? {} : { status }),
        ...(exitCode === undefined ? {} : { exitCode }),
      };
    }
    case 'timeout':
    case 'cancelled':
      return undefined;
    default:
      return assertNever(end);
  }
}
