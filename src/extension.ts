import type * as vscode from 'vscode';

/** Called by VS Code once, when the extension is first needed. */
export function activate(_context: vscode.ExtensionContext): void {}
