import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { safeLine } from '../../base/safeText.ts';
import type { Behaviour } from '../../protocol/behaviour.ts';
import type { WireEvidence } from '../lint/wireEvidence.ts';
import type { Recording } from '../recording.ts';
import { type FindingNode, MAX_NAME, type ServerFindingSource } from './findingNodes.ts';
import { gathered } from './gathered.ts';

const { t } = vscode.l10n;

/** What callers do with tools: loops and calls that may have been executed twice, the newest first. */
export function callerFindings(
  recording: Pick<Recording, 'timeline' | 'recentBehaviours'>,
  evidence: WireEvidence,
  clock: Clock,
): ServerFindingSource {
  const changes = gathered(recording.timeline.onDidChange, clock, () =>
    recording
      .recentBehaviours()
      .map(({ id, count }) => `${id} ${count}`)
      .join('\n'),
  );
  return {
    onDidChange: changes.onDidChange,
    byServer: () => {
      const byServer = Map.groupBy(recording.recentBehaviours().toReversed(), ({ server }) => server);
      return new Map([...byServer].map(([server, behaviours]) => [server, behaviours.map(behaviourNode)]));
    },
    dispose: () => changes.dispose(),
  };

  function behaviourNode({ id, kind, server, tool, count, exchanges, endUs }: Behaviour): FindingNode {
    const isLoop = kind === 'loop';
    const item = new vscode.TreeItem(safeLine(tool, MAX_NAME));
    const what = isLoop ? t('loop of {0} calls', count) : t('possible duplicate');
    item.id = `callers ${server} ${id}`;
    item.description = [what, evidence.ago(endUs)].join(' · ');
    item.tooltip = isLoop
      ? t('The same call with the same arguments, again and again after it had failed.')
      : t('Sent again after an attempt whose fate is not known: it may have been executed twice.');
    item.iconPath = new vscode.ThemeIcon(isLoop ? 'sync' : 'copy');
    item.contextValue = 'findings.tool.behaviour';
    const newest = exchanges.at(-1);
    if (newest !== undefined) {
      item.command = { command: 'faultline.openTimeline', title: t('Open in timeline'), arguments: [newest] };
    }
    item.accessibilityInformation = { label: `${tool}, ${item.description}` };
    return { item, children: [], toolName: tool, server, ...(newest === undefined ? {} : { row: newest }) };
  }
}
