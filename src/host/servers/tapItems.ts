import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { ownLanguage } from '../language.ts';
import { ago } from '../relativeTime.ts';
import type { TappedServer } from '../taps/tappedServers.ts';
import type { ServersTreeParts, TapNode, TreeNode } from './serversTree.ts';

const { t } = vscode.l10n;

/** What clients and servers say of themselves is cut and made harmless wherever it is shown. */
const MAX_TEXT = 100;
/** Further ones are in the timeline. */
const MAX_TAPS = 50;

/** The group of what other clients do through taps; nothing as long as there is none. */
export function tapsOf({ recording, seen }: Pick<ServersTreeParts, 'recording' | 'seen'>): readonly TreeNode[] {
  const sessions = new Set<string>(seen.isEmpty ? [] : recording.log.sessions().map(({ id }) => id));
  const taps = seen.all(sessions).slice(0, MAX_TAPS);
  return taps.length === 0 ? [] : [{ kind: 'taps', taps, open: taps.filter(({ open }) => open > 0).length }];
}

export function tapsItem({ taps, open }: Extract<TapNode, { kind: 'taps' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Seen through taps'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = '#taps';
  item.description = t('{0} of {1} connected', open, taps.length);
  item.iconPath = new vscode.ThemeIcon('eye');
  item.contextValue = 'taps';
  return item;
}

/** `nowUs`: wall time, µs. */
export function tapItem(tap: TappedServer, nowUs: number): vscode.TreeItem {
  const { server, client, connections, open, lastUs } = tap;
  const name = safeLine(nameInId(server), MAX_TEXT);
  const item = new vscode.TreeItem(name);
  const who = safeLine(client, MAX_TEXT);
  const state = open > 0 ? t('connected') : t('ended');
  item.id = `#tap/${JSON.stringify([server, client])}`;
  item.description = [who, state].join(' · ');
  item.tooltip = [
    t('{0} uses {1}', who, name),
    connections === 1 ? state : t('{0} connections, {1} of them open', connections, open),
    t('Last seen {0}', ago(lastUs / 1000, nowUs / 1000, ownLanguage())),
  ].join('\n');
  item.iconPath = new vscode.ThemeIcon(
    open > 0 ? 'pass' : 'circle-outline',
    open > 0 ? new vscode.ThemeColor('faultline.success') : undefined,
  );
  item.contextValue = 'tap';
  item.accessibilityInformation = { label: `${name}, ${item.description}` };
  const title = t('Open in timeline');
  item.command = { command: 'faultline.showInTimeline', title, arguments: [{ kind: 'tap', tap } satisfies TreeNode] };
  return item;
}
