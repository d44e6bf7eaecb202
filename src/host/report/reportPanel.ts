import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { type Comparison, compareReports } from '../../core/report/compareReports.ts';
import { comparisonHtml, comparisonMarkdown } from '../../core/report/comparisonText.ts';
import { reportHtml } from '../../core/report/html.ts';
import type { PageFrame } from '../../core/report/htmlPage.ts';
import { reportMarkdown } from '../../core/report/markdown.ts';
import type { ReportVoice } from '../../core/report/reportWords.ts';
import type { Report } from '../../protocol/report.ts';
import { VIEWS } from '../contributions.ts';
import { say } from '../say.ts';
import type { Shown } from '../timeline/timelineSurfaces.ts';
import { commandLink, editorVoice, plainVoice } from './reportVoice.ts';

/** A report as it was made, with what it was called where a person chose it. */
export interface NamedReport {
  readonly label: string;
  readonly report: Report;
}

/** What the panel shows. */
export type ShownReport =
  | { readonly kind: 'report'; readonly of: Shown; readonly made: NamedReport }
  | { readonly kind: 'comparison'; readonly of: Shown; readonly comparison: Comparison };

/** Commands that links of the page may run; VS Code refuses all others. */
const LINKED = [
  'faultline.openTimeline',
  'faultline.goToToolSource',
  'faultline.exportReport',
  'faultline.compareReport',
] as const;

const HASHED: Pick<PageFrame, 'hash'> = {
  hash: (text) => createHash('sha256').update(text).digest('base64'),
};

let panel: vscode.WebviewPanel | undefined;
let shown: ShownReport | undefined;

/** What the panel shows, while it is open. */
export function shownReport(): ShownReport | undefined {
  return shown;
}

/** Shows a report in the one panel that there is for them: a page without scripts. */
export function showInPanel(next: ShownReport, extensionUri: vscode.Uri): void {
  const title = vscode.l10n.t('Usability Report');
  if (panel === undefined) {
    panel = vscode.window.createWebviewPanel(VIEWS.report, title, vscode.ViewColumn.Active, {
      enableScripts: false,
      enableFindWidget: true,
      enableCommandUris: LINKED,
      localResourceRoots: [],
    });
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media', 'timeline-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media', 'timeline-dark.svg'),
    };
    panel.onDidDispose(() => {
      panel = undefined;
      shown = undefined;
    });
  } else {
    panel.reveal();
  }
  shown = next;
  panel.webview.html = htmlOf(next, editorVoice(next.of), {
    place: 'editor',
    ...HASHED,
    actions: [
      { label: say('usability.action.compare'), link: commandLink('faultline.compareReport') },
      { label: say('usability.action.export'), link: commandLink('faultline.exportReport') },
    ],
  });
}

/** The text of a file whose name ends so: `.html`, `.json`, or else Markdown. */
export function fileText(one: ShownReport, name: string): string {
  const voice = plainVoice(one.of);
  if (name.endsWith('.json')) {
    return `${JSON.stringify(one.kind === 'report' ? one.made.report : one.comparison, undefined, 2)}\n`;
  }
  if (name.endsWith('.html')) {
    return htmlOf(one, voice, { place: 'page', ...HASHED, actions: [] });
  }
  return one.kind === 'report' ? reportMarkdown(one.made.report, voice) : comparisonMarkdown(one.comparison, voice);
}

/** What has changed from the report that is of earlier calls to the other. */
export function comparisonOf(one: NamedReport, other: NamedReport): Comparison {
  const isEarlier = one.report.scope.fromUs <= other.report.scope.fromUs;
  return isEarlier ? compareReports(one, other) : compareReports(other, one);
}

function htmlOf(one: ShownReport, voice: ReportVoice, frame: PageFrame): string {
  return one.kind === 'report'
    ? reportHtml(one.made.report, voice, frame)
    : comparisonHtml(one.comparison, voice, frame);
}
