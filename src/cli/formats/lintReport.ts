import { formatText } from '../../base/text.ts';
import type { Finding, Severity } from '../../protocol/finding.ts';
import { rulePage } from '../../protocol/rulePages.ts';
import { TEXTS } from '../../protocol/texts.ts';
import type { TextStyle } from '../terminal.ts';

/** A finding with the file that it is in, relative to the working directory, with forward slashes. */
export interface LocatedFinding {
  readonly file: string;
  readonly finding: Finding;
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
}

export function findingRecord({ file, finding }: LocatedFinding): FindingRecord {
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
  };
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
    return `${place} ${severity} ${record.message} ${note}`;
  });
  const checked = files === 1 ? '1 file' : `${files} files`;
  const found = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const count = findings.length === 0 ? `No findings in ${checked}.` : `${found} in ${checked}.`;
  const rules = [...new Set(findings.map(({ finding }) => finding.rule))].sort();
  const pages = rules.map((rule) => style('dim', `${rule}: ${rulePage(rule)}`));
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
      return `::${githubLevels[record.severity]} ${places.join(',')}::${escapeData(`${record.message}\n${rulePage(record.rule)}`)}\n`;
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
