import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import { showUserError, userErrors } from '../userError.ts';

const { t } = vscode.l10n;

export interface SessionItem extends vscode.QuickPickItem {
  readonly sessions: readonly SessionSummary[];
}

/** A session in the words of a list, its pin and its size with it. */
export function sessionItem(session: SessionSummary): SessionItem {
  const { name, pinned, firstUs, lastUs, events, bytes } = session;
  const began = new Date(firstUs / 1000);
  const minutes = Math.max(1, Math.round((lastUs - firstUs) / 60_000_000));
  return {
    label: `${pinned ? '$(pinned) ' : ''}${name ?? began.toLocaleString()}`,
    ...(name === undefined ? {} : { description: began.toLocaleString() }),
    detail: t('{0} min, {1} events, {2} KB', minutes, events, Math.ceil(bytes / 1024)),
    sessions: [session],
  };
}

/** Asks for one of the recorded sessions, the newest first, or for all of them. With only one there is nothing to ask. */
export async function pickSession(
  sessions: readonly SessionSummary[],
  title: string,
): Promise<readonly SessionSummary[] | undefined> {
  if (sessions.length === 0) {
    await showUserError(userErrors.nothingRecorded(), 'warning');
    return undefined;
  }
  if (sessions.length === 1) {
    return sessions;
  }
  const items: readonly SessionItem[] = [
    ...sessions.toReversed().map(sessionItem),
    { label: t('All Sessions'), description: t('{0} sessions', sessions.length), sessions },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.sessions;
}
