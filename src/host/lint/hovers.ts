import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { SilentCalls } from '../../core/timeline/silentTools.ts';
import { rulePage } from '../../protocol/rulePages.ts';
import { rangeOf } from '../ranges.ts';
import { evidenceOf, unexplainedTools } from './diagnostics.ts';
import type { FindingStore } from './findingStore.ts';
import { lintSelector } from './selector.ts';
import { wireConsequences } from './wireConsequences.ts';
import type { WireEvidence } from './wireEvidence.ts';

const { t } = vscode.l10n;

/** Says over a finding what the model sees because of it, and what was seen of it on the wire. */
export function registerHovers(findings: FindingStore, evidence: WireEvidence): Disposable {
  return vscode.languages.registerHoverProvider(lintSelector, {
    provideHover: (document, position) => {
      const lines = findings
        .findings(document)
        .filter(({ range }) => rangeOf(range).contains(position))
        .map((finding) => {
          const consequence = wireConsequences[finding.rule];
          const head = `**[${finding.rule} ${finding.name}](${rulePage(finding.rule)})**`;
          return [
            head,
            ...(consequence === undefined ? [] : [consequence]),
            ...seenLines(evidenceOf(finding, evidence)),
          ].join('\n\n');
        });
      const file = findings.get(document.uri);
      const unexplained = file?.version === document.version ? unexplainedTools(file, evidence) : [];
      const silent = unexplained
        .filter(({ range }) => range.contains(position))
        .map(({ seen }) => seenLines(seen).join('\n\n'));
      const texts = [...lines, ...silent];
      return texts.length === 0 ? undefined : new vscode.Hover(texts.map(markdown));
    },
  });

  function seenLines(seen: SilentCalls | undefined): readonly string[] {
    // A key is a number: nothing of the server's text gets into the link.
    const link = (key: number) => `command:faultline.openTimeline?${encodeURIComponent(JSON.stringify([key]))}`;
    return seen === undefined ? [] : [`${evidence.sentence(seen)} [${t('Open in timeline')}](${link(seen.lastKey)})`];
  }
}

function markdown(text: string): vscode.MarkdownString {
  const made = new vscode.MarkdownString(text);
  made.isTrusted = { enabledCommands: ['faultline.openTimeline'] };
  return made;
}
