import type * as vscode from 'vscode';
import { registerAgentTools } from './host/agent/agentTools.ts';
import { commandTable } from './host/commands/commandTable.ts';
import { registerCommands } from './host/manifest.ts';
import { createServices, type Services } from './host/services.ts';
import { showUserError, userErrors } from './host/userError.ts';

let services: Services | undefined;

/** Called by VS Code once, when the extension is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  try {
    services = createServices(context);
    const commands = commandTable(services);
    context.subscriptions.push(registerCommands(commands), registerAgentTools(services));
    if (process.env['FAULTLINE_DEMO'] === '1') {
      void commands['faultline.runDemo']();
    }
  } catch (error) {
    // VS Code shows nothing when an activation fails.
    void showUserError(userErrors.activationFailed(error));
    throw error;
  }
}

/** Called by VS Code before it ends the extension host; waits for the servers to be gone. */
export async function deactivate(): Promise<void> {
  await services?.shutdown();
  services = undefined;
}
