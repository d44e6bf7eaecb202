import * as vscode from 'vscode';
import type { Finding, Severity } from '../../protocol/finding.ts';
import { evidenceOf } from '../lint/diagnostics.ts';
import type { FindingStore, LintedFile } from '../lint/findingStore.ts';
import type { WireEvidence } from '../lint/wireEvidence.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';
import type { FindingNode, FindingSource } from './findingNodes.ts';

const { t } = vscode.l10n;

const icons: Readonly<Record<Severity, vscode.ThemeIcon>> = {
  error: new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground')),
  warning: new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground')),
  info: new vscode.ThemeIcon('info', new vscode.ThemeColor('problemsInfoIcon.foreground')),
  hint: new vscode.ThemeIcon('lightbulb'),
};

/** What the lint found, by file. */
export function lintFindings(store: FindingStore, evidence: WireEvidence): FindingSource {
  return {
    onDidChange: store.onDidChange,
    nodes: () =>
      store
        .all()
        .filter(({ findings, isIndexOnly }) => findings.length > 0 && !isIndexOnly)
        .sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1))
        .map(fileNode),
    dispose: () => undefined,
  };

  function fileNode({ uri, findings }: LintedFile): FindingNode {
    const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded);
    item.id = `lint ${uri.toString()}`;
    item.label = vscode.workspace.asRelativePath(uri);
    item.description = findings.length === 1 ? t('1 finding') : t('{0} findings', findings.length);
    item.iconPath = vscode.ThemeIcon.File;
    item.contextValue = 'findings.file';
    return { item, children: findings.map((finding, index) => findingNode(uri, finding, index)) };
  }

  function findingNode(uri: vscode.Uri, finding: Finding, index: number): FindingNode {
    const range = rangeOf(finding.range);
    const item = new vscode.TreeItem(say(finding.message, finding.args));
    const seen = evidenceOf(finding, evidence);
    item.id = `lint ${uri.toString()} ${index}`;
    item.description = [
      `${finding.rule} [${t('Ln {0}', range.start.line + 1)}]`,
      ...(seen === undefined ? [] : [t('seen {0}×', seen.count)]),
    ].join(' · ');
    item.tooltip = [item.label, ...(seen === undefined ? [] : [evidence.sentence(seen)])].join('\n');
    item.iconPath = icons[finding.severity];
    item.contextValue = seen === undefined ? 'findings.finding' : 'findings.finding.seen';
    item.command = { command: 'vscode.open', title: t('Go to source'), arguments: [uri, { selection: range }] };
    return { item, children: [], ...(seen === undefined ? {} : { row: seen.lastKey }) };
  }
}
