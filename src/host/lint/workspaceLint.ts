import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { languageOf } from '../../lint/languages/extensions.ts';
import { mayHoldHandlers } from '../../lint/sdkScan.ts';
import { readSetting } from '../manifest.ts';
import type { EngineHost } from './engineHost.ts';
import type { FindingStore } from './findingStore.ts';
import { SOURCE_GLOB } from './languages.ts';
import { readText } from './readText.ts';
import { workspaceFiles } from './workspaceFiles.ts';

const { t } = vscode.l10n;

/** Files that are read while another is parsed. */
const AT_ONCE = 4;

/** What a run over the workspace came to. */
export interface WorkspaceRun {
  readonly files: number;
  readonly isComplete: boolean;
}

/** Lints files that are not open, and keeps their findings true afterwards. */
export class WorkspaceLint implements Disposable {
  private readonly store = new DisposableStore();
  private readonly engine: EngineHost;
  private readonly findings: FindingStore;
  /** Follows the files on disk once there are findings of them. */
  private watcher: Disposable | undefined;
  private readonly stop = new AbortController();

  constructor(engine: EngineHost, findings: FindingStore) {
    this.engine = engine;
    this.findings = findings;
    this.store.defer(() => this.stop.abort());
  }

  /** Whether the whole workspace was linted and is followed since. */
  get isFollowing(): boolean {
    return this.watcher !== undefined;
  }

  /**
   * Lints the workspace with progress that can be cancelled. `index` only looks for tools and shows nothing of what else it
   * finds.
   */
  run(mode: 'lint' | 'index'): Thenable<WorkspaceRun> {
    const title = mode === 'lint' ? t('Linting the workspace') : t('Looking for tools in the workspace');
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (progress, token) => this.lintAll(mode, progress, token),
    );
  }

  /** A closed document's findings are those of its file, if the workspace is followed; else they go. */
  async closed(uri: vscode.Uri): Promise<void> {
    if (this.watcher === undefined || uri.scheme === 'untitled') {
      this.findings.delete(uri);
      return;
    }
    await this.lintFile(uri, false, this.stop.signal);
  }

  /** Lints the files anew that are followed: settings or configuration changed. */
  async again(): Promise<void> {
    for (const { uri, version } of this.findings.all()) {
      if (version === undefined && this.isFollowing) {
        await this.lintFile(uri, false, this.stop.signal);
      }
    }
  }

  dispose(): void {
    this.watcher?.dispose();
    this.store.dispose();
  }

  private async lintAll(
    mode: 'lint' | 'index',
    progress: vscode.Progress<{ readonly message?: string; readonly increment?: number }>,
    token: vscode.CancellationToken,
  ): Promise<WorkspaceRun> {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const signal = AbortSignal.any([stop.signal, this.stop.signal]);
    const files = await workspaceFiles(token);
    let next = 0;
    const work = async () => {
      for (let uri = files[next++]; uri !== undefined && !signal.aborted; uri = files[next++]) {
        progress.report({ message: vscode.workspace.asRelativePath(uri), increment: 100 / files.length });
        await this.lintFile(uri, mode === 'index', signal);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (mode === 'lint' && !signal.aborted) {
      this.follow();
    }
    return { files: files.length, isComplete: !signal.aborted };
  }

  /** Lints a file as it is on disk. One that is open is already linted, as it is in the editor. */
  private async lintFile(uri: vscode.Uri, isIndexOnly: boolean, signal: AbortSignal): Promise<void> {
    const known = this.findings.get(uri);
    if (isOpen(uri) || (isIndexOnly && known !== undefined)) {
      return;
    }
    const languageId = languageOf(uri.path);
    const text = languageId === undefined || !readSetting('lint.enabled', uri) ? undefined : await readText(uri);
    if (languageId === undefined || text === undefined || !mayHoldHandlers(text, languageId)) {
      this.findings.delete(uri);
      return;
    }
    const result = await this.engine.lint({ uri, text, languageId, isEdited: false }, signal);
    if (signal.aborted || isOpen(uri)) {
      return;
    }
    if (result?.kind === 'linted') {
      const { findings, tools } = result;
      this.findings.set({ uri, version: undefined, findings, tools, isIndexOnly });
    } else if (result?.reason === 'too-large') {
      this.findings.set({ uri, version: undefined, findings: [], tools: [], isIndexOnly, isTooLarge: true });
    } else {
      this.findings.delete(uri);
    }
  }

  private follow(): void {
    if (this.watcher !== undefined) {
      return;
    }
    const watcher = vscode.workspace.createFileSystemWatcher(SOURCE_GLOB, true);
    // A file that is new is not linted unless it is opened: it may be ignored, or one of thousands of a checkout.
    watcher.onDidChange((uri) => {
      if (this.findings.get(uri) !== undefined) {
        void this.lintFile(uri, false, this.stop.signal);
      }
    });
    watcher.onDidDelete((uri) => this.findings.delete(uri));
    this.watcher = watcher;
  }
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}
