import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { safeLine } from '../../base/safeText.ts';
import { agentsByClient, type ClientVerdict } from '../../core/report/agentsByClient.ts';
import { type ReportVoice, ReportWords } from '../../core/report/reportWords.ts';
import type { AgentEvidence, AgentVerdict } from '../../protocol/report.ts';
import type { AgentAct } from '../../protocol/reportTerms.ts';
import type { Recording } from '../recording.ts';
import { type FindingNode, type FindingSource, MAX_NAME } from './findingNodes.ts';
import { gathered } from './gathered.ts';

const { t } = vscode.l10n;

/** Sessions that are told, the newest. */
const MAX_VERDICTS = 20;

const ICONS: Readonly<Record<AgentAct, string>> = {
  blind_retry: 'debug-restart',
  loop: 'sync',
  possible_duplicate: 'copy',
  used_silent_error: 'eye-closed',
  ignored_partial: 'circle-large',
  give_up: 'debug-step-out',
  recovery: 'check',
};

const GRADE_ICONS: Readonly<Record<AgentVerdict['grade'], string>> = {
  'nothing-failed': 'pass',
  'too-few': 'question',
  recovers: 'pass',
  mixed: 'warning',
  struggles: 'error',
};

/** How the agents behind clients dealt with failures, each client in each session, the newest first. */
export function agentFindings(
  recording: Pick<Recording, 'timeline' | 'agentVerdicts'>,
  voice: ReportVoice,
  clock: Clock,
): FindingSource {
  const words = new ReportWords(voice);
  const changes = gathered(recording.timeline.onDidChange, clock, () => verdicts().map(signature).join('\n'));
  return {
    onDidChange: changes.onDidChange,
    nodes: () => {
      const all = verdicts();
      return all.length === 0 ? [] : [rootNode(all.map(verdictNode))];
    },
    dispose: () => changes.dispose(),
  };

  /** Those that met a failure. */
  function verdicts(): readonly AgentVerdict[] {
    return recording
      .agentVerdicts()
      .filter(({ failures }) => failures > 0)
      .slice(-MAX_VERDICTS)
      .toReversed();
  }

  function verdictNode(verdict: AgentVerdict): FindingNode {
    const [summed] = agentsByClient([verdict]);
    const name = safeLine(words.client(verdict), MAX_NAME);
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `agent ${verdict.session} ${verdict.origin}`;
    item.description = [words.say(`usability.grade.${verdict.grade}`), ...acts(verdict)].join(' · ');
    item.tooltip = summed === undefined ? name : sentence(summed);
    item.iconPath = new vscode.ThemeIcon(GRADE_ICONS[verdict.grade]);
    item.contextValue = 'findings.agent';
    item.accessibilityInformation = { label: `${name}, ${item.description}` };
    return { item, children: verdict.evidence.toReversed().map(evidenceNode) };
  }

  function sentence(verdict: ClientVerdict): string {
    return safeLine(words.agent(verdict), 1000);
  }

  /** In short, the worst first; the tooltip has it in a sentence. */
  function acts({ acts: counts, loopCalls }: AgentVerdict): readonly string[] {
    return (Object.entries(counts) as [AgentAct, number][]).map(([kind, count]) => words.act(kind, count, loopCalls));
  }

  function evidenceNode({ session, origin, kind, server, tool, exchanges, count }: AgentEvidence): FindingNode {
    const row = exchanges[0];
    const item = new vscode.TreeItem(safeLine(tool, MAX_NAME));
    item.id = `agent ${session} ${origin} ${kind} ${exchanges.join(' ')}`;
    item.description = [words.act(kind, 1, count), voice.nameOf(server)].join(' · ');
    item.iconPath = new vscode.ThemeIcon(ICONS[kind]);
    item.contextValue = 'findings.tool.behaviour';
    if (row !== undefined) {
      item.command = { command: 'faultline.openTimeline', title: t('Open in timeline'), arguments: [row] };
    }
    item.accessibilityInformation = { label: `${tool}, ${item.description}` };
    return { item, children: [], toolName: tool, server, ...(row === undefined ? {} : { row }) };
  }
}

function rootNode(children: readonly FindingNode[]): FindingNode {
  const item = new vscode.TreeItem(t('How agents dealt with failures'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = 'agents';
  item.iconPath = new vscode.ThemeIcon('hubot');
  item.contextValue = 'findings.agents';
  item.tooltip = t('What each client did after its calls had failed. Show Usability Report tells more.');
  return { item, children };
}

function signature({ session, origin, failures, acts, loopCalls }: AgentVerdict): string {
  return JSON.stringify([session, origin, failures, acts, loopCalls]);
}
