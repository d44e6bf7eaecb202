import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TimelineNotifications } from '../../protocol/webview.ts';
import { VIEWS } from '../contributions.ts';
import { setContextKey } from '../manifest.ts';
import { timelineHtml, webviewOptions } from './html.ts';
import type { TimelineModel } from './timelineModel.ts';
import { TimelinePage } from './timelinePage.ts';

/** The places where the timeline is shown: the sidebar view and one editor tab, both on the same model. */
export class TimelineSurfaces implements Disposable {
  private readonly store = new DisposableStore();
  private readonly extensionUri: vscode.Uri;
  private readonly model: () => TimelineModel;
  private readonly clock: Clock;
  private view: TimelinePage | undefined;
  private editor: { readonly panel: vscode.WebviewPanel; readonly page: TimelinePage } | undefined;
  /** The page that the person used last: what commands act on. */
  private last: TimelinePage | undefined;

  constructor(extensionUri: vscode.Uri, model: () => TimelineModel, clock: Clock) {
    this.extensionUri = extensionUri;
    this.model = model;
    this.clock = clock;
    this.store.add(
      vscode.window.registerWebviewViewProvider(VIEWS.timeline, { resolveWebviewView: (view) => this.resolve(view) }),
    );
    this.store.add(
      vscode.window.registerWebviewPanelSerializer(VIEWS.editor, {
        deserializeWebviewPanel: async (panel) => this.adopt(panel),
      }),
    );
  }

  /** The row selected where the person looked last. */
  get selection(): number | undefined {
    return this.last?.selection;
  }

  async openView(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEWS.timeline}.focus`);
  }

  openEditor(): void {
    if (this.editor !== undefined) {
      this.editor.panel.reveal();
      return;
    }
    this.adopt(
      vscode.window.createWebviewPanel(VIEWS.editor, vscode.l10n.t('Faultline Timeline'), vscode.ViewColumn.Active, {
        ...webviewOptions(this.extensionUri),
        retainContextWhenHidden: false,
      }),
    );
  }

  /** Selects a row in the page that was used last; opens the sidebar when there is none. */
  async reveal(key: number): Promise<void> {
    if (this.last === undefined) {
      await this.openView();
    }
    this.last?.notify('reveal', { key });
  }

  /** Lets the page that was used last act; opens the sidebar when there is none. */
  async act(action: TimelineNotifications['act']['action']): Promise<void> {
    if (this.last === undefined) {
      await this.openView();
    }
    this.last?.notify('act', { action });
  }

  dispose(): void {
    this.editor?.panel.dispose();
    this.store.dispose();
  }

  private resolve(view: vscode.WebviewView): void {
    view.webview.options = webviewOptions(this.extensionUri);
    const page = this.attach(view.webview, 'sidebar');
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

  private adopt(panel: vscode.WebviewPanel): void {
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.extensionUri, 'media', 'timeline-light.svg'),
      dark: vscode.Uri.joinPath(this.extensionUri, 'media', 'timeline-dark.svg'),
    };
    panel.webview.options = webviewOptions(this.extensionUri);
    const page = this.attach(panel.webview, 'editor');
    this.editor = { panel, page };
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

  private attach(webview: vscode.Webview, placement: 'sidebar' | 'editor'): TimelinePage {
    const page = this.store.add(new TimelinePage(webview, this.model(), this.clock));
    page.onDidSelect(() => this.use(page));
    this.use(page);
    webview.html = timelineHtml(webview, this.extensionUri, placement);
    return page;
  }

  private use(page: TimelinePage): void {
    this.last = page;
    setContextKey('faultline.hasSelection', page.selection !== undefined);
  }

  private detach(page: TimelinePage): void {
    page.dispose();
    if (this.last === page) {
      this.last = this.view === page ? this.editor?.page : this.view;
      setContextKey('faultline.hasSelection', this.last?.selection !== undefined);
    }
  }
}
