import * as vscode from 'vscode';
import { showUserError, userErrors } from '../userError.ts';

/** Changes the document of a suite, not its file: a person can undo and has to save it. False, and told, when VS Code refuses. */
export async function changeSuite(uri: vscode.Uri, range: vscode.Range, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, range, text);
  const isChanged = await vscode.workspace.applyEdit(edit);
  if (!isChanged) {
    await showUserError(userErrors.suiteNotChanged(vscode.workspace.asRelativePath(uri)), 'warning');
  }
  return isChanged;
}
