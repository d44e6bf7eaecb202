import { safeLine, safeText } from '../../../base/safeText.ts';
import type { SuiteCaseResult } from '../../../core/replay/suites/runSuite.ts';
import { sentence } from '../verdictText.ts';
import { caseName, causeLines, detailsOf, type SuiteReport } from './report.ts';

const MAX_NAME = 500;

/**
 * TAP 14 (https://testanything.org/tap-version-14-specification.html): a test point a case over all suites, with what is
 * wrong in a YAML block whose values are JSON, which YAML includes. A known bug that is still there is a `TODO` that
 * passes. The plan comes last, since a run can end early.
 */
export function suitesAsTap(reports: readonly SuiteReport[]): string {
  const lines = ['TAP version 14'];
  let number = 0;
  for (const report of reports) {
    for (const result of report.outcome.results) {
      number += 1;
      lines.push(...pointLines(number, result, report));
    }
    for (const { code, args } of report.outcome.problems) {
      number += 1;
      lines.push(`not ok ${number} - ${description(`${report.name}: teardown`)}`);
      lines.push(...yaml({ message: sentence(code, args) }));
    }
    if (report.outcome.notRun > 0) {
      lines.push(`# ${report.outcome.notRun} cases of ${description(report.name)} were not run`);
    }
  }
  lines.push(`1..${number}`);
  return `${lines.join('\n')}\n`;
}

function pointLines(number: number, result: SuiteCaseResult, report: SuiteReport): readonly string[] {
  const { status, outcome, durationMs } = result;
  const name = description(`${report.name}: ${caseName(result, report)}`);
  if (status.kind === 'passed') {
    return [`ok ${number} - ${name}${status.isKnownBug ? ' # TODO known bug: the tool hides its failure' : ''}`];
  }
  const details = detailsOf(result);
  return [
    `not ok ${number} - ${name}`,
    ...yaml({
      message: details[0]?.sentence ?? status.kind,
      severity: status.kind === 'failed' ? 'fail' : 'error',
      ...(outcome === undefined ? {} : { outcome: outcome.kind }),
      duration_ms: Math.round(durationMs),
      at: report.file,
      details,
      ...(result.cause === undefined ? {} : { diagnosis: causeLines(result) }),
    }),
  ];
}

/** `#` begins a directive, and a backslash escapes it. */
function description(text: string): string {
  return safeLine(text.replace(/[\u2028\u2029]/g, ' '), MAX_NAME).replace(/[\\#]/g, (character) => `\\${character}`);
}

function yaml(members: Readonly<Record<string, unknown>>): readonly string[] {
  return ['  ---', ...Object.entries(members).map(([key, value]) => `  ${key}: ${asciiJson(value)}`), '  ...'];
}

/** JSON on one line in which nothing can be taken for a line end or a control character. */
function asciiJson(value: unknown): string {
  return safeText(JSON.stringify(value)).replace(
    /[\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
