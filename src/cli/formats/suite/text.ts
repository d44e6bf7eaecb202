import { safeLine } from '../../../base/safeText.ts';
import type { SuiteCaseResult } from '../../../core/replay/suites/runSuite.ts';
import { type Style, sentence } from '../verdictText.ts';
import { caseName, causeLines, countsOf, detailsOf, type SuiteReport } from './report.ts';

const MAX_NAME = 200;
const MAX_LINE = 2200;
const INDENT = '            ';

/** Suites and their cases for a person, one line each, and under one that did not pass all that is to be said of it. */
export function suitesAsText(reports: readonly SuiteReport[], style: Style): string {
  const lines = reports.flatMap((report) => [
    style('bold', safeLine(report.name, MAX_NAME)),
    ...report.outcome.results.flatMap((result) => resultLines(result, report, style)),
    ...report.outcome.problems.flatMap((problem) => [
      `  ${style('red', 'error   ')}  teardown`,
      `${INDENT}${sentence(problem.code, problem.args)}`,
      ...causeLines(problem).map((line) => `${INDENT}${line}`),
    ]),
    '',
  ]);
  return `${[...lines, summaryLine(reports, style)].join('\n')}\n`;
}

function resultLines(result: SuiteCaseResult, report: SuiteReport, style: Style): readonly string[] {
  const { outcome, durationMs } = result;
  const took = outcome === undefined ? '' : ` ${style('dim', `${Math.round(durationMs)} ms`)}`;
  const head = `  ${wordOf(result, style)}  ${safeLine(caseName(result, report), MAX_NAME)}${took}`;
  const details = detailsOf(result).flatMap(({ sentence: said, pointer, expected, actual }) => [
    `${INDENT}${said}${pointer === undefined ? '' : ` ${style('dim', `at ${safeLine(pointer, MAX_NAME)}`)}`}`,
    ...(expected === undefined ? [] : [`${INDENT}  expected ${style('green', safeLine(expected, MAX_LINE))}`]),
    ...(actual === undefined ? [] : [`${INDENT}  actual   ${style('red', safeLine(actual, MAX_LINE))}`]),
  ]);
  const causes = result.status.kind === 'passed' ? [] : causeLines(result).map((line) => `${INDENT}${line}`);
  return [head, ...details, ...causes];
}

function wordOf({ status }: SuiteCaseResult, style: Style): string {
  switch (status.kind) {
    case 'passed':
      return status.isKnownBug ? style('magenta', 'known   ') : style('green', 'passed  ');
    case 'failed':
      return style('red', 'failed  ');
    case 'refused':
      return style('red', 'refused ');
    case 'error':
      return style('red', 'error   ');
    case 'cancelled':
      return style('dim', 'stopped ');
  }
}

function summaryLine(reports: readonly SuiteReport[], style: Style): string {
  const { total, passed, knownBugs, failed, errors, notRun } = countsOf(reports);
  const bugs = knownBugs === 0 ? '' : ` (${knownBugs} of them known bugs)`;
  const parts = [
    `${passed} passed${bugs}`,
    ...(failed === 0 ? [] : [style('red', `${failed} failed`)]),
    ...(errors === 0 ? [] : [style('red', `${errors} could not be run`)]),
    ...(notRun === 0 ? [] : [`${notRun} not run`]),
  ];
  const tookMs = reports.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `${total} cases in ${Math.round(tookMs)} ms: ${parts.join(', ')}`;
}
