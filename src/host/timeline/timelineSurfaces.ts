import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TimelineNotifications } from '../../protocol/webview.ts';
import { VIEWS } from '../contributions.ts';
import { setContextKey } from '../manifest.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { timelineHtml, webviewOptions } from './html.ts';
import type { ServerFacts } from './timelineModel.ts';
import type { TimelinePage } from './timelinePage.ts';

/** The places where the timeline is shown: the sidebar view and one editor tab, both on the same model. */
export class TimelineSurfaces implements Disposable {
  private readonly store = new DisposableStore();
  private readonly extensionUri: vscode.Uri;
  private readonly recording: Recording;
  private readonly servers: ServerFacts;
  private readonly clock: Clock;
  private view: TimelinePage | undefined;
  private editor: TimelinePage | undefined;
  /** The editor tab, from the moment it opens: its page comes a little later. */
  private panel: vscode.WebviewPanel | undefined;
  /** The page that the person used last: what commands act on. */
  private last: TimelinePage | undefined;
  /** Pages of session files, which show something else than what this window records. */
  private readonly joined = new Map<TimelinePage, Recording<ReadableLog>>();

  constructor(extensionUri: vscode.Uri, recording: Recording, servers: ServerFacts, clock: Clock) {
    this.extensionUri = extensionUri;
    this.recording = recording;
    this.servers = servers;
    this.clock = clock;
    this.store.add(
      vscode.window.registerWebviewViewProvider(VIEWS.timeline, {
        resolveWebviewView: (view) => this.resolve(view),
      }),
    );
    this.store.add(
      vscode.window.registerWebviewPanelSerializer(VIEWS.editor, {
        deserializeWebviewPanel: (panel) => this.adopt(panel),
      }),
    );
  }

  /** The recorded row that is selected where the person looked last; none when that was a session file. */
  get selection(): number | undefined {
    return this.isForeign(this.last) ? undefined : this.last?.selection;
  }

  /** What the person looked at last, and the row that is selected there. */
  get current(): { readonly recording: Recording<ReadableLog>; readonly key: number | undefined } {
    const foreign = this.last === undefined ? undefined : this.joined.get(this.last);
    return { recording: foreign ?? this.recording, key: this.last?.selection };
  }

  /** Lets commands act on the page of a session file while it is the one that was used last. Owns the page. */
  join(page: TimelinePage, recording: Recording<ReadableLog>): Disposable & { use(): void } {
    this.joined.set(page, recording);
    page.onDidSelect(() => this.use(page));
    this.use(page);
    return {
      use: () => this.use(page),
      dispose: () => {
        this.joined.delete(page);
        this.detach(page);
      },
    };
  }

  /** Shows the sidebar's timeline; the focus goes there only where a person asked for the view itself. */
  async openView(focus: 'take' | 'leave' = 'leave'): Promise<void> {
    await vscode.commands.executeCommand(`${VIEWS.timeline}.focus`, { preserveFocus: focus === 'leave' });
  }

  async openEditor(): Promise<void> {
    if (this.panel !== undefined) {
      this.panel.reveal();
      return;
    }
    await this.adopt(
      vscode.window.createWebviewPanel(VIEWS.editor, vscode.l10n.t('Faultline Timeline'), vscode.ViewColumn.Active, {
        ...webviewOptions(this.extensionUri),
        retainContextWhenHidden: false,
      }),
    );
  }

  /** Selects a row in the page that was used last; opens the sidebar when there is none. */
  async reveal(key: number): Promise<void> {
    if (this.last === undefined || this.isForeign(this.last)) {
      await this.openView();
    }
    (this.isForeign(this.last) ? (this.editor ?? this.view) : this.last)?.notify('reveal', { key });
  }

  /** Lets the page that was used last act; opens the sidebar when there is none. */
  async act(action: TimelineNotifications['act']['action']): Promise<void> {
    if (this.last === undefined) {
      await this.openView();
    }
    this.last?.notify('act', { action });
  }

  dispose(): void {
    this.panel?.dispose();
    this.store.dispose();
  }

  private async resolve(view: vscode.WebviewView): Promise<void> {
    view.webview.options = webviewOptions(this.extensionUri);
    const page = await this.attach(view.webview, 'sidebar', view.onDidDispose);
    if (page === undefined) {
      return;
    }
    this.view = page;
    view.onDidChangeVisibility(() => {
      if (view.visible) {
        this.use(page);
      } else {
        page.suspend();
      }
    });
    view.onDidDispose(() => {
      this.detach(page);
      this.view = undefined;
    });
  }

  private async adopt(panel: vscode.WebviewPanel): Promise<void> {
    this.panel = panel;
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.extensionUri, 'media', 'timeline-light.svg'),
      dark: vscode.Uri.joinPath(this.extensionUri, 'media', 'timeline-dark.svg'),
    };
    panel.webview.options = webviewOptions(this.extensionUri);
    const page = await this.attach(panel.webview, 'editor', panel.onDidDispose);
    if (page === undefined) {
      return;
    }
    this.editor = page;
    panel.onDidChangeViewState(() => {
      if (panel.active) {
        this.use(page);
      }
      if (!panel.visible) {
        page.suspend();
      }
    });
    panel.onDidDispose(() => {
      this.detach(page);
      this.editor = undefined;
    });
  }

  /** The page in a webview, or `undefined` when that was closed before the page's code had loaded. */
  private async attach(
    webview: vscode.Webview,
    placement: 'sidebar' | 'editor',
    onDidDispose: vscode.Event<void>,
  ): Promise<TimelinePage | undefined> {
    let isGone = false;
    onDidDispose(() => {
      isGone = true;
    });
    const { createPage } = await import('./latePage.ts');
    if (isGone || this.store.isDisposed) {
      return undefined;
    }
    const page = this.store.add(createPage(webview, this.recording, this.servers, this.clock));
    page.onDidSelect(() => this.use(page));
    this.use(page);
    webview.html = timelineHtml(webview, this.extensionUri, placement);
    return page;
  }

  private isForeign(page: TimelinePage | undefined): boolean {
    return page !== undefined && this.joined.has(page);
  }

  private use(page: TimelinePage): void {
    this.last = page;
    setContextKey('faultline.hasSelection', page.selection !== undefined);
  }

  private detach(page: TimelinePage): void {
    page.dispose();
    if (this.last === page) {
      this.last = this.view === page ? this.editor : this.view;
      setContextKey('faultline.hasSelection', this.last?.selection !== undefined);
    }
  }
}
