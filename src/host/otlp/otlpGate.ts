import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { LogEvent, SessionId } from '../../protocol/events.ts';
import { readSetting } from '../manifest.ts';
import type { Recording } from '../recording.ts';
import type { ValueStore } from '../servers/valueStore.ts';
import type { LiveExport } from './liveExport.ts';

/** What is sent when the window closes may take so long, ms. */
const CLOSE_MS = 1500;

export interface OtlpGateOptions {
  readonly recording: Recording;
  readonly session: SessionId;
  readonly values: ValueStore;
  readonly version: string;
  readonly extensionUri: vscode.Uri;
}

/** Exports what is recorded while `faultline.otlp.enabled` says so. All that it takes is loaded then, and not before. */
export class OtlpGate implements Disposable {
  private readonly store = new DisposableStore();
  private readonly options: OtlpGateOptions;
  private live: LiveExport | undefined;
  /** From before the exporter was loaded. */
  private early: LogEvent[] | undefined;
  private problem: string | undefined;
  /** Counts changes of the settings: what an earlier one had begun to load is not wanted any more. */
  private generation = 0;

  constructor(options: OtlpGateOptions) {
    this.options = options;
    this.store.add(options.recording.log.onDidAppend((events) => this.take(events)));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('faultline.otlp')) {
          void this.begin();
        }
      }),
    );
    void this.begin();
  }

  /** How it goes, for a bug report: English, without headers. */
  describe(): readonly string[] {
    return this.live?.describe() ?? [this.problem === undefined ? '- off' : `- could not be loaded: ${this.problem}`];
  }

  /** Sends what is left, for a moment. */
  async shutdown(): Promise<void> {
    this.generation += 1;
    const live = this.live;
    this.live = undefined;
    await live?.end(CLOSE_MS);
    this.store.dispose();
  }

  dispose(): void {
    this.generation += 1;
    this.live?.dispose();
    this.live = undefined;
    this.store.dispose();
  }

  private async begin(): Promise<void> {
    this.generation += 1;
    const { generation } = this;
    const before = this.live;
    this.live = undefined;
    void before?.end(CLOSE_MS);
    this.problem = undefined;
    this.early = readSetting('otlp.enabled') ? [] : undefined;
    if (this.early === undefined) {
      return;
    }
    try {
      const { startLiveExport } = await import('./liveExport.ts');
      if (generation !== this.generation) {
        return;
      }
      const { values, version, session, extensionUri } = this.options;
      this.live = startLiveExport({ values, version, session, extensionUri });
      this.live.take(this.early?.splice(0) ?? []);
    } catch (error) {
      if (generation !== this.generation) {
        return;
      }
      // An update has replaced the files of a window that is still open.
      this.problem = messageOf(error);
    }
    this.early = undefined;
  }

  private take(events: readonly LogEvent[]): void {
    if (this.live === undefined && this.early === undefined) {
      return;
    }
    const { session } = this.options;
    const areTapsWanted = readSetting('otlp.taps');
    // What other windows record into the same log is theirs to export.
    const ours = events.filter(
      (event) => event.session === session || (areTapsWanted && event.origin.startsWith('tap:')),
    );
    if (this.live !== undefined) {
      this.live.take(ours);
    } else {
      this.early?.push(...ours);
    }
  }
}
