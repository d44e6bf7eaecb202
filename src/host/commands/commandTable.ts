import * as vscode from 'vscode';
import { VIEWS } from '../contributions.ts';
import type { CommandTable } from '../manifest.ts';
import type { Services } from '../services.ts';
import type { ExportSource } from '../sessions/exportCommands.ts';
import { showUserError, userErrors } from '../userError.ts';
import { callByHand } from './callTool.ts';
import { copyExchange } from './copyExchange.ts';
import { reportDebugInformation } from './debugInformation.ts';
import { pickServer } from './pickServer.ts';

const { t } = vscode.l10n;

/** Every command on the services. One that fails says so with its name; none fails silently. */
export function commandTable(services: Services): CommandTable {
  const { servers, surfaces, replays } = services;
  const selected = (row: number | undefined) => row ?? surfaces.selection;
  const table: CommandTable = {
    'faultline.runDemo': async () => (await import('./runDemo.ts')).runDemo(services),
    'faultline.connectServer': async (target) => {
      const view = await pickServer(servers, target, t('Connect which server?'));
      const state = view === undefined ? undefined : await servers.connect(view.definition.id);
      if (view !== undefined && state?.kind === 'failed') {
        await surfaces.openView();
        const why = servers.view(view.definition.id)?.why;
        const told = why === undefined ? [] : [why.sentence, why.remedy];
        vscode.window.setStatusBarMessage(`${view.definition.name}: ${told.join(' ')}`, 10_000);
      }
    },
    'faultline.connectAll': async () => {
      await servers.loaded;
      if (servers.definitions().length === 0) {
        await showUserError(userErrors.noServers(), 'warning');
        return;
      }
      await servers.connectAll();
    },
    'faultline.disconnectServer': async (target) => {
      const view = await pickServer(servers, target, t('Disconnect which server?'));
      if (view !== undefined) {
        await servers.disconnect(view.definition.id);
      }
    },
    'faultline.restartServer': async (target) => {
      const view = await pickServer(servers, target, t('Restart which server?'));
      if (view !== undefined) {
        await servers.restart(view.definition.id);
      }
    },
    'faultline.setSecret': async () => (await import('../servers/lateServers.ts')).setSecret(services.values),
    'faultline.signOut': async (target) => {
      const view = await pickServer(servers, target, t('Sign out of which server?'));
      if (view !== undefined) {
        await (await import('../servers/lateServers.ts')).signOut(servers, services.values, view);
      }
    },
    'faultline.callTool': (target) => callByHand('callTool', services, target),
    'faultline.readResource': (target) => callByHand('readResource', services, target),
    'faultline.getPrompt': (target) => callByHand('getPrompt', services, target),
    'faultline.replayWithBackoff': (row) => replays.replay(selected(row)),
    'faultline.cancelReplay': () => replays.cancel(),
    'faultline.openTimeline': (row) => (typeof row === 'number' ? surfaces.reveal(row) : surfaces.openView('take')),
    'faultline.openTimelineInEditor': () => surfaces.openEditor(),
    'faultline.nextError': () => surfaces.act('nextError'),
    'faultline.previousError': () => surfaces.act('previousError'),
    'faultline.filterTimeline': () => surfaces.act('focusFilter'),
    'faultline.copyExchange': (row) => {
      const { recording, key } = surfaces.current;
      return copyExchange(recording, row ?? key);
    },
    'faultline.clearTimeline': () => clearTimeline(services),
    'faultline.exportSession': async () =>
      (await import('../sessions/exportCommands.ts')).exportSession(exportSource(services)),
    'faultline.exportBugReport': async () =>
      (await import('../sessions/exportCommands.ts')).exportBugReport(exportSource(services)),
    'faultline.openSession': () => openSession(),
    'faultline.deleteSessions': async () => {
      const { manageSessions } = await import('../sessions/manageSessions.ts');
      manageSessions(services.recording.log, services.session);
    },
    'faultline.goToToolSource': async (target) => (await services.lint.load()).goToToolSource(services, target),
    'faultline.lintWorkspace': async () => (await services.lint.load()).lintWorkspace(),
    'faultline.fixAllSafe': async () => (await services.lint.load()).fixAllSafe(),
    'faultline.reportDebugInformation': () => reportDebugInformation(services),
  };
  return Object.fromEntries(
    Object.entries(table).map(([id, run]) => [id, reporting(id, run as (...args: unknown[]) => unknown)]),
  ) as unknown as CommandTable;
}

/** What goes wrong in a command is told with its name, and still fails for whoever ran it from code. */
function reporting(id: string, run: (...args: unknown[]) => unknown): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      void showUserError(userErrors.commandFailed(id, error));
      throw error;
    }
  };
}

/** What the person looked at last. */
function exportSource({ surfaces, context }: Services): ExportSource {
  const { recording, key } = surfaces.current;
  const row = key === undefined ? undefined : recording.timeline.row(key);
  const { version } = context.extension.packageJSON as { version: string };
  return { log: recording.log, version, selected: row === undefined ? undefined : recording.exchange(row.endKey) };
}

async function openSession(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({ filters: { [t('Faultline session')]: ['jsonl'] } });
  const [file] = chosen ?? [];
  if (file !== undefined) {
    await vscode.commands.executeCommand('vscode.openWith', file, VIEWS.session);
  }
}

async function clearTimeline({ recording }: Services): Promise<void> {
  const clear = t('Delete');
  const answer = await vscode.window.showWarningMessage(
    t('Delete everything recorded in this workspace?'),
    { modal: true, detail: t('{0} rows will be deleted. This cannot be undone.', recording.timeline.recorded) },
    clear,
  );
  if (answer === clear) {
    recording.clear();
  }
}
