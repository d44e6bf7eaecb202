import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { safeLine, safeText } from '../../base/safeText.ts';
import type { ConnectionState } from '../../core/client/connection.ts';
import { clientLabelOf } from '../../core/client/discovery/clients.ts';
import type { ToolInfo } from '../../core/client/tools.ts';
import type { ToolTally } from '../../core/timeline/toolTallies.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';
import { failureName, rowView } from '../timeline/rowView.ts';
import type { ServerView } from './serverService.ts';
import { descriptionOf, type ServersTreeParts, type TreeNode } from './serversTree.ts';
import { callsText, failureTexts, p95Texts, sumOf, worstColour } from './tallyText.ts';
import { tapItem, tapsItem, tapsOf } from './tapItems.ts';
import { commandLineOf } from './trust.ts';

// Its own bundle, loaded when the Servers view is first looked at.

const { t } = vscode.l10n;

/** Text of servers is cut and made harmless wherever it is shown. */
const MAX_TEXT = 300;

type ItemParts = Pick<ServersTreeParts, 'servers' | 'stats' | 'recording' | 'seen' | 'clock'>;

/** What is under a node; the servers under none. */
export function childrenOf(node: TreeNode | undefined, parts: ItemParts): readonly TreeNode[] {
  if (node === undefined) {
    return [...parts.servers.views().map((view): TreeNode => ({ kind: 'server', view })), ...tapsOf(parts)];
  }
  if (node.kind === 'taps') {
    return node.taps.map((tap) => ({ kind: 'tap', tap }));
  }
  if (node.kind !== 'server') {
    return [];
  }
  const { view } = node;
  const newest = newestFailure(talliesOf(view, parts));
  const problem: readonly TreeNode[] =
    view.state.kind === 'failed' || newest !== undefined ? [{ kind: 'problem', view, row: newest }] : [];
  return [...problem, ...view.tools.map((tool): TreeNode => ({ kind: 'tool', view, tool }))];
}

/** How a node is drawn. */
export function itemOf(node: TreeNode, parts: ItemParts): vscode.TreeItem {
  switch (node.kind) {
    case 'server':
      return serverItem(node.view, talliesOf(node.view, parts));
    case 'tool':
      return toolItem(
        node.view,
        node.tool,
        talliesOf(node.view, parts).find(({ tool }) => tool === node.tool.name),
      );
    case 'problem':
      return node.view.state.kind === 'failed'
        ? failureItem(node.view, node.view.state)
        : failedCallItem(node.view, node.row, parts);
    case 'taps':
      return tapsItem(node);
    case 'tap':
      return tapItem(node.tap, parts.clock.wallUs());
    default:
      return assertNever(node);
  }
}

