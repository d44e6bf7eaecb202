import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { DetailsView, DiffView, ImageResult } from '../../protocol/details.ts';
import type { ChartsView, OverviewView, RowView, TimelineSnapshot } from '../../protocol/timelineViews.ts';
import type { TimelineRequests } from '../../protocol/webview.ts';
import { COMMAND_IDS } from '../contributions.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { say } from '../say.ts';
import { completionViews } from './completionView.ts';
import { detailsView } from './detailsView.ts';
import type { FilterControl } from './filterControl.ts';
import { imageAt } from './images.ts';
import { parsedJson } from './messageText.ts';
import { openMessageDocument, openTextDiff } from './openDocuments.ts';
import { type LaneFacts, OverviewCounter } from './overviewView.ts';
import { rowView } from './rowView.ts';
import type { SavedFilter, SavedFilters } from './savedFilters.ts';

/** Offered where there is such a command. */
const EDIT_REPLAY = 'faultline.editReplay';

/** What the timeline needs to know of servers, which are not its business otherwise. */
export interface ServerFacts {
  /** The name that a person gave it. */
  nameOf(server: string): string;
  /** "2025-11-25 · stdio" as far as it is known. */
  describe(server: string): string;
  /** Its state in a word, for its lane; `undefined` for one that is not known here. */
  stateOf?(server: string): ReturnType<LaneFacts>['state'];
  /** The client whose connection a tap has seen; `undefined` for our own. */
  clientOf?(connection: string): string | undefined;
  /** "4 servers, 1 failing". */
  summary(): string;
  /** How it is defined, where it still is. */
  definitionOf?(server: string): ServerDefinition | undefined;
  /** Whether faults are being injected on purpose, in a sentence. */
  readonly faults?: { readonly banner: string | undefined; readonly onDidChange: Event<void> };
  /** Why an exchange cannot be replayed; `undefined` when it can. */
  replayRefusal(key: number): string | undefined;
  /** The session file that is shown, by its address, and what is said of it; absent for what this window records. */
  readonly file?: { readonly uri: string; readonly text: string };
}

/** The timeline in the words of the page: rows, details and snapshots, from the recording. Its only state is a count of changes. */
export class TimelineModel implements Disposable {
  private readonly recording: Recording<ReadableLog>;
  private readonly servers: ServerFacts;
  /** Counts changes of any kind: rows change in place too, when an answer comes. */
  private epoch = 0;
  /** Rows or what the snapshot says beside them have changed. */
  readonly onDidChange: Event<void>;
  private readonly counter: OverviewCounter;
  private readonly filter: FilterControl;
  private readonly saved: SavedFilters;
  private readonly store = new DisposableStore();

  constructor(recording: Recording<ReadableLog>, servers: ServerFacts, filter: FilterControl, saved: SavedFilters) {
    this.filter = filter;
    this.saved = saved;
    this.store.add(filter.retain());
    this.recording = recording;
    this.servers = servers;
    const changed = this.store.add(new Emitter<void>());
    this.onDidChange = changed.event;
    this.store.add(recording.onDidRead(() => changed.fire()));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
    if (servers.faults !== undefined) {
      this.store.add(servers.faults.onDidChange(() => changed.fire()));
    }
    this.counter = new OverviewCounter(recording.timeline, (server) => {
      const state = servers.stateOf?.(server);
      return { name: servers.nameOf(server), ...(state === undefined ? {} : { state }) };
    });
    this.store.add(
      recording.timeline.onDidChange(() => {
        this.epoch += 1;
        changed.fire();
      }),
    );
  }

  /** The address of the session file that is shown; `''` for what this window records. */
  get file(): string {
    return this.servers.file?.uri ?? '';
  }

  /** What is shown is a file, which nothing here changes or answers. */
  get isReadOnly(): boolean {
    return this.servers.file !== undefined;
  }

  /** Resolves when the newest rows are there to be shown. */
  load(): Promise<void> {
    return this.recording.loadNewest();
  }

  snapshot(): TimelineSnapshot {
    const { timeline, log, reading } = this.recording;
    const span = timeline.span();
    const banner = this.servers.faults?.banner;
    return {
      epoch: this.epoch,
      total: timeline.total,
      recorded: timeline.recorded,
      counts: timeline.counts(),
      retried: timeline.retried,
      fromUs: span.fromUs,
      toUs: span.toUs,
      hiddenOutcomes: timeline.hiddenOutcomes,
      // Until somebody has set one, a page starts from the filter that it was left with.
      ...(timeline.hasFilter ? { filterText: timeline.filterText } : {}),
      ...(this.filter.isSearching ? { isSearching: true } : {}),
      ...(timeline.range === undefined ? {} : { range: timeline.range }),
      ...(reading === undefined ? {} : { isReading: true }),
      ...(banner === undefined ? {} : { faults: { text: banner, stop: vscode.l10n.t('Stop') } }),
      status: {
        servers: this.servers.summary(),
        recording: this.recordingText(),
        isInMemory: log.status.kind === 'memory',
        ...(vscode.workspace.isTrusted || this.isReadOnly ? {} : { isUntrusted: true }),
      },
    };
  }

