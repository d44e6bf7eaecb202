import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import type { EventLog } from '../../core/log/eventLog.ts';
import type { SessionId } from '../../protocol/events.ts';
import { showUserError, userErrors } from '../userError.ts';
import { type SessionItem, sessionItem } from './pickSession.ts';

// Its own bundle, loaded when sessions are looked through.

const { t } = vscode.l10n;

/** Lists the recorded sessions, to be named, pinned and deleted; several can be chosen to be deleted together. */
export function manageSessions(log: EventLog, current: SessionId): void {
  if (log.sessions().length === 0) {
    void showUserError(userErrors.nothingRecorded(), 'warning');
    return;
  }
  const rename: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: t('Name') };
  const pin: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('pin'), tooltip: t('Pin') };
  const unpin: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('pinned'), tooltip: t('Unpin') };
  const items = () =>
    [...log.sessions()].reverse().map((session) => {
      const item = sessionItem(session);
      const description = [item.description, ...(session.id === current ? [t('recording now')] : [])].filter(Boolean);
      return { ...item, description: description.join(' · '), buttons: [rename, session.pinned ? unpin : pin] };
    });

  const list = vscode.window.createQuickPick<SessionItem>();
  list.title = t('Delete Which Recorded Sessions?');
  list.placeholder = t('A pinned session is kept whatever the limits of the log.');
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.items = items();
  list.onDidTriggerItemButton(async ({ button, item }) => {
    const [session] = item.sessions;
    if (session === undefined) {
      return;
    }
    if (button === rename) {
      list.hide();
      await nameSession(log, session);
      manageSessions(log, current);
    } else {
      tell(log.pinSession(session.id, button === pin));
      list.items = items();
    }
  });
  list.onDidAccept(() => {
    const chosen = list.selectedItems.flatMap(({ sessions }) => sessions);
    list.hide();
    void deleteSessions(log, chosen);
  });
  list.onDidHide(() => list.dispose());
  list.show();
}

async function nameSession(log: EventLog, { id, name }: SessionSummary): Promise<void> {
  const given = await vscode.window.showInputBox({
    title: t('Name of the Session'),
    prompt: t('Empty takes the name away.'),
    value: name ?? '',
  });
  if (given !== undefined) {
    tell(log.nameSession(id, given.trim() === '' ? undefined : given.trim()));
  }
}

async function deleteSessions(log: EventLog, sessions: readonly SessionSummary[]): Promise<void> {
  if (sessions.length === 0) {
    return;
  }
  const events = sessions.reduce((sum, session) => sum + session.events, 0);
  const proceed = t('Delete');
  const answer = await vscode.window.showWarningMessage(
    sessions.length === 1 ? t('Delete this session?') : t('Delete {0} sessions?', sessions.length),
    { modal: true, detail: t('{0} events will be deleted. This cannot be undone.', events) },
    proceed,
  );
  if (answer === proceed) {
    tell(sessions.every(({ id }) => log.deleteSession(id)));
  }
}

function tell(isDone: boolean): void {
  if (!isDone) {
    void showUserError(userErrors.logInUse(), 'warning');
  }
}
