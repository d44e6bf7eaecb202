import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { CommandId } from '../contributions.ts';
import type { ServerService } from './serverService.ts';
import { descriptionOf } from './serversTree.ts';

/** One item: how many servers are up, or how many fail. Hidden while no server is defined. */
export function registerStatusBar(servers: ServerService): Disposable {
  const store = new DisposableStore();
  const item = store.add(vscode.window.createStatusBarItem('faultline.status', vscode.StatusBarAlignment.Left, 10));
  item.name = 'Faultline';
  item.command = 'faultline.showFailures' satisfies CommandId;
  const update = () => {
    const views = servers.views();
    const up = views.filter(({ state }) => state.kind === 'running').length;
    const failing = views.filter(({ state }) => state.kind === 'failed');
    item.text =
      failing.length > 0
        ? vscode.l10n.t('$(error) MCP {0} failing', failing.length)
        : vscode.l10n.t('$(pulse) MCP {0}', up);
    item.tooltip =
      failing.length > 0
        ? vscode.l10n.t(
            'Failing MCP servers: {0}',
            failing.map((view) => `${view.definition.name} (${descriptionOf(view)})`).join(', '),
          )
        : vscode.l10n.t('{0} of {1} MCP servers up', up, views.length);
    if (views.length > 0) {
      item.show();
    } else {
      item.hide();
    }
  };
  store.add(servers.onDidChange(update));
  update();
  return store;
}
