import type * as vscode from 'vscode';
import { commandTable } from './host/commands/commandTable.ts';
import { runDemo, stopDemo } from './host/commands/runDemo.ts';
import { registerCommands } from './host/manifest.ts';
import { createServices, type Services } from './host/services.ts';
import { showUserError, userErrors } from './host/userError.ts';

let services: Services | undefined;

/** Called by VS Code once, when the extension is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  try {
    services = createServices(context);
    context.subscriptions.push(registerCommands(commandTable(services)));
  } catch (error) {
    // VS Code shows nothing when an activation fails.
    void showUserError(userErrors.activationFailed(error));
    throw error;
  }
  if (process.env['FAULTLINE_DEMO'] === '1') {
    void runDemo(services);
  }
}

/** Called by VS Code before it ends the extension host; waits for the servers to be gone. */
export async function deactivate(): Promise<void> {
  stopDemo();
  await services?.shutdown();
  services = undefined;
}
