import * as vscode from 'vscode';
import type { ServerService, ServerView } from '../servers/serverService.ts';
import type { ServerNode, TapNode } from '../servers/serversTree.ts';
import { descriptionOf } from '../servers/serversTree.ts';
import { showUserError, userErrors } from '../userError.ts';

/** The server that a command is for: the tree's node it was run on, else the one that a person picks. */
export async function pickServer(
  servers: ServerService,
  target: unknown,
  placeHolder: string,
): Promise<ServerView | undefined> {
  if (isServerNode(target)) {
    return servers.view(target.view.definition.id);
  }
  await servers.loaded;
  const views = servers.views();
  if (views.length === 0) {
    void showUserError(userErrors.noServers(), 'warning');
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    views.map((view) => ({ label: view.definition.name, description: descriptionOf(view), view })),
    { placeHolder, matchOnDescription: true },
  );
  return chosen?.view;
}

/** True for a server of the Servers tree that another client uses through a tap. */
export function isTapNode(target: unknown): target is Extract<TapNode, { kind: 'tap' }> {
  return typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'tap' && 'tap' in target;
}

/** True for a node of the Servers tree, which is what VS Code passes to a command of its menu. */
export function isServerNode(target: unknown): target is ServerNode {
  return typeof target === 'object' && target !== null && 'view' in target && 'kind' in target;
}
