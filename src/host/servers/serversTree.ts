import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ConnectionState } from '../../core/client/connection.ts';
import { clientLabelOf } from '../../core/client/discovery/clients.ts';
import type { ToolInfo } from '../../core/client/tools.ts';
import { VIEWS } from '../contributions.ts';
import type { ServerService, ServerView } from './serverService.ts';
import { commandLineOf } from './trust.ts';

const { t } = vscode.l10n;

/** A node of the tree; commands receive it as their target. */
export type ServerNode =
  | { readonly kind: 'server'; readonly view: ServerView }
  | { readonly kind: 'tool'; readonly view: ServerView; readonly tool: ToolInfo };

/** The Servers view: each server with its state, and under it its tools. */
export function registerServersTree(servers: ServerService): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<undefined>());
  store.add(servers.onDidChange(() => changed.fire(undefined)));
  store.add(
    vscode.window.createTreeView<ServerNode>(VIEWS.servers, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: itemOf,
        getChildren: (node) => {
          if (node === undefined) {
            return servers.views().map((view) => ({ kind: 'server' as const, view }));
          }
          return node.kind === 'server'
            ? node.view.tools.map((tool) => ({ kind: 'tool' as const, view: node.view, tool }))
            : [];
        },
      },
    }),
  );
  return store;
}

function itemOf(node: ServerNode): vscode.TreeItem {
  switch (node.kind) {
    case 'server':
      return serverItem(node.view);
    case 'tool':
      return toolItem(node.view, node.tool);
    default:
      return assertNever(node);
  }
}

function serverItem(view: ServerView): vscode.TreeItem {
  const { definition, state, tools } = view;
  const item = new vscode.TreeItem(
    definition.name,
    tools.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = definition.id;
  const client = clientLabelOf(definition.source.kind);
  item.description = [descriptionOf(view), ...(client === undefined ? [] : [client])].join(' · ');
  item.tooltip = tooltipOf(view);
  item.iconPath = iconOf(state);
  item.contextValue = `server.${state.kind}`;
  item.accessibilityInformation = { label: `${definition.name}, ${item.description}` };
  return item;
}

function toolItem(view: ServerView, tool: ToolInfo): vscode.TreeItem {
  const item = new vscode.TreeItem(tool.name);
  item.id = `${view.definition.id}/${tool.name}`;
  // The server's text is hostile: a plain string is not rendered as Markdown.
  item.tooltip = tool.description ?? tool.title ?? tool.name;
  const isAvailable = view.state.kind === 'running';
  item.iconPath = new vscode.ThemeIcon('tools', isAvailable ? undefined : new vscode.ThemeColor('disabledForeground'));
  item.description = isAvailable ? '' : t('unavailable');
  // A call connects the server first, so it is offered all the same.
  item.contextValue = 'tool';
  return item;
}

/** A state in a few words; of a failure, its cause. */
export function descriptionOf({ state, why }: Pick<ServerView, 'state' | 'why'>): string {
  switch (state.kind) {
    case 'stopped':
      return t('stopped');
    case 'starting':
      return t('starting…');
    case 'stopping':
      return t('stopping…');
    case 'running':
      return state.tools?.isComplete === false ? t('{0} · tool list incomplete', state.revision) : state.revision;
    case 'failed':
      // What the wire says, until the cause has been looked into.
      return why?.sentence ?? state.failure.failure.message;
    default:
      return assertNever(state);
  }
}

function tooltipOf({ definition, state, why }: ServerView): string {
  const { source } = definition;
  const lines = [descriptionOf({ state, ...(why === undefined ? {} : { why }) })];
  if (state.kind === 'failed') {
    lines.push(...(why === undefined ? [] : [why.remedy]));
    lines.push(...(state.failure.failure.stderrTail ?? []).map((line) => `stderr: ${line}`));
  }
  return [...lines, commandLineOf(definition), source.path ?? source.kind].join('\n');
}

function iconOf(state: ConnectionState): vscode.ThemeIcon {
  switch (state.kind) {
    case 'stopped':
    case 'stopping':
      return new vscode.ThemeIcon('circle-outline');
    case 'starting':
      return new vscode.ThemeIcon('loading~spin');
    case 'running':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('faultline.success'));
    case 'failed':
      return new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('faultline.transportError'));
    default:
      return assertNever(state);
  }
}
