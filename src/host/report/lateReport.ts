import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import { writeWhole } from '../../core/export/writeWhole.ts';
import { silentTools, withSources } from '../../core/report/sources.ts';
import type { Report } from '../../protocol/report.ts';
import { offer } from '../offer.ts';
import type { Services } from '../services.ts';
import { pickSession, sessionItem } from '../sessions/pickSession.ts';
import type { Shown } from '../timeline/timelineSurfaces.ts';
import { showUserError, userErrors } from '../userError.ts';
import { readReport } from './readReport.ts';
import { comparisonOf, fileText, type NamedReport, showInPanel, shownReport } from './reportPanel.ts';

// Its own bundle, loaded with the first report.

const { t } = vscode.l10n;

type ReportServices = Pick<Services, 'surfaces' | 'lint' | 'context'>;

/** Asks for a session of what the person looked at last, and shows the report of it. */
export async function showReport(services: ReportServices): Promise<void> {
  const of = services.surfaces.current;
  const made = await make(services, of, t('Report on which session?'));
  if (made !== undefined) {
    showInPanel({ kind: 'report', of, made }, services.context.extensionUri);
  }
}

/** Compares what is shown with a session, or two sessions where no report is. */
export async function compareReport(services: ReportServices): Promise<void> {
  const open = shownReport();
  const of = open?.of ?? services.surfaces.current;
  const one = open?.kind === 'report' ? open.made : await make(services, of, t('Compare which session?'));
  const other = one === undefined ? undefined : await make(services, of, t('With which session?'));
  if (one !== undefined && other !== undefined) {
    const comparison = comparisonOf(one, other);
    showInPanel({ kind: 'comparison', of, comparison }, services.context.extensionUri);
  }
}

/** Writes what is shown to a file; where no report is, the one that a person asks for first. */
export async function exportReport(services: ReportServices): Promise<void> {
  if (shownReport() === undefined) {
    await showReport(services);
  }
  const shown = shownReport();
  const file = shown === undefined ? undefined : await askForFile();
  if (shown === undefined || file === undefined) {
    return;
  }
  await writeWhole([fileText(shown, file.toLowerCase())], file);
  const uri = vscode.Uri.file(file);
  offer(vscode.window.showInformationMessage, t('Exported to {0}', path.basename(file)), {
    title: t('Open'),
    run: () =>
      file.endsWith('.html') ? vscode.env.openExternal(uri) : vscode.commands.executeCommand('vscode.open', uri),
  });
}

async function make(services: ReportServices, of: Shown, question: string): Promise<NamedReport | undefined> {
  const { log } = of.recording;
  const sessions = await pickSession(log.sessions(), question);
  const { version } = services.context.extension.packageJSON as { version: string };
  const report = sessions === undefined ? undefined : await readReport(log, sessions, version);
  return sessions === undefined || report === undefined
    ? undefined
    : { label: labelOf(sessions), report: await located(services, report) };
}

/** The report with places in the source of the tools that fail silently, as far as the workspace has it. */
async function located({ lint }: ReportServices, report: Report): Promise<Report> {
  const silent = silentTools(report);
  if (silent.length === 0) {
    return report;
  }
  const sources = await (await lint.load()).sourcesOf(new Set(silent.map(({ tool }) => tool)));
  return withSources(report, ({ tool }) => sources.get(tool));
}

function labelOf(sessions: readonly SessionSummary[]): string {
  const [first, second] = sessions;
  return first === undefined || second !== undefined
    ? t('{0} sessions', sessions.length)
    : sessionItem(first).label.replace(/^\$\([\w-]+\) /, '');
}

async function askForFile(): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    filters: { Markdown: ['md'], HTML: ['html'], JSON: ['json'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, 'faultline-report.md') }),
  });
  if (uri !== undefined && uri.scheme !== 'file') {
    await showUserError(userErrors.notOnDisk(uri.scheme), 'warning');
    return undefined;
  }
  return uri?.fsPath;
}
