import * as vscode from 'vscode';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { readSetting } from '../manifest.ts';
import { commandLineOf } from '../servers/trust.ts';
import { showUserError, userErrors } from '../userError.ts';

const { t } = vscode.l10n;

/** Lets a person choose which servers VS Code's own agent is offered a tapped version of, and keeps it as a setting. */
export async function offerToAgent(definitions: readonly ServerDefinition[]): Promise<void> {
  if (definitions.length === 0) {
    await showUserError(userErrors.noServers(), 'warning');
    return;
  }
  const before = readSetting('tap.offerToAgent');
  const items = definitions.map((definition) => ({
    label: definition.name,
    detail: commandLineOf(definition),
    picked: before.includes('*') || before.includes(definition.name),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: t('Offer Tapped Servers to the Agent of VS Code'),
    placeHolder: t('Which ones? Turn the untapped ones off in the tools of the chat, or the agent has both.'),
  });
  if (chosen !== undefined) {
    const configuration = vscode.workspace.getConfiguration('faultline');
    const here = configuration.inspect('tap.offerToAgent');
    const target =
      here?.workspaceValue === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    await configuration.update('tap.offerToAgent', [...new Set(chosen.map(({ label }) => label))], target);
  }
}