function serverItem(view: ServerView, tallies: readonly ToolTally[]): vscode.TreeItem {
  const { definition, state, tools } = view;
  const hasChildren = tools.length > 0 || state.kind === 'failed' || newestFailure(tallies) !== undefined;
  const item = new vscode.TreeItem(
    definition.name,
    hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  const { calls, failures } = sumOf(tallies);
  const client = clientLabelOf(definition.source.kind);
  item.id = definition.id;
  const described = (how: string) =>
    [
      ...(failures === 0 ? [] : [failures === 1 ? t('1 failure') : t('{0} failures', failures)]),
      how,
      ...(state.kind === 'running' ? [transportName(view)] : []),
      ...(client === undefined ? [] : [client]),
    ].join(' · ');
  // The side bar is narrow: what matters most comes first, and is short.
  item.description = described(state.kind === 'failed' ? failureName(state.failure.failure) : descriptionOf(view));
  item.tooltip = [
    `${definition.name}: ${descriptionOf(view)}`,
    ...remediesOf(view),
    ...(calls === 0 ? [] : [[callsText(calls), ...failureTexts(sumOf(tallies))].join(', ')]),
    commandLineOf(definition),
    definition.source.path ?? definition.source.kind,
  ].join('\n');
  item.iconPath = iconOf(state, view.why?.isLoop === true);
  item.contextValue = `server.${state.kind}`;
  // Who listens has no room to save, and wants the cause without opening the item.
  item.accessibilityInformation = { label: `${definition.name}, ${described(descriptionOf(view))}` };
  return item;
}

function toolItem(view: ServerView, tool: ToolInfo, tally: ToolTally | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(safeLine(tool.name, MAX_TEXT));
  const isAvailable = view.state.kind === 'running';
  const told = tally === undefined ? [] : [...failureTexts(tally), callsText(tally.calls)];
  item.id = `${view.definition.id}/${tool.name}`;
  item.description = [...(isAvailable ? [] : [t('unavailable')]), ...told].join(' · ');
  // The server's text is hostile: a plain string is not rendered as Markdown.
  item.tooltip = [
    safeText(tool.description ?? tool.title ?? tool.name),
    ...(tally === undefined ? [] : [[callsText(tally.calls), ...failureTexts(tally), ...p95Texts(tally)].join(', ')]),
  ].join('\n\n');
  const colour = isAvailable ? worstColour(tally ?? { outcomes: {} }) : 'disabledForeground';
  item.iconPath = new vscode.ThemeIcon('tools', colour === undefined ? undefined : new vscode.ThemeColor(colour));
  // A call connects the server first, so it is offered all the same.
  item.contextValue = 'tool';
  item.accessibilityInformation = { label: [tool.name, item.description].filter((text) => text !== '').join(', ') };
  return item;
}

/** Why a server is not there, with what to do about it. */
function failureItem(view: ServerView, state: Extract<ConnectionState, { kind: 'failed' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(view.why?.sentence ?? state.failure.failure.message);
  item.id = `${view.definition.id}#problem`;
  item.description = view.why?.remedy ?? '';
  item.tooltip = [item.label, ...remediesOf(view)].join('\n');
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('faultline.transportError'));
  item.contextValue = 'problem.server';
  item.command = showCommand({ kind: 'server', view });
  return item;
}

/** The newest of a server's calls that failed; a click goes to its row. */
function failedCallItem(view: ServerView, key: number | undefined, { recording }: ItemParts): vscode.TreeItem {
  const row = key === undefined ? undefined : recording.timeline.row(key);
  const item = new vscode.TreeItem(t('Last failure: {0}', safeLine(row?.target ?? row?.method ?? '?', MAX_TEXT)));
  item.id = `${view.definition.id}#problem`;
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('faultline.toolError'));
  item.contextValue = 'problem.call';
  if (row !== undefined) {
    const { outcome, reason } = rowView(row, view.definition.name, (endKey) => recording.exchange(endKey));
    item.description = safeLine(reason, MAX_TEXT);
    item.tooltip = [...(outcome === undefined ? [] : [outcomeNames[outcome]]), safeText(reason)].join('\n');
    item.command = { command: 'faultline.openTimeline', title: t('Open in timeline'), arguments: [row.key] };
  }
  return item;
}

function showCommand(node: TreeNode): vscode.Command {
  return { command: 'faultline.showInTimeline', title: t('Open in timeline'), arguments: [node] };
}

/** What to do about a failed server, and the last that it said. */
function remediesOf({ state, why }: ServerView): readonly string[] {
  if (state.kind !== 'failed') {
    return [];
  }
  const said = (state.failure.failure.stderrTail ?? []).map((line) => `stderr: ${safeText(line)}`);
  return [...(why === undefined ? [] : [why.remedy]), ...said];
}

function transportName({ definition: { transport } }: ServerView): string {
  return transport.type === 'stdio' ? 'stdio' : 'HTTP';
}

function talliesOf({ definition }: ServerView, { stats }: ItemParts): readonly ToolTally[] {
  return stats.all().filter(({ server }) => server === definition.id);
}

function newestFailure(tallies: readonly ToolTally[]): number | undefined {
  const keys = tallies.flatMap(({ lastFailure }) => lastFailure ?? []);
  return keys.length === 0 ? undefined : Math.max(...keys);
}

function iconOf(state: ConnectionState, isLoop: boolean): vscode.ThemeIcon {
  switch (state.kind) {
    case 'stopped':
      return new vscode.ThemeIcon('circle-outline');
    case 'stopping':
    case 'starting':
      return new vscode.ThemeIcon('loading~spin');
    case 'running':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('faultline.success'));
    case 'failed':
      return new vscode.ThemeIcon(
        isLoop ? 'sync-ignored' : 'debug-disconnect',
        new vscode.ThemeColor('faultline.transportError'),
      );
    default:
      return assertNever(state);
  }
}