  rows(from: number, count: number): TimelineRequests['rows']['result'] {
    const { timeline } = this.recording;
    return { epoch: this.epoch, from, rows: timeline.rows(from, count).map((row) => this.view(row)) };
  }

  async setFilter({
    range,
    ...wanted
  }: TimelineRequests['setFilter']['params']): Promise<TimelineRequests['setFilter']['result']> {
    this.recording.timeline.setRange(range);
    const error = await this.filter.set(wanted);
    const snapshot = this.snapshot();
    if (error === undefined) {
      return { snapshot };
    }
    const { code, args, offset, length } = error;
    return { snapshot, problem: { message: say(code, args), offset, length } };
  }

  complete(text: string, cursor: number): TimelineRequests['complete']['result']['items'] {
    return completionViews(text, this.filter.complete(text, cursor), this.saved.all());
  }

  /** The filter that a person has picked among the saved ones. */
  pickFilter(current: TimelineRequests['pickFilter']['params']): Promise<Omit<SavedFilter, 'name'> | undefined> {
    return this.saved.pick(current);
  }

  dispose(): void {
    this.store.dispose();
  }

  overview(buckets: number, isByServer: boolean): Promise<OverviewView> {
    return this.counter.overview(this.epoch, buckets, isByServer);
  }

  charts(buckets: number): Promise<ChartsView> {
    return this.counter.charts(this.epoch, buckets);
  }

  rowNear({ fromUs, toUs, server }: TimelineRequests['rowNear']['params']): TimelineRequests['rowNear']['result'] {
    return this.recording.timeline.rowNear(fromUs, toUs, server);
  }

  setExpanded(key: number, isExpanded: boolean): TimelineSnapshot {
    this.recording.timeline.setExpanded(key, isExpanded);
    return this.snapshot();
  }

  indexOf(key: number): number {
    return this.recording.timeline.indexOf(key);
  }

  nextFailure(from: number | undefined, direction: 1 | -1): TimelineRequests['nextFailure']['result'] {
    return this.recording.timeline.nextFailure(from, direction);
  }

  details(key: number): DetailsView | undefined {
    const { timeline } = this.recording;
    const row = timeline.row(key);
    const exchange = row === undefined ? undefined : this.recording.exchange(row.endKey);
    if (row === undefined || exchange === undefined) {
      return undefined;
    }
    const chain = timeline.attempts(key).map((attempt) => this.view(attempt));
    return detailsView(this.recording, this.view(row), exchange, chain, {
      serverName: this.servers.nameOf(row.server),
      connection: this.servers.describe(row.server),
      replayRefusal: this.servers.replayRefusal(key),
      definition: this.servers.definitionOf?.(row.server),
      canEditReplay: EDIT_REPLAY in COMMAND_IDS,
    });
  }

  openPayload(seq: number, isRaw: boolean): Promise<void> {
    return openMessageDocument(seq, this.servers.file?.uri, isRaw);
  }

  /** The picture that a message declares at a place, for a person who asks for it. */
  image(seq: number, pointer: string): ImageResult {
    const body = this.recording.log.get(seq)?.body;
    return imageAt(body?.kind === 'message' ? (parsedJson(body.raw) ?? null) : null, pointer);
  }

  /** How a row differs from another. */
  async compare(key: number, base: number, ignoreVolatile: boolean): Promise<DiffView | undefined> {
    const { diffView } = await import('./lateCompare.ts');
    return diffView(this.recording, key, base, ignoreVolatile);
  }

  openTextDiff(key: number, base: number): Promise<void> {
    return openTextDiff(this.recording, key, base, this.servers.file?.uri);
  }

  private recordingText(): string {
    const { log, reading } = this.recording;
    if (reading !== undefined) {
      const { done, of } = reading;
      return vscode.l10n.t('reading earlier calls: {0} %', Math.floor((100 * done) / Math.max(1, of)));
    }
    // In memory only is told by the page itself, with an icon.
    return this.servers.file?.text ?? (log.status.kind === 'file' ? vscode.l10n.t('recording') : '');
  }

  private view(row: ReturnType<Recording['timeline']['rows']>[number]): RowView {
    const view = rowView(row, this.servers.nameOf(row.server), (key) => this.recording.exchange(key));
    const client = this.servers.clientOf?.(row.connection);
    return client === undefined ? view : { ...view, client };
  }
}
