import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { OtlpStatus } from '../../core/export/otlp/exporter.ts';
import type { SettingsProblem } from '../../core/export/otlp/settings.ts';
import type { LogEvent, SessionId } from '../../protocol/events.ts';
import { readSetting } from '../manifest.ts';
import { say } from '../say.ts';
import type { ValueStore } from '../servers/valueStore.ts';
import { ExportThread } from './exportThread.ts';
import { readOtlpOptions } from './otlpOptions.ts';
import { describeStatus, type ExportState, isTroubled, lossesOf, statusLine } from './statusText.ts';

// Its own bundle, loaded when a person turns the export on.

/** For how long the status bar says what is wrong, once, ms. */
const SAID_MS = 10_000;
/** Failures in a row before something is wrong: one may be a restart. */
const FAILURES = 3;

export interface LiveExportOptions {
  readonly values: ValueStore;
  readonly version: string;
  readonly session: SessionId;
  readonly extensionUri: vscode.Uri;
}

/** What exports as long as it is on. */
export interface LiveExport extends Disposable {
  take(events: readonly LogEvent[]): void;
  /** Sends what is left for at most `limitMs`, and is over. */
  end(limitMs: number): Promise<void>;
  describe(): readonly string[];
}

/** Starts the thread that exports, and an item in the status bar that says how it goes. */
export function startLiveExport({ values, version, session, extensionUri }: LiveExportOptions): LiveExport {
  const store = new DisposableStore();
  const item = store.add(vscode.window.createStatusBarItem('faultline.otlp', vscode.StatusBarAlignment.Left, 9));
  item.name = vscode.l10n.t('Faultline: OpenTelemetry');
  item.command = {
    command: 'workbench.action.openSettings',
    title: vscode.l10n.t('Open Settings'),
    arguments: ['faultline.otlp'],
  };
  let thread: ExportThread | undefined;
  let state: ExportState = { kind: 'starting' };
  const early: LogEvent[] = [];
  let isSaid = false;

  function show(next: ExportState): void {
    state = next;
    const { text, tooltip, severity } = statusLine(next);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `${vscode.l10n.t('OpenTelemetry export')}: ${tooltip}` };
    item.backgroundColor =
      severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    item.show();
    if (isTroubled(next, FAILURES) && !isSaid) {
      isSaid = true;
      vscode.window.setStatusBarMessage(`$(warning) ${tooltip.split('\n')[0]}`, SAID_MS);
    }
  }

  const onProblem = (problem: SettingsProblem) => show({ kind: 'off', why: say(problem.code, problem.args) });

  async function start(): Promise<void> {
    const options = await readOtlpOptions(readSetting, (name) => values.secret(name));
    if (store.isDisposed) {
      return;
    }
    if ('code' in options) {
      onProblem(options);
      return;
    }
    thread = new ExportThread({
      script: vscode.Uri.joinPath(extensionUri, 'dist', 'otlp-thread.js').fsPath,
      settings: { options, version, instance: session, mode: 'live' },
      onStatus: (status: OtlpStatus) => show({ kind: 'on', status }),
      onProblem,
    });
    thread.take(early.splice(0));
  }

  show(state);
  start().catch((error: unknown) => onProblem({ code: 'otlp.thread.failed', args: { detail: messageOf(error) } }));
  return {
    take(events) {
      if (thread !== undefined) {
        thread.take(events);
      } else if (state.kind === 'starting') {
        early.push(...events);
      }
    },
    async end(limitMs) {
      const status = await thread?.end(limitMs);
      store.dispose();
      const losses = status === undefined ? [] : lossesOf(status);
      if (losses.length > 0) {
        vscode.window.setStatusBarMessage(`$(warning) ${losses.join(' ')}`, SAID_MS);
      }
    },
    describe: () => describeStatus(state),
    dispose() {
      thread?.stop();
      store.dispose();
    },
  };
}
