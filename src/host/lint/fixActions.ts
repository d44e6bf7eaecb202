import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Finding, Fix } from '../../protocol/finding.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';
import { type LintService, lintSelector } from './lintService.ts';

/** Offers the fixes of the findings under the cursor as quick fixes. */
export function registerFixActions(lint: LintService): Disposable {
  return vscode.languages.registerCodeActionsProvider(
    lintSelector,
    { provideCodeActions: (document, range) => actionsFor(lint, document, range) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function actionsFor(lint: LintService, document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
  return lint
    .findings(document)
    .filter((finding) => rangeOf(finding.range).intersection(range) !== undefined)
    .flatMap((finding) => finding.fixes.map((fix) => actionOf(document, finding, fix)));
}

function actionOf(document: vscode.TextDocument, finding: Finding, fix: Fix): vscode.CodeAction {
  const action = new vscode.CodeAction(say(fix.title, fix.args), vscode.CodeActionKind.QuickFix);
  action.isPreferred = fix.isPreferred;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(
    document.uri,
    fix.edits.map((edit) => new vscode.TextEdit(rangeOf(edit.range), edit.newText)),
  );
  action.diagnostics = vscode.languages
    .getDiagnostics(document.uri)
    .filter(
      (diagnostic) =>
        diagnostic.source === 'faultline' &&
        typeof diagnostic.code === 'object' &&
        diagnostic.code.value === finding.rule &&
        diagnostic.range.isEqual(rangeOf(finding.range)),
    );
  return action;
}
