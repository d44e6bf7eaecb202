import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { VIEWS } from '../contributions.ts';
import type { ReadableLog } from '../recording.ts';
import { timelineHtml, webviewOptions } from '../timeline/html.ts';
import type { TimelineSurfaces } from '../timeline/timelineSurfaces.ts';
import type { SessionDocument } from './sessionDocument.ts';

/** Shows session files in the timeline, read only: one recording a file, one page an editor. */
export class SessionEditors implements vscode.CustomReadonlyEditorProvider<SessionDocument>, Disposable {
  private readonly extensionUri: vscode.Uri;
  private readonly surfaces: TimelineSurfaces;
  private readonly clock: Clock;
  private readonly memory: vscode.Memento;
  private readonly open = new Map<string, SessionDocument>();
  private readonly registration: Disposable;

  constructor(extensionUri: vscode.Uri, surfaces: TimelineSurfaces, clock: Clock, memory: vscode.Memento) {
    this.memory = memory;
    this.extensionUri = extensionUri;
    this.surfaces = surfaces;
    this.clock = clock;
    this.registration = vscode.window.registerCustomEditorProvider(VIEWS.session, this, {
      supportsMultipleEditorsPerDocument: true,
    });
  }

  /** The log of an open session file, by its address. */
  logOf(uri: string): ReadableLog | undefined {
    return this.open.get(uri)?.recording.log;
  }

  async openCustomDocument(
    uri: vscode.Uri,
    _context: vscode.CustomDocumentOpenContext,
    token: vscode.CancellationToken,
  ): Promise<SessionDocument> {
    const { openSessionDocument } = await import('./sessionDocument.ts');
    const document = await openSessionDocument(uri, token);
    const key = uri.toString();
    this.open.set(key, document);
    return {
      ...document,
      dispose: () => {
        this.open.delete(key);
        document.dispose();
      },
    };
  }

  async resolveCustomEditor(
    { recording, facts }: SessionDocument,
    panel: vscode.WebviewPanel,
    token: vscode.CancellationToken,
  ): Promise<void> {
    panel.webview.options = webviewOptions(this.extensionUri);
    const { createPage } = await import('../timeline/latePage.ts');
    if (token.isCancellationRequested) {
      return;
    }
    const page = createPage(panel.webview, recording, facts, this.clock, this.memory);
    const shown = { recording, nameOf: facts.nameOf, file: facts.file?.uri ?? '' };
    const joined = this.surfaces.join(page, shown);
    panel.onDidChangeViewState(() => {
      if (panel.active) {
        joined.use();
      }
      if (!panel.visible) {
        page.suspend();
      }
    });
    panel.onDidDispose(() => joined.dispose());
    panel.webview.html = timelineHtml(panel.webview, this.extensionUri, 'editor');
  }

  dispose(): void {
    this.registration.dispose();
    for (const document of this.open.values()) {
      document.dispose();
    }
  }
}
