import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionHeader } from '../../core/export/sessionFile.ts';
import type { SessionProblem } from '../../core/export/sessionReader.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { type ReadableLog, Recording } from '../recording.ts';
import { replayRefusal } from '../replay/replayRefusal.ts';
import { say } from '../say.ts';
import type { ServerFacts } from '../timeline/timelineModel.ts';
import { showUserError, userErrors } from '../userError.ts';
import { createFileLog } from './fileLog.ts';
import { readSessionFile } from './readFile.ts';

// Its own bundle, loaded when the first session file is opened.

const { t } = vscode.l10n;

/** A session file that is open, with its projection. */
export interface SessionDocument extends vscode.CustomDocument {
  readonly recording: Recording<ReadableLog>;
  /** What its timeline says in the place of servers. */
  readonly facts: ServerFacts;
}

/** Reads a session file to show it. Rejects with a sentence when it is none; what else is wrong with it is told. */
export async function openSessionDocument(uri: vscode.Uri, token: vscode.CancellationToken): Promise<SessionDocument> {
  const { header, events, problems, fatal } = await readSessionFile(uri, token);
  if (fatal !== undefined) {
    throw new Error(say(fatal.code, fatal.args));
  }
  if (problems.length > 0) {
    void showUserError(userErrors.damagedSession(path.posix.basename(uri.path), summaryOf(problems)), 'warning');
  }
  const recording = new Recording<ReadableLog>(createFileLog(uri.fsPath, events, header?.sessions));
  return { uri, recording, facts: factsOf(uri, header, recording), dispose: () => recording.dispose() };
}

/** The first problems in words, and how many more there are. */
function summaryOf(problems: readonly SessionProblem[]): string {
  const shown = problems.slice(0, 2).map(({ code, args }) => say(code, args));
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [t('And {0} more problems.', more)] : [])].join(' ');
}

function factsOf(uri: vscode.Uri, header: SessionHeader | undefined, recording: Recording<ReadableLog>): ServerFacts {
  const names = (header?.sessions ?? []).flatMap(({ name }) => name ?? []);
  const leftOut = header?.leftOut ?? [];
  const summary = [
    ...(names.length > 0 ? [names.slice(0, 3).join(', ')] : []),
    ...(header === undefined || header.exportedAt === '' ? [] : [t('exported {0}', header.exportedAt.slice(0, 10))]),
    ...(leftOut.length > 0 ? [t('some of it left out')] : []),
  ].join(' · ');
  return {
    nameOf: nameInId,
    describe: () => t('from a session file'),
    summary: () => summary,
    // Its servers are not connected; onto which one of this window it goes is asked then.
    replayRefusal: (key) => {
      const row = recording.timeline.row(key);
      return replayRefusal(row === undefined ? undefined : recording.exchange(row.endKey));
    },
    file: { uri: uri.toString(), text: t('session file, read only') },
  };
}
