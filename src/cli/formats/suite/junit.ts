import type { SuiteCaseResult } from '../../../core/replay/suites/runSuite.ts';
import { sentence } from '../verdictText.ts';
import { caseName, causeLines, countsOf, type Detail, detailsOf, type SuiteReport } from './report.ts';

/**
 * JUnit's XML as its consumers agree on it (https://github.com/testmoapp/junitxml, and the schema of Jenkins' xUnit plugin):
 * a `testsuite` a file, a `testcase` a case, `failure` for one that ended otherwise than expected and `error` for one that
 * could not be sent. Text of servers is escaped, and what XML 1.0 has no way to write is replaced.
 */
export function suitesAsJunit(reports: readonly SuiteReport[]): string {
  const totals = totalsOf(reports);
  const parts = reports.map(suiteElement);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: 'faultline', ...totals })}>\n${parts.join('')}</testsuites>\n`;
}

function suiteElement(report: SuiteReport): string {
  const { outcome, name, startedAt } = report;
  const head = { name, ...totalsOf([report]), skipped: 0, timestamp: startedAt.slice(0, 19) };
  const cases = outcome.results.map((result) => caseElement(result, report));
  const problems = outcome.problems.map(({ code, args }) => {
    const message = sentence(code, args);
    return `    <testcase${attributes({ name: 'teardown', classname: name, time: seconds(0) })}>\n      <error${attributes({ message, type: 'teardown' })}></error>\n    </testcase>\n`;
  });
  return `  <testsuite${attributes(head)}>\n${[...cases, ...problems].join('')}  </testsuite>\n`;
}

function caseElement(result: SuiteCaseResult, report: SuiteReport): string {
  const { status, durationMs, outcome } = result;
  const head = attributes({ name: caseName(result, report), classname: report.name, time: seconds(durationMs) });
  if (status.kind === 'passed') {
    return status.isKnownBug
      ? `    <testcase${head}>\n      <system-out>${escapeText('known bug: the tool hides its failure')}</system-out>\n    </testcase>\n`
      : `    <testcase${head}></testcase>\n`;
  }
  const details = detailsOf(result);
  const element = status.kind === 'failed' ? 'failure' : 'error';
  const about = attributes({ message: details[0]?.sentence ?? status.kind, type: outcome?.kind ?? status.kind });
  const lines = [...details.flatMap(detailLines), ...causeLines(result)];
  return `    <testcase${head}>\n      <${element}${about}>${escapeText(lines.join('\n'))}</${element}>\n    </testcase>\n`;
}

function detailLines({ sentence: said, pointer, expected, actual }: Detail): readonly string[] {
  return [
    pointer === undefined ? said : `${said} (${pointer})`,
    ...(expected === undefined ? [] : [`  expected ${expected}`]),
    ...(actual === undefined ? [] : [`  actual   ${actual}`]),
  ];
}

function totalsOf(reports: readonly SuiteReport[]) {
  const { total, failed, errors } = countsOf(reports);
  const problems = reports.reduce((sum, { outcome }) => sum + outcome.problems.length, 0);
  return {
    tests: total + problems,
    failures: failed,
    errors,
    time: seconds(reports.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Line ends and tabs of an attribute would be read as spaces (XML 1.0, 3.3.3). */
function escapeAttribute(text: string): string {
  return validXml(text).replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character] ?? '');
}

function escapeText(text: string): string {
  return validXml(text).replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? '');
}

/** Characters that XML 1.0 (2.2, "Char") does not have, not even escaped, and lone halves of pairs become U+FFFD. */
function validXml(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
