import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { mayHoldHandlers } from '../../lint/sdkScan.ts';
import { readSetting } from '../manifest.ts';
import type { EngineHost } from './engineHost.ts';
import type { FindingStore } from './findingStore.ts';
import { isLinted } from './languages.ts';

/** Quiet time after a keystroke before a document is linted again. */
const DEBOUNCE_MS = 150;

/** Lints open documents as they are typed, saved or not. */
export class LintService implements Disposable {
  private readonly store = new DisposableStore();
  private readonly engine: EngineHost;
  private readonly findings: FindingStore;
  private readonly clock: Clock;
  private readonly onClosed: (uri: vscode.Uri) => void;
  private readonly running = new Map<string, AbortController>();

  /** `onClosed` decides what becomes of the findings of a closed document. */
  constructor(engine: EngineHost, findings: FindingStore, clock: Clock, onClosed: (uri: vscode.Uri) => void) {
    this.engine = engine;
    this.findings = findings;
    this.clock = clock;
    this.onClosed = onClosed;
    this.store.add(vscode.workspace.onDidOpenTextDocument((document) => this.schedule(document, 0)));
    this.store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.schedule(document, DEBOUNCE_MS)));
    this.store.add(vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)));
    this.lintOpenDocuments();
  }

  /** Lints every open document anew: settings or configuration changed. */
  lintOpenDocuments(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.schedule(document, 0);
    }
  }

  dispose(): void {
    for (const controller of this.running.values()) {
      controller.abort();
    }
    this.store.dispose();
  }

  private schedule(document: vscode.TextDocument, delayMs: number): void {
    if (!isLinted(document.languageId, document.uri.scheme)) {
      return;
    }
    const key = document.uri.toString();
    this.running.get(key)?.abort();
    const controller = new AbortController();
    this.running.set(key, controller);
    void this.lintLater(document, delayMs, controller);
  }

  private async lintLater(document: vscode.TextDocument, delayMs: number, controller: AbortController): Promise<void> {
    const { signal } = controller;
    if (delayMs > 0 && (await this.clock.sleep(delayMs, signal)) === 'cancelled') {
      return;
    }
    const { version, uri } = document;
    const result = await this.lint(document, signal);
    if (this.running.get(uri.toString()) === controller) {
      this.running.delete(uri.toString());
    }
    if (result !== undefined && !signal.aborted && !document.isClosed) {
      this.findings.set({ uri, version, ...result, isIndexOnly: false });
    }
  }

  private async lint(document: vscode.TextDocument, signal: AbortSignal) {
    const nothing = { findings: [], tools: [] };
    const { uri, languageId } = document;
    const text = document.getText();
    if (!isLinted(languageId, uri.scheme) || !readSetting('lint.enabled', uri) || !mayHoldHandlers(text, languageId)) {
      return nothing;
    }
    const result = await this.engine.lint({ uri, text, languageId, isEdited: true }, signal);
    if (result === undefined || (result.kind === 'skipped' && result.reason === 'cancelled')) {
      return undefined;
    }
    return result.kind === 'linted'
      ? { findings: result.findings, tools: result.tools }
      : { ...nothing, isTooLarge: result.reason === 'too-large' };
  }

  private forget({ uri }: vscode.TextDocument): void {
    this.running.get(uri.toString())?.abort();
    this.running.delete(uri.toString());
    void this.engine.forget(uri);
    this.onClosed(uri);
  }
}
