import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { FAILURE_KINDS, OUTCOME_KINDS } from '../../protocol/outcome.ts';
import type { TimelineNotifications } from '../../protocol/webview.ts';
import { VIEWS } from '../contributions.ts';
import { setContextKey } from '../manifest.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { timelineHtml, webviewOptions } from './html.ts';
import type { ServerFacts } from './timelineModel.ts';
import type { TimelinePage } from './timelinePage.ts';

/** A view that has not come up after this long will not. */
const VIEW_MS = 10_000;

/** What a page shows. */
export interface Shown {
  readonly recording: Recording<ReadableLog>;
  readonly nameOf: (server: string) => string;
  /** The address of the session file; `''` for what this window records. */
  readonly file: string;
}

/** The places where the timeline is shown: the sidebar view and one editor tab, both on the same model. */
export class TimelineSurfaces implements Disposable {
  private readonly store = new DisposableStore();
  private readonly shown = this.store.add(new Emitter<boolean>());
  /** Fires when what this window records comes on the screen, in either place, and when it has gone from both. */
  readonly onDidChangeShown: Event<boolean> = this.shown.event;
  private readonly extensionUri: vscode.Uri;
  private readonly recording: Recording;
  private readonly servers: ServerFacts;
  private readonly clock: Clock;
  private readonly memory: vscode.Memento;
  private view: TimelinePage | undefined;
  /** The sidebar's view, once it was looked at: VS Code makes it then. */
  private sidebar: vscode.WebviewView | undefined;
  /** Ends when the sidebar's page is made. */
  private viewed = Promise.withResolvers<void>();
  private editor: TimelinePage | undefined;
  /** The editor tab, from the moment it opens: its page comes a little later. */
  private panel: vscode.WebviewPanel | undefined;
  /** The page that the person used last: what commands act on. */
  private last: TimelinePage | undefined;
  /** Pages of session files, which show something else than what this window records. */
  private readonly joined = new Map<TimelinePage, Shown>();
  private isShown = false;

  constructor(
    extensionUri: vscode.Uri,
    recording: Recording,
    servers: ServerFacts,
    clock: Clock,
    memory: vscode.Memento,
  ) {
    this.memory = memory;
    this.extensionUri = extensionUri;
    this.recording = recording;
    this.servers = servers;
    this.clock = clock;
    this.store.add(
      recording.timeline.onDidChange(() => {
        if (this.current.recording === recording) {
          setContextKey('faultline.isEmpty', recording.timeline.recorded === 0);
        }
      }),
    );
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
  get current(): Shown & { readonly key: number | undefined } {
    const foreign = this.last === undefined ? undefined : this.joined.get(this.last);
    return { ...(foreign ?? this.own), key: this.last?.selection };
  }

  /** What is shown of a session file, by its address, or of this window for `''`; `undefined` when no page shows that. */
  shownOf(file: string): Shown | undefined {
    return file === '' ? this.own : [...this.joined.values()].find((shown) => shown.file === file);
  }

  /** What this window records. */
  get own(): Shown {
    const { recording, servers } = this;
    return { recording, nameOf: (server) => servers.nameOf(server), file: '' };
  }

  /** Lets commands act on the page of a session file while it is the one that was used last. Owns the page. */
  join(page: TimelinePage, shown: Shown): Disposable & { use(): void } {
    this.joined.set(page, shown);
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

  /** Selects a row in the page that was used last; opens the sidebar when there is none. A filter that hides it is cleared. */
  async reveal(key: number): Promise<void> {
    const page = await this.ownPage();
    if (page !== undefined && page === this.editor && this.panel?.visible === false) {
      // Behind another tab nobody would see it.
      this.panel.reveal(undefined, true);
    }
    const { timeline } = this.recording;
    if (timeline.indexOf(key) < 0 && timeline.indexOf(timeline.row(key)?.headKey ?? key) < 0) {
      // At once, since the page asks for the row's index before its own filter has come back.
      timeline.setRange(undefined);
      timeline.setFilter({ hiddenOutcomes: [], text: '' });
      page?.notify('filter', { hiddenOutcomes: [], text: '' });
    }
    // An attempt that is folded is found under the head of its chain.
    const shownKey = timeline.indexOf(key) < 0 ? (timeline.row(key)?.headKey ?? key) : key;
    page?.notify('reveal', { key: shownKey });
  }

  /** Shows what this window recorded through a filter, in the place of the filter that was there. */
  async showFiltered(filter: TimelineNotifications['filter']): Promise<void> {
    (await this.ownPage())?.notify('filter', filter);
  }

  /** Shows the failures alone; everything when there is none. */
  async showFailures(): Promise<void> {
    await this.recording.load();
    const counts = this.recording.timeline.counts();
    const hasFailed = OUTCOME_KINDS.some((kind) => FAILURE_KINDS.has(kind) && counts[kind] !== undefined);
    await this.showFiltered({ hiddenOutcomes: [], text: hasFailed ? 'is:failure' : '' });
    if (!hasFailed) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('Nothing has failed.'), 5000);
    }
  }

