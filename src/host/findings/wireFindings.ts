import * as vscode from 'vscode';
import { safeLine } from '../../base/safeText.ts';
import type { SilentTool, SilentTools } from '../../core/timeline/silentTools.ts';
import type { WireEvidence } from '../lint/wireEvidence.ts';
import { type FindingNode, MAX_NAME, type ServerFindingSource } from './findingNodes.ts';

const { t } = vscode.l10n;

/** Tools that were seen returning errors as successes, the newest first. */
export function wireFindings(silent: SilentTools, evidence: WireEvidence): ServerFindingSource {
  return {
    onDidChange: evidence.onDidChange,
    byServer: () => {
      const newestFirst = [...silent.all()].sort((a, b) => b.lastUs - a.lastUs);
      const byServer = Map.groupBy(newestFirst, ({ server }) => server);
      return new Map([...byServer].map(([server, tools]) => [server, tools.map(toolNode)]));
    },
    dispose: () => undefined,
  };

  function toolNode({ server, tool, count, lastUs, lastKey }: SilentTool): FindingNode {
    const item = new vscode.TreeItem(safeLine(tool, MAX_NAME));
    const errors = count === 1 ? t('1 silent error') : t('{0} silent errors', count);
    item.id = `wire ${server} ${tool}`;
    item.description = [errors, evidence.ago(lastUs)].join(' · ');
    item.tooltip = t('The tool reports failures as successes. Click to see the newest in the timeline.');
    item.iconPath = new vscode.ThemeIcon('eye-closed', new vscode.ThemeColor('faultline.silentError'));
    item.contextValue = 'findings.tool.silent';
    item.command = { command: 'faultline.openTimeline', title: t('Open in timeline'), arguments: [lastKey] };
    item.accessibilityInformation = { label: `${tool}, ${item.description}` };
    return { item, children: [], toolName: tool, server, row: lastKey };
  }
}
