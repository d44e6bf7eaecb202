import { formatText } from '../../base/text.ts';
import type { Finding, Severity } from '../../protocol/finding.ts';
import { OUTCOMES_PAGE, rulePage } from '../../protocol/rulePages.ts';
import { TEXTS } from '../../protocol/texts.ts';
import type { TextStyle } from '../terminal.ts';

/** A finding with the file that it is in, relative to the working directory, with forward slashes. */
export interface LocatedFinding {
  readonly file: string;
  readonly finding: Finding;
  /** What a recording says of it, with `--evidence`. */
  readonly evidence?: Seen | undefined;
}

/** How often tools were seen returning errors as successes, and when last: wall time in µs. */
export interface Seen {
  readonly count: number;
  readonly lastUs: number;
}

/** What `--format json` prints of a finding. Lines and columns are 1-based, the end exclusive. */
export interface FindingRecord {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly rule: string;
  readonly name: string;
  readonly severity: Severity;
  readonly confidence: string;
  readonly message: string;
  /** Names of the tools, separated by commas; `null` when none is known. */
  readonly tool: string | null;
  readonly sdk: string;
  readonly fixable: boolean;
  /** Absent where nothing was seen. `last`: UTC, ISO 8601. */
  readonly evidence?: { readonly count: number; readonly last: string };
}

export function findingRecord({ file, finding, evidence }: LocatedFinding): FindingRecord {
  const { range } = finding;
  return {
    file,
    line: range.startLine + 1,
    column: range.startColumn + 1,
    endLine: range.endLine + 1,
    endColumn: range.endColumn + 1,
    rule: finding.rule,
    name: finding.name,
    severity: finding.severity,
    confidence: finding.confidence,
    message: formatText(TEXTS[finding.message] ?? finding.message, finding.args),
    tool: finding.tools.length === 0 ? null : finding.tools.join(', '),
    sdk: finding.sdk,
    fixable: finding.fixes.length > 0,
    ...(evidence === undefined
      ? {}
      : { evidence: { count: evidence.count, last: new Date(evidence.lastUs / 1000).toISOString() } }),
  };
}

/** What a record says to people: the message, and what was seen. */
export function sentenceOf({ message, evidence }: FindingRecord): string {
  if (evidence === undefined) {
    return message;
  }
  const { count, last } = evidence;
  return `${message} ${count === 1 ? `Seen once, at ${last}.` : `Seen ${count} times, last at ${last}.`}`;
}

/** The page about a rule; of what the wire alone shows, the page about outcomes. */
export function pageOf(rule: string): string {
  return /^FL\d/.test(rule) ? rulePage(rule) : OUTCOMES_PAGE;
}

const severityStyles: Readonly<Record<Severity, TextStyle>> = {
  error: 'red',
  warning: 'yellow',
  info: 'cyan',
  hint: 'dim',
};

type Style = (style: TextStyle, text: string) => string;

/**
 * One line a finding, as compilers write it so that terminals and editors can jump to it; then the page of each rule, and
 * a line that counts.
 */
export function lintAsText(findings: readonly LocatedFinding[], files: number, style: Style): string {
  const lines = findings.map(findingRecord).map((record) => {
    const place = style('bold', `${record.file}:${record.line}:${record.column}`);
    const severity = style(severityStyles[record.severity], record.severity);
    const note = style('dim', `${record.rule} ${record.name}, ${record.confidence} confidence`);
    return `${place} ${severity} ${sentenceOf(record)} ${note}`;
  });
  const checked = files === 1 ? '1 file' : `${files} files`;
  const found = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const count = findings.length === 0 ? `No findings in ${checked}.` : `${found} in ${checked}.`;
  const rules = [...new Set(findings.map(({ finding }) => finding.rule))].sort();
  const pages = rules.map((rule) => style('dim', `${rule}: ${pageOf(rule)}`));
  return `${[...lines, ...pages, count].join('\n')}\n`;
}

export function lintAsJson(findings: readonly LocatedFinding[]): string {
  return `${JSON.stringify(findings.map(findingRecord), undefined, 2)}\n`;
}

const githubLevels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
  hint: 'notice',
};

/** Workflow commands that GitHub Actions turns into annotations of the changed files. */
export function lintAsGithub(findings: readonly LocatedFinding[]): string {
  return findings
    .map(findingRecord)
    .map((record) => {
      const places = [
        `file=${escapeProperty(record.file)}`,
        `line=${record.line}`,
        `endLine=${record.endLine}`,
        `col=${record.column}`,
        `endColumn=${record.endColumn}`,
        `title=${escapeProperty(`${record.rule} ${record.name}`)}`,
      ];
      return `::${githubLevels[record.severity]} ${places.join(',')}::${escapeData(`${sentenceOf(record)}\n${pageOf(record.rule)}`)}\n`;
    })
    .join('');
}

// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
