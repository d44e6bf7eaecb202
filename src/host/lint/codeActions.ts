import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { SilentCalls } from '../../core/timeline/silentTools.ts';
import type { Finding, Fix } from '../../protocol/finding.ts';
import { rulePage } from '../../protocol/rulePages.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';
import { evidenceOf, SILENT_CODE, unexplainedTools } from './diagnostics.ts';
import type { FindingStore } from './findingStore.ts';
import { safeCount, safeEdit } from './fixAll.ts';
import { lintSelector } from './selector.ts';
import type { WireEvidence } from './wireEvidence.ts';

const { t } = vscode.l10n;

/** For `editor.codeActionsOnSave`: every safe fix of the file. */
const FIX_ALL_KIND = vscode.CodeActionKind.SourceFixAll.append('faultline');

/** Languages whose comments begin otherwise than with two slashes. */
const hashComments: ReadonlySet<string> = new Set(['python', 'ruby']);

/** Quick fixes of the findings under the cursor, and the fixes of a whole file. */
export function registerCodeActions(findings: FindingStore, evidence: WireEvidence): Disposable {
  return vscode.languages.registerCodeActionsProvider(
    lintSelector,
    {
      provideCodeActions: (document, range, { only }) =>
        only !== undefined && (only.contains(FIX_ALL_KIND) || FIX_ALL_KIND.contains(only))
          ? fixAllAction(document, findings)
          : quickFixes(document, range, findings, evidence),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, FIX_ALL_KIND] },
  );
}

function fixAllAction(document: vscode.TextDocument, findings: FindingStore): vscode.CodeAction[] {
  const edit = safeEdit({ uri: document.uri, findings: findings.findings(document) });
  if (edit === undefined) {
    return [];
  }
  const action = new vscode.CodeAction(t('Fix all safe Faultline findings'), FIX_ALL_KIND);
  action.edit = edit;
  return [action];
}

function quickFixes(
  document: vscode.TextDocument,
  range: vscode.Range,
  findings: FindingStore,
  evidence: WireEvidence,
): vscode.CodeAction[] {
  const all = findings.findings(document);
  const under = all.filter((finding) => rangeOf(finding.range).intersection(range) !== undefined);
  const file = findings.get(document.uri);
  const silent = file?.version === document.version ? unexplainedTools(file, evidence) : [];
  return [
    ...under.flatMap((finding) => finding.fixes.map((fix) => fixAction(document, finding, fix))),
    ...[...new Set(under.map(({ rule }) => rule))].flatMap((rule) => [
      ...fixRuleAction(document, all, rule),
      suppressAction(document, under, rule),
      pageAction(document, rule),
    ]),
    ...under.flatMap((finding) => timelineAction(evidenceOf(finding, evidence), diagnosticsFor(document, finding))),
    ...silent
      .filter((tool) => tool.range.intersection(range) !== undefined)
      .flatMap((tool) => timelineAction(tool.seen, ours(document, SILENT_CODE, tool.range))),
  ];
}

function fixAction(document: vscode.TextDocument, finding: Finding, fix: Fix): vscode.CodeAction {
  const action = quickFix(say(fix.title, fix.args), diagnosticsFor(document, finding));
  action.isPreferred = fix.isPreferred;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(
    document.uri,
    fix.edits.map((edit) => new vscode.TextEdit(rangeOf(edit.range), edit.newText)),
  );
  return action;
}

function fixRuleAction(document: vscode.TextDocument, all: readonly Finding[], rule: string): vscode.CodeAction[] {
  const count = safeCount(all, rule);
  const edit = count < 2 ? undefined : safeEdit({ uri: document.uri, findings: all }, rule);
  if (edit === undefined) {
    return [];
  }
  const action = quickFix(t('Fix all {0} in file ({1} safe)', rule, count), ours(document, rule));
  action.edit = edit;
  return [action];
}

/** Puts a comment above the finding's line, with the reason selected so that it is written and not forgotten. */
function suppressAction(document: vscode.TextDocument, under: readonly Finding[], rule: string): vscode.CodeAction {
  const finding = under.find((one) => one.rule === rule);
  const line = document.lineAt(finding?.range.startLine ?? 0);
  const indent = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
  const mark = hashComments.has(document.languageId) ? '#' : '//';
  const comment = new vscode.SnippetString(`${indent}${mark} faultline-disable-next-line ${rule} -- `);
  comment.appendPlaceholder(t('reason')).appendText('\n');
  const edit = new vscode.SnippetTextEdit(new vscode.Range(line.range.start, line.range.start), comment);
  edit.keepWhitespace = true;
  const action = quickFix(
    t('Suppress {0} on this line', rule),
    finding === undefined ? [] : diagnosticsFor(document, finding),
  );
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(document.uri, [edit]);
  return action;
}

function pageAction(document: vscode.TextDocument, rule: string): vscode.CodeAction {
  const title = t('Open the page of {0}', rule);
  const action = quickFix(title, ours(document, rule));
  action.command = { command: 'vscode.open', title, arguments: [vscode.Uri.parse(rulePage(rule))] };
  return action;
}

function timelineAction(seen: SilentCalls | undefined, diagnostics: vscode.Diagnostic[]): vscode.CodeAction[] {
  if (seen === undefined) {
    return [];
  }
  const title = t('Show the silent errors of {0} in the timeline', seen.tool);
  const action = quickFix(title, diagnostics);
  action.command = { command: 'faultline.openTimeline', title, arguments: [seen.lastKey] };
  return [action];
}

function quickFix(title: string, diagnostics: vscode.Diagnostic[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = diagnostics;
  return action;
}

function diagnosticsFor(document: vscode.TextDocument, finding: Finding): vscode.Diagnostic[] {
  return ours(document, finding.rule, rangeOf(finding.range));
}

/** Our diagnostics of a code, at a place when one is given. */
function ours(document: vscode.TextDocument, code: string, range?: vscode.Range): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(
      (diagnostic) =>
        diagnostic.source === 'faultline' &&
        typeof diagnostic.code === 'object' &&
        diagnostic.code.value === code &&
        (range === undefined || diagnostic.range.isEqual(range)),
    );
}
