import * as vscode from 'vscode';
import type { SilentCalls } from '../../core/timeline/silentTools.ts';
import { isAboutHiding, isExplained } from '../../lint/hidingRules.ts';
import type { Finding, Severity } from '../../protocol/finding.ts';
import { OUTCOMES_PAGE, rulePage } from '../../protocol/rulePages.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';
import type { LintedFile } from './findingStore.ts';
import type { WireEvidence } from './wireEvidence.ts';

const { t } = vscode.l10n;

/** Code of the diagnostic that stands at the top of a file that is not linted for its size. */
const TOO_LARGE_CODE = 'too-large';

/** Code of the diagnostic that stands where the wire shows what the lint did not find. */
export const SILENT_CODE = 'silent_error';

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** What was seen on the wire of the tools that a finding names. */
export function evidenceOf(finding: Finding, evidence: WireEvidence): SilentCalls | undefined {
  return isAboutHiding(finding) ? evidence.of(finding.tools) : undefined;
}

/** The tools of a file that were seen failing silently, where no finding says why. */
export function unexplainedTools(
  { findings, tools }: LintedFile,
  evidence: WireEvidence,
): readonly { readonly range: vscode.Range; readonly seen: SilentCalls }[] {
  return tools.flatMap(({ name, range }) => {
    const seen = isExplained(name, findings) ? undefined : evidence.of([name]);
    return seen === undefined ? [] : [{ range: rangeOf(range), seen }];
  });
}

/** All diagnostics of a file: its findings, and what only the wire knows. */
export function diagnosticsOf(file: LintedFile, evidence: WireEvidence): vscode.Diagnostic[] {
  return [
    ...(file.isTooLarge === true ? [tooLarge()] : []),
    ...file.findings.map((finding) => diagnosticOf(finding, evidence)),
    ...unexplainedTools(file, evidence).map(({ range, seen }) => {
      const message = t('“{0}” was seen returning an error as a success. {1}', seen.tool, evidence.sentence(seen));
      const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
      diagnostic.source = 'faultline';
      diagnostic.code = { value: SILENT_CODE, target: vscode.Uri.parse(OUTCOMES_PAGE) };
      return diagnostic;
    }),
  ];
}

function tooLarge(): vscode.Diagnostic {
  const message = t('Faultline leaves this file out: it is larger than 1 MB.');
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(0, 0, 0, 0),
    message,
    vscode.DiagnosticSeverity.Information,
  );
  diagnostic.source = 'faultline';
  diagnostic.code = TOO_LARGE_CODE;
  return diagnostic;
}

function diagnosticOf(finding: Finding, evidence: WireEvidence): vscode.Diagnostic {
  const seen = evidenceOf(finding, evidence);
  const message = say(finding.message, finding.args);
  const diagnostic = new vscode.Diagnostic(
    rangeOf(finding.range),
    seen === undefined ? message : `${message} ${evidence.sentence(seen)}`,
    severities[finding.severity],
  );
  diagnostic.source = 'faultline';
  diagnostic.code = { value: finding.rule, target: vscode.Uri.parse(rulePage(finding.rule)) };
  return diagnostic;
}
