import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ServerFacts } from '../timeline/timelineModel.ts';
import type { FindingNode, FindingSource, ServerFindingSource } from './findingNodes.ts';

const { t } = vscode.l10n;

/** What was seen of each server, all kinds of it under the server's name, in the order of the kinds. */
export function serverFindings(
  kinds: readonly ServerFindingSource[],
  servers: Pick<ServerFacts, 'nameOf'>,
): FindingSource {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  for (const kind of kinds) {
    store.add(kind);
    store.add(kind.onDidChange(() => changed.fire()));
  }
  return {
    onDidChange: changed.event,
    nodes: () => {
      const found = kinds.map((kind) => kind.byServer());
      const ids = new Set(found.flatMap((byServer) => [...byServer.keys()]));
      return [...ids].map((server) =>
        serverNode(
          server,
          servers.nameOf(server),
          found.flatMap((byServer) => byServer.get(server) ?? []),
        ),
      );
    },
    dispose: () => store.dispose(),
  };
}

function serverNode(server: string, name: string, children: readonly FindingNode[]): FindingNode {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `server ${server}`;
  item.description = t('seen on the wire');
  item.iconPath = new vscode.ThemeIcon('server');
  item.contextValue = 'findings.server';
  return { item, children };
}
