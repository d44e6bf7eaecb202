import * as vscode from 'vscode';
import { editsOf, safeFixes } from '../../lint/fixes/apply.ts';
import type { Finding } from '../../protocol/finding.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';
import type { FindingStore, LintedFile } from './findingStore.ts';

const { t } = vscode.l10n;

/** The safe fixes of a file as one edit; `undefined` when there are none. `rule` limits it to one rule. */
export function safeEdit(
  { uri, findings }: Pick<LintedFile, 'uri' | 'findings'>,
  rule?: string,
): vscode.WorkspaceEdit | undefined {
  const edits = editsOf(safeFixes(ofRule(findings, rule)));
  if (edits.length === 0) {
    return undefined;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    uri,
    edits.map(({ range, newText }) => new vscode.TextEdit(rangeOf(range), newText)),
  );
  return edit;
}

/** How many findings one go of `safeEdit` mends. */
export function safeCount(findings: readonly Finding[], rule?: string): number {
  return safeFixes(ofRule(findings, rule)).length;
}

function ofRule(findings: readonly Finding[], rule: string | undefined): readonly Finding[] {
  return rule === undefined ? findings : findings.filter((finding) => finding.rule === rule);
}

/**
 * Opens VS Code's preview of every safe fix in what was linted, each to be confirmed. Returns how many there are; when the
 * person discards them nothing has changed.
 */
export async function previewSafeFixes(findings: FindingStore): Promise<number> {
  const edit = new vscode.WorkspaceEdit();
  let count = 0;
  for (const file of findings.all().filter(({ isIndexOnly }) => !isIndexOnly)) {
    if (!(await isCurrent(file))) {
      continue;
    }
    const fixes = safeFixes(file.findings);
    const wanted = new Set(editsOf(fixes));
    count += fixes.length;
    for (const { finding, fix } of fixes) {
      const metadata: vscode.WorkspaceEditEntryMetadata = {
        needsConfirmation: true,
        label: `${finding.rule} ${finding.name}`,
        description: say(fix.title, fix.args),
        iconPath: new vscode.ThemeIcon('lightbulb-autofix'),
      };
      for (const { range, newText } of fix.edits.filter((one) => wanted.has(one))) {
        edit.replace(file.uri, rangeOf(range), newText, metadata);
      }
    }
  }
  if (count > 0) {
    await vscode.workspace.applyEdit(edit, { isRefactoring: true });
  } else {
    vscode.window.setStatusBarMessage(t('Faultline: nothing can be fixed safely'), 5000);
  }
  return count;
}

/** Whether the findings are of the text that the edit would change. */
async function isCurrent({ uri, version }: LintedFile): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    // Read from disk, and opened by us just now or unchanged since: its first version.
    return version === undefined ? !document.isDirty && document.version === 1 : document.version === version;
  } catch {
    // Gone since it was linted.
    return false;
  }
}