  /** Puts a number on the sidebar's view, 0 for none; false while there is no such view yet. */
  setBadge(value: number): boolean {
    if (this.sidebar !== undefined) {
      this.sidebar.badge = badgeOf(value);
    }
    return this.sidebar !== undefined;
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
    this.sidebar = view;
    this.lookAround();
    view.onDidChangeVisibility(() => this.lookAround());
    view.onDidDispose(() => {
      this.sidebar = undefined;
      this.lookAround();
    });
    const page = await this.attach(view.webview, 'sidebar', view.onDidDispose);
    if (page === undefined) {
      return;
    }
    this.view = page;
    this.viewed.resolve();
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
      this.viewed = Promise.withResolvers();
    });
  }

  private async adopt(panel: vscode.WebviewPanel): Promise<void> {
    this.panel = panel;
    this.lookAround();
    panel.onDidChangeViewState(() => this.lookAround());
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.lookAround();
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
    const page = this.store.add(createPage(webview, this.recording, this.servers, this.clock, this.memory));
    page.onDidSelect(() => this.use(page));
    this.use(page);
    webview.html = timelineHtml(webview, this.extensionUri, placement);
    return page;
  }

  /** The page of this window's recording that was used last; the sidebar's where there is none. */
  private async ownPage(): Promise<TimelinePage | undefined> {
    // A page that is behind another tab, such as a report whose link leads here, shows nothing.
    if (this.last === undefined || this.isForeign(this.last) || !this.isShown) {
      await this.openView();
      // The page comes a little after its view.
      await Promise.race([this.viewed.promise, this.clock.sleep(VIEW_MS)]);
      if (this.view !== undefined && this.sidebar?.visible === true) {
        this.use(this.view);
      }
    }
    return this.isForeign(this.last) ? (this.editor ?? this.view) : this.last;
  }

  /** Commands that have nothing to work on are hidden; while that is not known, they are not. */
  private tellWhetherEmpty(): void {
    if (this.last === undefined || this.store.isDisposed) {
      // Nobody looks, which is no reason to read a log.
      return;
    }
    const { recording } = this.current;
    recording.load().then(
      () => {
        if (this.current.recording === recording) {
          setContextKey('faultline.isEmpty', recording.timeline.recorded === 0);
        }
      },
      // That it cannot be read, the page says.
      () => undefined,
    );
  }

  private lookAround(): void {
    const isShown = this.sidebar?.visible === true || this.panel?.visible === true;
    if (isShown !== this.isShown) {
      this.isShown = isShown;
      this.shown.fire(isShown);
    }
  }

  private isForeign(page: TimelinePage | undefined): boolean {
    return page !== undefined && this.joined.has(page);
  }

  private use(page: TimelinePage): void {
    this.last = page;
    this.tellWhetherEmpty();
  }

  private detach(page: TimelinePage): void {
    page.dispose();
    if (this.last === page) {
      this.last = this.view === page ? this.editor : this.view;
      this.tellWhetherEmpty();
    }
  }
}

/** Failures that nobody has seen, as a badge. */
export function badgeOf(value: number): vscode.ViewBadge | undefined {
  if (value === 0) {
    return undefined;
  }
  const { t } = vscode.l10n;
  const tooltip = value === 1 ? t('1 failure that you have not seen') : t('{0} failures that you have not seen', value);
  return { value, tooltip };
}
