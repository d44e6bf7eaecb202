import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { HostToPage, TimelineNotifications, TimelineRequests } from '../../protocol/webview.ts';
import { runCommand } from '../manifest.ts';
import { readPageMessage, type ValidMessage } from './pageMessages.ts';
import { pageStrings } from './pageStrings.ts';
import { pagesFor } from './rowPages.ts';
import type { TimelineModel } from './timelineModel.ts';

/** At most one `changed` a frame: a burst of a thousand messages is one repaint. */
const FRAME_MS = 33;

const COPY_COMMANDS = {
  json: 'faultline.copyExchange',
  raw: 'faultline.copyRaw',
  curl: 'faultline.copyAsCurl',
  call: 'faultline.copyAsCall',
  vitest: 'faultline.copyAsVitest',
  pytest: 'faultline.copyAsPytest',
} as const;

type Request = Exclude<ValidMessage, { type: 'selection' }>;

/** One open page, in the sidebar or in an editor tab: answers its requests and tells it when rows changed. */
export class TimelinePage implements Disposable {
  private readonly store = new DisposableStore();
  private readonly selectionEmitter = this.store.add(new Emitter<number | undefined>());
  readonly onDidSelect = this.selectionEmitter.event;
  private readonly webview: vscode.Webview;
  private readonly model: TimelineModel;
  private readonly clock: Clock;
  private selected: number | undefined;
  /** The rows that the page asked for last: those that somebody looks at, about. */
  private asked: TimelineRequests['rows']['params'] = { from: 0, count: 0 };
  private isReady = false;
  private pendingNotifications: HostToPage[] = [];
  private frame: { dispose(): void } | undefined;

  constructor(webview: vscode.Webview, model: TimelineModel, clock: Clock) {
    this.webview = webview;
    this.model = model;
    this.clock = clock;
    this.store.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    this.store.add(model);
    this.store.add(model.onDidChange(() => this.scheduleChanged()));
    this.store.defer(() => this.frame?.dispose());
  }

  get selection(): number | undefined {
    return this.selected;
  }

  /** Sends a notification; one sent before the page is ready waits for it. */
  notify<N extends keyof TimelineNotifications>(name: N, params: TimelineNotifications[N]): void {
    const message = { type: 'notification', name, params } as HostToPage;
    if (this.isReady) {
      this.post(message);
    } else {
      this.pendingNotifications.push(message);
    }
  }

  /** The page is hidden and therefore gone, since it is not retained; it announces itself anew when it is shown. */
  suspend(): void {
    this.isReady = false;
  }

  dispose(): void {
    this.store.dispose();
  }

  private post(message: HostToPage): void {
    // Resolves to false when the page is gone; it asks for everything anew when it comes back.
    void this.webview.postMessage(message);
  }

  private scheduleChanged(): void {
    if (this.isReady && this.frame === undefined) {
      this.frame = this.clock.setTimer(FRAME_MS, () => {
        this.frame = undefined;
        this.notify('changed', { snapshot: this.model.snapshot() });
      });
    }
  }

  private receive(raw: unknown): void {
    const message = readPageMessage(raw);
    switch (message.type) {
      case 'selection':
        this.selected = message.key;
        this.selectionEmitter.fire(message.key);
        return;
      case 'invalid':
        if (message.id !== undefined) {
          this.post({ type: 'reply', id: message.id, error: { code: 'INVALID_MESSAGE', message: message.problem } });
        }
        return;
      case 'request':
        void this.answer(message);
        return;
      default:
        assertNever(message);
    }
  }

  private async answer(request: Request): Promise<void> {
    try {
      this.post({ type: 'reply', id: request.id, result: await this.handle(request) });
    } catch (error) {
      this.post({ type: 'reply', id: request.id, error: { code: 'FAILED', message: messageOf(error) } });
    }
    if (request.method === 'ready') {
      this.isReady = true;
      const waiting = this.pendingNotifications;
      this.pendingNotifications = [];
      for (const message of waiting) {
        this.post(message);
      }
    }
  }

  private async handle(request: Request): Promise<TimelineRequests[keyof TimelineRequests]['result']> {
    switch (request.method) {
      case 'ready':
        await this.model.load();
        return { snapshot: this.model.snapshot(), strings: pageStrings };
      case 'rows':
        this.asked = request.params;
        return this.model.rows(request.params.from, request.params.count);
      case 'setFilter': {
        const settled = await this.model.setFilter(request.params);
        const { total } = settled.snapshot;
        return { ...settled, rows: pagesFor(this.asked, total).map((from) => this.model.rows(from, this.asked.count)) };
      }
      case 'complete':
        return { items: this.model.complete(request.params.text, request.params.cursor) };
      case 'pickFilter': {
        const picked = await this.model.pickFilter(request.params);
        if (picked !== undefined) {
          this.notify('filter', picked);
        }
        return {};
      }
      case 'overview':
        return this.model.overview(request.params.buckets, request.params.isByServer);
      case 'charts':
        return this.model.charts(request.params.buckets);
      case 'rowNear':
        return this.model.rowNear(request.params);
      case 'setExpanded':
        return { snapshot: this.model.setExpanded(request.params.key, request.params.isExpanded) };
      case 'details':
        return { details: this.model.details(request.params.key) };
      case 'indexOf':
        return { index: this.model.indexOf(request.params.key) };
      case 'nextFailure':
        return this.model.nextFailure(request.params.from, request.params.direction);
      // With what the page shows: another may have been used last, whose rows have the same keys.
      case 'replay':
        await runCommand('faultline.replayWithBackoff', { row: request.params.key, file: this.model.file });
        return {};
      case 'editReplay':
        await runCommand('faultline.editReplay', { row: request.params.key, file: this.model.file });
        return {};
      case 'copy':
        await runCommand(COPY_COMMANDS[request.params.format], request.params.key);
        return {};
      case 'copyText':
        await vscode.env.clipboard.writeText(request.params.text);
        return {};
      case 'openPayload':
        await this.model.openPayload(request.params.seq, request.params.isRaw === true);
        return {};
      case 'image':
        return this.model.image(request.params.seq, request.params.pointer);
      case 'selectForCompare':
        await runCommand('faultline.selectForCompare', request.params.key);
        return {};
      case 'compareWithSelected':
        await runCommand('faultline.compareWithSelected', request.params.key);
        return {};
      case 'compare': {
        const { key, base, ignoreVolatile } = request.params;
        return { diff: await this.model.compare(key, base, ignoreVolatile) };
      }
      case 'openTextDiff':
        await this.model.openTextDiff(request.params.key, request.params.base);
        return {};
      case 'goToToolSource':
        // The page that asks is the one that was used last, so that its recording is the one that is meant.
        await runCommand('faultline.goToToolSource', request.params.key);
        return {};
      case 'runCommand':
        await this.runPageCommand(request.params.command);
        return {};
      default:
        return assertNever(request);
    }
  }

  private async runPageCommand(command: TimelineRequests['runCommand']['params']['command']): Promise<unknown> {
    if (this.model.isReadOnly) {
      // Each of them is about what this window records.
      return undefined;
    }
    switch (command) {
      case 'runDemo':
        return runCommand('faultline.runDemo');
      case 'connectAll':
        return runCommand('faultline.connectAll');
      case 'openInEditor':
        return runCommand('faultline.openTimelineInEditor');
      case 'manageTrust':
        return vscode.commands.executeCommand('workbench.trust.manage');
      case 'stopFaults':
        return runCommand('faultline.stopFaults');
      case 'clear':
        return runCommand('faultline.clearTimeline');
      default:
        return assertNever(command);
    }
  }
}
