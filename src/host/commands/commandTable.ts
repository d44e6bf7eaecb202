import * as vscode from 'vscode';
import type { TimelineRow } from '../../core/timeline/timelineRow.ts';
import { VIEWS } from '../contributions.ts';
import type { CommandTable } from '../manifest.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import type { RowAtHand } from '../replay/lateReplay.ts';
import type { Services } from '../services.ts';
import type { ExportSource } from '../sessions/exportCommands.ts';
import { fileOf, rowOf } from '../targets.ts';
import { showUserError, userErrors } from '../userError.ts';
import { callByHand } from './callTool.ts';
import { reportDebugInformation } from './debugInformation.ts';
import { exchangeCommands } from './exchangeCommands.ts';
import { pickServer } from './pickServer.ts';

const { t } = vscode.l10n;

/** Every command on the services. One that fails says so with its name; none fails silently. */
export function commandTable(services: Services): CommandTable {
  const { servers, surfaces, replays, texts } = services;
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
    'faultline.replayWithBackoff': async (target) => {
      const at = await rowToReplay(services, target);
      return at === undefined ? undefined : (await import('../replay/lateReplay.ts')).replayRow(services, at);
    },
    'faultline.editReplay': async (target) => {
      const at = await rowToReplay(services, target);
      return at === undefined ? undefined : (await import('../replay/lateReplay.ts')).editRow(services, at);
    },
    'faultline.replayFailed': async () => (await import('../replay/lateReplay.ts')).replayFailed(services),
    'faultline.cancelReplay': () => replays.cancel(),
    'faultline.openTimeline': (target) => {
      const row = rowOf(target);
      return row === undefined ? surfaces.openView('take') : surfaces.reveal(row);
    },
    'faultline.openTimelineInEditor': () => surfaces.openEditor(),
    'faultline.openTimelineAsText': () => texts.open(surfaces.current),
    'faultline.refreshText': () => texts.refresh(),
    'faultline.showFailures': () => surfaces.showFailures(),
    'faultline.showInTimeline': async (target) =>
      (await import('./showInTimeline.ts')).showInTimeline(services, target),
    'faultline.nextError': () => texts.goToFailure(1) || surfaces.act('nextError'),
    'faultline.previousError': () => texts.goToFailure(-1) || surfaces.act('previousError'),
    'faultline.toggleLanes': () => surfaces.act('toggleLanes'),
    'faultline.toggleCharts': () => surfaces.act('toggleCharts'),
    'faultline.filterByTool': () => surfaces.act('filterTool'),
    'faultline.filterByServer': () => surfaces.act('filterServer'),
    'faultline.filterByOutcome': () => surfaces.act('filterOutcome'),
    'faultline.filterTimeline': () => surfaces.act('focusFilter'),
    ...exchangeCommands(services, (question) => askForRow(services, surfaces.current.recording, question, () => true)),
    'faultline.clearTimeline': () => clearTimeline(services),
    'faultline.showReport': async () => (await import('../report/lateReport.ts')).showReport(services),
    'faultline.compareReport': async () => (await import('../report/lateReport.ts')).compareReport(services),
    'faultline.exportReport': async () => (await import('../report/lateReport.ts')).exportReport(services),
    'faultline.exportSession': async () =>
      (await import('../sessions/exportCommands.ts')).exportSession(exportSource(services)),
    'faultline.exportOtlp': async () =>
      (await import('../otlp/exportToOtlp.ts')).exportToOtlp({
        ...exportSource(services),
        recording: services.surfaces.current.recording,
        values: services.values,
        extensionUri: services.context.extensionUri,
      }),
    'faultline.exportBugReport': async () =>
      (await import('../sessions/exportCommands.ts')).exportBugReport(exportSource(services)),
    'faultline.openSession': () => openSession(),
    'faultline.deleteSessions': async () => {
      const { manageSessions } = await import('../sessions/manageSessions.ts');
      manageSessions(services.recording.log, services.session);
    },
    'faultline.saveAsSuite': async (target) => (await import('../suites/saveSuite.ts')).saveAsSuite(services, target),
    'faultline.recordAgain': async (item) => (await services.suites.load()).recordAgain(item),
    'faultline.serveMock': async (plan) => {
      const { isMockPlan, serveMock } = await import('../mocks/serveMock.ts');
      return serveMock(services, isMockPlan(plan) ? plan : undefined);
    },
    'faultline.stopMock': async () => (await import('../mocks/serveMock.ts')).stopMock(),
    'faultline.goToToolSource': async (target) => (await services.lint.load()).goToToolSource(services, target),
    'faultline.tapServer': async () => (await services.taps.load()).tap(),
    'faultline.removeTap': async () => (await services.taps.load()).remove(),
    'faultline.removeAllTaps': async () => (await services.taps.load()).removeAll(),
    'faultline.offerTapped': async () => (await services.taps.load()).offer(),
    'faultline.injectFaults': async (request) => {
      const { injectFaults, isFaultRequest } = await import('../faults/lateFaults.ts');
      return injectFaults(services, isFaultRequest(request) ? request : undefined);
    },
    'faultline.stopFaults': () => services.faults.stop(),
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

/** The row that a replay is for: the one that a page or a tree names, else the selected one, else one that is asked for. */
async function rowToReplay(services: Services, target: unknown): Promise<RowAtHand | undefined> {
  const { surfaces } = services;
  const row = rowOf(target);
  if (row !== undefined) {
    const file = fileOf(target);
    const shown = file === undefined ? surfaces.current : surfaces.shownOf(file);
    return shown === undefined ? undefined : { shown, key: row };
  }
  const { key, ...shown } = surfaces.current;
  const chosen = key ?? (await askForRow(services, shown.recording, t('Replay which call?'), isReplayable));
  return chosen === undefined ? undefined : { shown, key: chosen };
}

/** A refusal tells what else stands in the way; this much is known of a row as it is. */
function isReplayable({ kind, initiator, method }: TimelineRow): boolean {
  return kind === 'request' && initiator === 'client' && method !== 'initialize';
}

/** A row, where neither the command nor a selection says which one. */
async function askForRow(
  { surfaces }: Services,
  recording: Recording<ReadableLog>,
  placeHolder: string,
  isOffered: (row: TimelineRow) => boolean,
): Promise<number | undefined> {
  return (await import('./pickRow.ts')).pickRow(recording, placeHolder, surfaces.current.nameOf, isOffered);
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
  const sessions = recording.log.sessions();
  const pinned = sessions.filter((session) => session.pinned && session.events > 0).length;
  const events = sessions.reduce((sum, session) => sum + (session.pinned ? 0 : session.events), 0);
  const detail = [
    t('{0} recorded events will be deleted. This cannot be undone.', events),
    ...(pinned === 0 ? [] : [t('Sessions that are pinned are kept: {0}.', pinned)]),
  ].join('\n');
  const answer = await vscode.window.showWarningMessage(
    t('Delete everything recorded in this workspace?'),
    { modal: true, detail },
    clear,
  );
  if (answer === clear) {
    recording.clear();
    // A brush over what is gone would hide all that comes.
    recording.timeline.setRange(undefined);
  }
}
