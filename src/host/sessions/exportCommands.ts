import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileNameOf } from '../../base/fileName.ts';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import { createBugReport } from '../../core/export/bugReportBundle.ts';
import { writeHar } from '../../core/export/har.ts';
import { SESSION_FORMAT, type SessionEntry, writeSession } from '../../core/export/sessionFile.ts';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import { writeWhole } from '../../core/export/writeWhole.ts';
import { EventRedaction } from '../../core/log/redact/redactEvent.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';
import type { ReadableLog } from '../recording.ts';
import { say } from '../say.ts';
import { showUserError, userErrors } from '../userError.ts';
import { eventsOf } from './eventsOf.ts';
import { pickSession } from './pickSession.ts';

// Its own bundle, loaded with the first export.

const { t } = vscode.l10n;

/** What is exported: the log that is shown where the person looked last, and the row that is selected there. */
export interface ExportSource {
  readonly log: ReadableLog;
  /** Key of the exchange behind the selected row. */
  readonly selected: Exchange | undefined;
  /** Version of the extension. */
  readonly version: string;
}

/** Asks for a session and a file, and writes the one to the other: as a session file, or as HAR by its name. */
export async function exportSession({ log, version }: ExportSource): Promise<void> {
  const sessions = log.sessions();
  const chosen = await pickSession(sessions, t('Export which session?'));
  if (chosen === undefined) {
    return;
  }
  const file = await askForFile(`${nameFor(chosen)}.faultline.jsonl`, {
    [t('Faultline session')]: ['jsonl'],
    [t('HTTP archive (HTTP exchanges only)')]: ['har'],
  });
  if (file === undefined) {
    return;
  }
  const ids = new Set(chosen.map(({ id }) => id));
  const events = eventsOf(log, ({ session }) => ids.has(session));
  const pieces = file.endsWith('.har')
    ? writeHar(events, version)
    : writeSession({ ...headerOf(chosen, version), redacted: false, leftOut: [] }, events);
  await write(file, pieces);
}

/** Asks what the report is to be about and for a file, and writes the page and the session file beside it. */
export async function exportBugReport({ log, selected, version }: ExportSource): Promise<void> {
  const sessions = log.sessions();
  if (sessions.length === 0) {
    await showUserError(userErrors.nothingRecorded(), 'warning');
    return;
  }
  const isWanted = await pickExchanges(selected);
  const file = isWanted === undefined ? undefined : await askForFile('faultline-bug-report.html', { HTML: ['html'] });
  if (isWanted === undefined || file === undefined) {
    return;
  }
  const sessionFile = path.join(path.dirname(file), `${path.parse(file).name}.faultline.jsonl`);
  const { exportedAt, faultline, sessions: entries } = headerOf(sessions, version);
  const bundle = await createBugReport({
    events: () => eventsOf(log),
    createProjector: () => new Correlator(judge),
    isWanted,
    redact: freshRedaction(),
    say,
    version: faultline,
    exportedAt,
    environment: `${process.platform} ${process.arch}, VS Code ${vscode.version}`,
    sessions: entries,
    sessionFile: path.basename(sessionFile),
  });
  await writeWhole(bundle.session, sessionFile);
  await write(file, [bundle.html()]);
}

/** Replaces secrets by the rules of now: what was recorded was redacted by those of then. */
function freshRedaction(): (event: LogEvent) => LogEvent {
  const redaction = new EventRedaction(new Redactor(randomBytes(32)));
  return (event) => ({ ...redaction.redact(event), seq: event.seq });
}

async function pickExchanges(selected: Exchange | undefined): Promise<((exchange: Exchange) => boolean) | undefined> {
  interface Choice extends vscode.QuickPickItem {
    readonly isWanted: (exchange: Exchange) => boolean;
  }
  const isFailure = ({ verdict }: Exchange) => verdict !== undefined && FAILURE_KINDS.has(verdict.outcome);
  const isOfRow = (one: Exchange, { key, chain }: Exchange) =>
    key === one.key || (chain !== undefined && chain.id === one.chain?.id);
  const choices: readonly Choice[] = [
    ...(selected === undefined
      ? []
      : [
          {
            label: t('The Selected Exchange'),
            description: selected.target ?? selected.method,
            isWanted: (exchange: Exchange) => isOfRow(selected, exchange),
          },
        ]),
    { label: t('All Failures'), description: t('every exchange that did not do what was asked'), isWanted: isFailure },
    { label: t('Everything'), description: t('every exchange'), isWanted: () => true },
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: t('What is the bug report about?') });
  return chosen?.isWanted;
}

async function askForFile(name: string, filters: Record<string, string[]>): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    filters,
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri !== undefined && uri.scheme !== 'file') {
    await showUserError(userErrors.notOnDisk(uri.scheme), 'warning');
    return undefined;
  }
  return uri?.fsPath;
}

/** Writes with a progress that can be cancelled, and says where to. */
async function write(file: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const name = path.basename(file);
  const isWritten = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title: t('Exporting {0}', name) },
    async (_progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      try {
        await writeWhole(pieces, file, controller.signal);
        return true;
      } catch (error) {
        if (controller.signal.aborted) {
          return false;
        }
        throw error;
      }
    },
  );
  if (!isWritten) {
    return;
  }
  const open = t('Open');
  void vscode.window
    .showInformationMessage(t('Exported to {0}', name), open)
    .then((answer) =>
      answer !== open
        ? undefined
        : name.endsWith('.html')
          ? vscode.env.openExternal(vscode.Uri.file(file))
          : vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file)),
    );
}

function headerOf(sessions: readonly SessionSummary[], version: string) {
  return {
    faultlineSession: SESSION_FORMAT,
    exportedAt: new Date().toISOString(),
    faultline: version,
    sessions: sessions.map(
      ({ id, name, pinned }): SessionEntry => ({
        id,
        ...(name === undefined ? {} : { name }),
        ...(pinned ? { pinned } : {}),
      }),
    ),
  } as const;
}

/** A name for the file: the session's own, or the day that it began. */
function nameFor([first, second]: readonly SessionSummary[]): string {
  const name = second === undefined ? fileNameOf(first?.name ?? '') : '';
  return name !== '' ? name : `faultline-${new Date((first?.firstUs ?? 0) / 1000).toISOString().slice(0, 10)}`;
}
