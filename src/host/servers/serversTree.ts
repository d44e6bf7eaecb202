import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ToolInfo } from '../../core/client/tools.ts';
import { VIEWS } from '../contributions.ts';
import type { Recording } from '../recording.ts';
import type { TappedServer, TappedServers } from '../taps/tappedServers.ts';
import type { ServerService, ServerView } from './serverService.ts';
import type { ToolStats } from './toolStats.ts';

const { t } = vscode.l10n;

/** A node of the tree; commands receive it as their target. */
export type ServerNode =
  | { readonly kind: 'server'; readonly view: ServerView }
  | { readonly kind: 'tool'; readonly view: ServerView; readonly tool: ToolInfo }
  /** Why the server is not there, or the newest of its calls that failed, by its key. */
  | { readonly kind: 'problem'; readonly view: ServerView; readonly row: number | undefined };

/** What other clients do, seen through taps; commands receive it as their target. */
export type TapNode =
  | { readonly kind: 'taps'; readonly open: number; readonly taps: readonly TappedServer[] }
  | { readonly kind: 'tap'; readonly tap: TappedServer };

export type TreeNode = ServerNode | TapNode;

/** What the tree is made of. */
export interface ServersTreeParts {
  readonly servers: ServerService;
  readonly stats: ToolStats;
  readonly recording: Recording;
  readonly seen: TappedServers;
  readonly clock: Clock;
}

/** A tap that was killed writes no end: while any is open and somebody looks, its server is asked for so often. */
const LOOK_MS = 5000;

/** The Servers view: each server with its state, and under it its last problem and its tools with what became of them. */
export function registerServersTree(
  parts: ServersTreeParts,
): Disposable & { readonly view: vscode.TreeView<TreeNode> } {
  const { servers, stats, recording, seen, clock } = parts;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<undefined>());
  store.add(servers.onDidChange(() => changed.fire(undefined)));
  let looking: Disposable | undefined;
  store.defer(() => looking?.dispose());
  const lookAgain = () => {
    if (view.visible && seen.hasOpen) {
      looking ??= clock.setTimer(LOOK_MS, () => {
        looking = undefined;
        changed.fire(undefined);
        lookAgain();
      });
    }
  };
  // Its own bundle: nothing is drawn before somebody looks.
  const items = () => import('./serverItems.ts');
  const view = store.add(
    vscode.window.createTreeView<TreeNode>(VIEWS.servers, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: async (node) => (await items()).itemOf(node, parts),
        getChildren: async (node) => [...(await items()).childrenOf(node, parts)],
      },
    }),
  );
  let isFollowing = false;
  const look = () => {
    if (view.visible && !isFollowing) {
      isFollowing = true;
      store.add(stats.onDidChange(() => changed.fire(undefined)));
      store.add(
        seen.onDidChange(() => {
          changed.fire(undefined);
          lookAgain();
        }),
      );
      // Counts are of what was recorded before, too; a view that is open when VS Code starts is no reason for activation to
      // wait for that. That it cannot be read, the timeline says.
      setImmediate(() => recording.load().catch(() => undefined));
    }
  };
  store.add(
    view.onDidChangeVisibility(() => {
      look();
      lookAgain();
    }),
  );
  look();
  return { view, dispose: () => store.dispose() };
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
