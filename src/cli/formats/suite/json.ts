import { caseName, causeLines, countsOf, detailsOf, type SuiteReport } from './report.ts';

/** One JSON object over all suites; `docs/suites.md` describes it. */
export function suitesAsJson(reports: readonly SuiteReport[]): string {
  const suites = reports.map((report) => ({
    name: report.name,
    file: report.file,
    startedAt: report.startedAt,
    durationMs: Math.round(report.durationMs),
    notRun: report.outcome.notRun,
    problems: report.outcome.problems,
    cases: report.outcome.results.map((result) => ({
      name: caseName(result, report),
      repetition: result.repetition,
      status: result.status.kind,
      ...(result.status.kind === 'passed' ? { isKnownBug: result.status.isKnownBug } : {}),
      expected: result.case.expect.outcome,
      ...(result.outcome === undefined ? {} : { outcome: result.outcome.kind }),
      durationMs: Math.round(result.durationMs),
      details: detailsOf(result),
      ...(result.cause === undefined ? {} : { diagnosis: causeLines(result) }),
    })),
  }));
  return `${JSON.stringify({ ...countsOf(reports), suites }, undefined, 2)}\n`;
}
