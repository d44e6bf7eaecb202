import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { VIEWS } from '../contributions.ts';
import type { LintGate } from '../lint/lintGate.ts';
import type { FindingNode } from './findingNodes.ts';

/** The Findings view. Its nodes are made by the lint, which is loaded when somebody looks. */
export function registerFindingsView(lint: LintGate): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<undefined>());
  let isFollowing = false;
  const roots = async (): Promise<readonly FindingNode[]> => {
    const { findings } = await lint.load();
    if (!isFollowing) {
      isFollowing = true;
      store.add(findings.onDidChange(() => changed.fire(undefined)));
    }
    return findings.nodes();
  };
  store.add(
    vscode.window.createTreeView<FindingNode>(VIEWS.findings, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: ({ item }) => item,
        getChildren: async (node) => [...(node === undefined ? await roots() : node.children)],
      },
    }),
  );
  return store;
}
