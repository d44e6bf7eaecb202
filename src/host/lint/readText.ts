import * as vscode from 'vscode';

/** A file's text, the editor's unsaved one first; `undefined` when it cannot be read. */
export async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) {
    return open.getText();
  }
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // Nothing depends on the reason: an import leads nowhere, or a file is gone.
    return undefined;
  }
}
