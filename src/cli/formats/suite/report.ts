import type { CaseStatus } from '../../../core/replay/suites/caseResult.ts';
import type { SuiteCaseResult, SuiteOutcome } from '../../../core/replay/suites/runSuite.ts';
import { causeInWords } from '../causeText.ts';
import { sentence } from '../verdictText.ts';

/** A suite that has been run. */
export interface SuiteReport {
  /** What it is called: its own name, or its file's. */
  readonly name: string;
  /** Path of its file, as it was given. */
  readonly file: string;
  readonly outcome: SuiteOutcome;
  readonly durationMs: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A line of what is wrong with a case, and what it is about, where that can be named. */
export interface Detail {
  readonly sentence: string;
  readonly pointer?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** Longest value that a report shows, UTF-16 code units. */
const MAX_VALUE = 2000;

/** Everything that is to be said of a case that did not pass; empty of one that did. */
export function detailsOf({ status }: Pick<SuiteCaseResult, 'status'>): readonly Detail[] {
  switch (status.kind) {
    case 'passed':
      return [];
    case 'cancelled':
      return [{ sentence: 'It was cancelled.' }];
    case 'refused':
    case 'error':
      return [{ sentence: sentence(status.code, status.args) }];
    case 'failed':
      return status.mismatches.map(({ code, args, pointer, expected, actual }) => ({
        sentence: sentence(code, args),
        ...(pointer === '' ? {} : { pointer }),
        ...(expected === undefined ? {} : { expected: valueText(expected) }),
        ...(actual === undefined ? {} : { actual: valueText(actual) }),
      }));
  }
}

/** Why the server did not answer, and what to do about it; empty where it is not the reason. */
export function causeLines({ cause }: Pick<SuiteCaseResult, 'cause'>): readonly string[] {
  if (cause === undefined) {
    return [];
  }
  const { sentence: why, remedy } = causeInWords(cause);
  return [`cause: ${why}`, `remedy: ${remedy}`];
}

/** JSON, cut where it is long. */
function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

/** The name of a case, with the number of its repetition where there are several. */
export function caseName({ case: { name }, repetition }: SuiteCaseResult, { outcome }: SuiteReport): string {
  return outcome.results.some((each) => each.repetition > 0) ? `${name} (run ${repetition + 1})` : name;
}

export interface Counts {
  readonly total: number;
  readonly passed: number;
  readonly knownBugs: number;
  /** Ended otherwise than expected. */
  readonly failed: number;
  /** Not sent, or could not be. */
  readonly errors: number;
  readonly notRun: number;
}

/** Counts over suites; what could not be undone counts as an error. */
export function countsOf(reports: readonly SuiteReport[]): Counts {
  const statuses = reports.flatMap(({ outcome }) => outcome.results.map(({ status }) => status));
  const count = (is: (status: CaseStatus) => boolean) => statuses.filter(is).length;
  const problems = reports.reduce((sum, { outcome }) => sum + outcome.problems.length, 0);
  return {
    total: statuses.length,
    passed: count(({ kind }) => kind === 'passed'),
    knownBugs: count((status) => status.kind === 'passed' && status.isKnownBug),
    failed: count(({ kind }) => kind === 'failed'),
    errors: count(({ kind }) => kind === 'refused' || kind === 'error' || kind === 'cancelled') + problems,
    notRun: reports.reduce((sum, { outcome }) => sum + outcome.notRun, 0),
  };
}
