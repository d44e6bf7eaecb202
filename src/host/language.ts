import * as vscode from 'vscode';

/** The language of our own words: that of VS Code, where we have a translation to it. */
export function ownLanguage(): string {
  return vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
}
