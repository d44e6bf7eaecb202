import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { mayHoldHandlers } from '../../lint/sdkScan.ts';
import { readSetting } from '../manifest.ts';
import type { Recording } from '../recording.ts';
import type { ServerService } from '../servers/serverService.ts';
import type { ToolStats } from '../servers/toolStats.ts';
import type { ServerFacts } from '../timeline/timelineModel.ts';
import { isLinted } from './languages.ts';
import type { Lint } from './lateLint.ts';

/** Quiet time after a keystroke before a document is looked at. */
const DEBOUNCE_MS = 150;

/** What the lint is made of. */
export interface LintParts {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly recording: Recording;
  readonly servers: ServerFacts;
  readonly stats: ToolStats;
  /** What the lenses need to know of servers. */
  readonly definitions: Pick<ServerService, 'definitions' | 'launchOf'>;
}

/** Waits for the first document that may hold a server, or the first command, and loads the lint then. */
export class LintGate implements Disposable {
  private readonly store = new DisposableStore();
  private readonly watch = this.store.add(new DisposableStore());
  private readonly parts: LintParts;
  private late: Promise<Lint> | undefined;
  private readonly changed = new Set<vscode.TextDocument>();
  private timer: Disposable | undefined;

  constructor(parts: LintParts) {
    this.parts = parts;
    this.watch.add(vscode.workspace.onDidOpenTextDocument((document) => this.look(document)));
    this.watch.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.lookLater(document)));
    this.watch.defer(() => this.timer?.dispose());
    for (const document of vscode.workspace.textDocuments) {
      this.look(document);
    }
  }

  /** The lint itself; from then on it follows the documents. */
  load(): Promise<Lint> {
    this.late ??= import('./lateLint.ts').then(({ createLint }) => {
      this.watch.dispose();
      return this.store.add(createLint(this.parts));
    });
    return this.late;
  }

  dispose(): void {
    this.store.dispose();
  }

  private look(document: vscode.TextDocument): void {
    if (
      this.late === undefined &&
      isLinted(document.languageId, document.uri.scheme) &&
      readSetting('lint.enabled', document.uri) &&
      mayHoldHandlers(document.getText(), document.languageId)
    ) {
      void this.load();
    }
  }

  private lookLater(document: vscode.TextDocument): void {
    this.changed.add(document);
    this.timer ??= this.parts.clock.setTimer(DEBOUNCE_MS, () => {
      this.timer = undefined;
      const documents = [...this.changed];
      this.changed.clear();
      for (const one of documents) {
        if (!one.isClosed) {
          this.look(one);
        }
      }
    });
  }
}
