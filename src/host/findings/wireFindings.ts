import * as vscode from 'vscode';
import type { SilentTool, SilentTools } from '../../core/timeline/silentTools.ts';
import type { WireEvidence } from '../lint/wireEvidence.ts';
import type { ServerFacts } from '../timeline/timelineModel.ts';
import type { FindingNode, FindingSource } from './findingNodes.ts';

const { t } = vscode.l10n;

/** Tools that were seen returning errors as successes, by server. */
export function wireFindings(
  silent: SilentTools,
  evidence: WireEvidence,
  servers: Pick<ServerFacts, 'nameOf'>,
): FindingSource {
  return {
    onDidChange: evidence.onDidChange,
    nodes: () => {
      const byServer = Map.groupBy(silent.all(), ({ server }) => server);
      return [...byServer].map(([server, tools]) => serverNode(server, tools));
    },
    dispose: () => undefined,
  };

  function serverNode(server: string, tools: readonly SilentTool[]): FindingNode {
    const name = servers.nameOf(server);
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
    item.id = `wire ${server}`;
    item.description = t('seen on the wire');
    item.iconPath = new vscode.ThemeIcon('server');
    item.contextValue = 'findings.server';
    const newestFirst = [...tools].sort((a, b) => b.lastUs - a.lastUs);
    return { item, children: newestFirst.map(toolNode) };
  }

  function toolNode({ server, tool, count, lastUs, lastKey }: SilentTool): FindingNode {
    const item = new vscode.TreeItem(tool);
    const errors = count === 1 ? t('1 silent error') : t('{0} silent errors', count);
    item.id = `wire ${server} ${tool}`;
    item.description = [errors, evidence.ago(lastUs)].join(' · ');
    item.tooltip = t('The tool reports failures as successes. Click to see the newest in the timeline.');
    item.iconPath = new vscode.ThemeIcon('eye-closed', new vscode.ThemeColor('faultline.silentError'));
    item.contextValue = 'findings.silentTool';
    item.command = { command: 'faultline.openTimeline', title: t('Open in timeline'), arguments: [lastKey] };
    item.accessibilityInformation = { label: `${tool}, ${item.description}` };
    return { item, children: [] };
  }
}
