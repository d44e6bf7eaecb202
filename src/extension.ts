import * as vscode from 'vscode';

/** Called by VS Code once, when the extension is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.commands.registerCommand('faultline.openTimeline', () => undefined));
}
