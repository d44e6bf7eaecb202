import type { DetailsView } from '../../../src/protocol/details.ts';
import type { OutcomeKind } from '../../../src/protocol/outcome.ts';
import type { RowView, TimelineSnapshot, TimeRange } from '../../../src/protocol/timelineViews.ts';
import type { HostToPage, PageToHost, TimelineRequests } from '../../../src/protocol/webview.ts';
import { fakeDetails, fakeDiff, fakeImage } from './fakeDetails.ts';
import { FakeFilter } from './fakeFilter.ts';
import { chartsOf, overviewOf } from './fakeOverview.ts';
import { hostileMessage, pseudoMessage } from './messageTexts.ts';
import { historyRows, isFailed, nextRow, type RecordedRow, recordedRows } from './rows.ts';
import { strings } from './strings.ts';

/** What a test sets before the page's script runs, and what it reads afterwards. */
interface HarnessSettings {
  readonly rows?: number;
  /** The rows end about now, so that one that waits stands among them. */
  readonly isRecent?: boolean;
  /** Rows of three days and this many servers. */
  readonly historyOf?: number;
  readonly state?: unknown;
  /** Everything that the host says is in a language without English letters, and longer. */
  readonly isPseudo?: boolean;
  /** Only the newest rows are there until `readAll`. */
  readonly isReading?: boolean;
  readonly isInMemory?: boolean;
  readonly isUntrusted?: boolean;
  /** Every text of a server has something hostile in it. */
  readonly isHostile?: boolean;
  /** Methods that the host refuses. */
  readonly refuse?: readonly (keyof TimelineRequests)[];
}

declare global {
  interface Window {
    harness?: HarnessSettings;
    host: FakeHost;
    acquireVsCodeApi: () => unknown;
  }
}

/** As many rows of a long log are shown at first. */
const NEWEST_ROWS = 100;

/** The extension's side of the contract, for a page in a plain browser. */
class FakeHost {
  readonly received: PageToHost[] = [];
  saved: unknown;
  private rows: RecordedRow[];
  private readonly expanded = new Set<number>();
  private hidden: readonly OutcomeKind[] = [];
  private text = '';
  private readonly filter = new FakeFilter();
  /** Has the page set a filter? Before that, the host has none to tell of. */
  private isFiltered = false;
  private range: TimeRange | undefined;
  private epoch = 1;
  private compareBase: number | undefined;
  /** The answers to filters wait here while somebody holds them. */
  private held: (() => void)[] | undefined;
  /** Rows that are not read yet. */
  private unread: RecordedRow[] = [];
  private readonly refuse: ReadonlySet<string>;
  private readonly isPseudo: boolean;
  private readonly isInMemory: boolean;
  private isUntrusted: boolean;
  private readonly isHostile: boolean;

  constructor(settings: HarnessSettings) {
    this.rows =
      settings.historyOf === undefined
        ? recordedRows(settings.rows ?? 300, settings.isRecent === true ? Date.now() * 1000 - 133_000_000 : undefined)
        : historyRows(settings.historyOf);
    if (settings.isReading === true) {
      this.unread = this.rows.slice(0, -NEWEST_ROWS);
      this.rows = this.rows.slice(-NEWEST_ROWS);
    }
    this.saved = settings.state;
    this.refuse = new Set(settings.refuse ?? []);
    this.isHostile = settings.isHostile === true;
    this.isInMemory = settings.isInMemory === true;
    this.isUntrusted = settings.isUntrusted === true;
    this.isPseudo = settings.isPseudo === true;
  }

  receive(message: PageToHost): void {
    this.received.push(message);
    if (message.type !== 'request') {
      return;
    }
    const { id, method } = message;
    queueMicrotask(() => {
      if (this.refuse.has(method)) {
        this.send({ type: 'reply', id, error: { code: 'refused', message: `The host refused “${method}”.` } });
        return;
      }
      const result = this.answer(message);
      const reply = () => this.send({ type: 'reply', id, result });
      if (method === 'setFilter' && this.held !== undefined) {
        this.held.push(reply);
      } else {
        reply();
      }
    });
  }

  /** The rows change by a filter at once, and the page is told of it only by `answerFilters`. */
  holdFilters(): void {
    this.held = [];
  }

  answerFilters(): void {
    for (const reply of this.held?.splice(0) ?? []) {
      reply();
    }
    this.held = undefined;
  }

  /** Appends a row that waits and ends it later: two snapshots. */
  append(isEnded: boolean): number {
    const last = this.rows.at(-1)?.head;
    const key = (last?.key ?? 1) + 10;
    this.rows = [...this.rows, nextRow(key, isEnded ? (last?.startUs ?? 0) + 120_000 : Date.now() * 1000, isEnded)];
    this.changed();
    return key;
  }

  /** A person trusts the workspace. */
  trust(): void {
    this.isUntrusted = false;
    this.changed();
  }

  /** The rest of a long log has been read. */
  readAll(): void {
    this.rows = [...this.unread, ...this.rows];
    this.unread = [];
    this.changed();
  }

  notify(notification: Omit<Extract<HostToPage, { type: 'notification' }>, 'type'>): void {
    this.send({ type: 'notification', ...notification } as HostToPage);
  }

  /** Rows under the filter. */
  get shown(): number {
    return this.visible().length;
  }

  private changed(): void {
    this.epoch += 1;
    this.notify({ name: 'changed', params: { snapshot: this.snapshot() } });
  }

  private send(message: HostToPage): void {
    const said = this.isHostile ? hostileMessage(message) : message;
    window.postMessage(structuredClone(this.isPseudo ? pseudoMessage(said) : said), '*');
  }

  private visible(): RowView[] {
    const { fromUs, toUs = Number.POSITIVE_INFINITY } = this.range ?? { fromUs: 0 };
    return this.passing()
      .filter(({ head }) => head.startUs >= fromUs && head.startUs < toUs)
      .flatMap(({ head, children }) =>
        this.expanded.has(head.key) ? [{ ...head, isExpanded: true }, ...children] : [head],
      );
  }

  private passing(): RecordedRow[] {
    const passing = this.filter.passing(this.rows.map(({ head }) => head));
    return this.rows
      .filter(({ head }) => head.outcome === undefined || !this.hidden.includes(head.outcome))
      .filter(({ head }) => passing.has(head.key));
  }

  private setFilter(params: TimelineRequests['setFilter']['params']): TimelineRequests['setFilter']['result'] {
    const problem = this.filter.take(params.text);
    this.isFiltered = true;
    this.hidden = params.hiddenOutcomes;
    this.text = problem === undefined ? params.text : this.text;
    this.range = params.range;
    this.epoch += 1;
    return { snapshot: this.snapshot(), ...(problem === undefined ? {} : { problem }) };
  }

  private snapshot(): TimelineSnapshot {
    const visible = this.visible();
    const counts: Partial<Record<OutcomeKind, number>> = {};
    for (const { head } of this.rows) {
      if (head.outcome !== undefined) {
        counts[head.outcome] = (counts[head.outcome] ?? 0) + 1;
      }
    }
    return {
      epoch: this.epoch,
      total: visible.length,
      // As the host counts: unfolded attempts are rows too.
      recorded: this.rows.reduce(
        (sum, { head, children }) => sum + 1 + (this.expanded.has(head.key) ? children.length : 0),
        0,
      ),
      counts,
      retried: this.rows.filter(({ children }) => children.length > 0).length,
      fromUs: visible[0]?.startUs ?? 0,
      toUs: visible.at(-1)?.startUs ?? 0,
      hiddenOutcomes: this.hidden,
      ...(this.isFiltered ? { filterText: this.text } : {}),
      ...(this.range === undefined ? {} : { range: this.range }),
      ...(this.unread.length > 0 ? { isReading: true } : {}),
      status: {
        servers: '4 servers, 1 failing',
        recording: this.unread.length > 0 ? 'reading earlier calls: 34 %' : 'recording · 212 MB',
        isInMemory: this.isInMemory,
        ...(this.isUntrusted ? { isUntrusted: true } : {}),
      },
    };
  }

  private answer(message: Extract<PageToHost, { type: 'request' }>): unknown {
    switch (message.method) {
      case 'ready':
        return { snapshot: this.snapshot(), strings };
      case 'rows': {
        const { from, count } = message.params;
        return { epoch: this.epoch, from, rows: this.visible().slice(from, from + count) };
      }
      case 'setFilter':
        return this.setFilter(message.params);
      case 'complete': {
        const { text, cursor } = message.params;
        return {
          items: this.filter.complete(
            text,
            cursor,
            this.rows.map(({ head }) => head),
          ),
        };
      }
      case 'overview':
        return overviewOf(
          this.passing().map(({ head }) => head),
          this.epoch,
          message.params,
        );
      case 'charts':
        return chartsOf(
          this.visible().filter(({ depth }) => depth === 0),
          this.epoch,
          message.params.buckets,
        );
      case 'rowNear':
        return this.rowNear(message.params);
      case 'setExpanded':
        if (message.params.isExpanded) {
          this.expanded.add(message.params.key);
        } else {
          this.expanded.delete(message.params.key);
        }
        this.epoch += 1;
        return { snapshot: this.snapshot() };
      case 'details':
        return { details: this.details(message.params.key) };
      case 'selectForCompare':
        this.compareBase = message.params.key;
        return {};
      case 'compareWithSelected':
        this.notify({ name: 'act', params: { action: 'showCompare' } });
        return {};
      case 'compare':
        return { diff: fakeDiff(message.params.ignoreVolatile) };
      case 'image':
        return fakeImage;
      case 'indexOf':
        return { index: this.visible().findIndex((row) => row.key === message.params.key) };
      case 'nextFailure':
        return this.nextFailure(message.params.from, message.params.direction);
      default:
        return {};
    }
  }

  private nextFailure(from: number | undefined, direction: 1 | -1): { key: number; index: number } | undefined {
    const visible = this.visible();
    const start = from === undefined ? -1 : visible.findIndex((row) => row.key === from);
    for (let step = 1; step <= visible.length; step += 1) {
      const index = (start + direction * step + visible.length * 2) % visible.length;
      const row = visible[index];
      if (row !== undefined && isFailed(row.outcome)) {
        return { key: row.key, index };
      }
    }
    return undefined;
  }

  private rowNear({ fromUs, toUs, server }: TimelineRequests['rowNear']['params']): unknown {
    const own = this.visible().filter((row) => server === undefined || `workspace:${row.server}` === server);
    const inside = own.filter((row) => row.startUs >= fromUs && row.startUs < toUs);
    const distance = (row: RowView) => Math.abs(row.startUs - fromUs);
    const nearest = own.toSorted((a, b) => distance(a) - distance(b))[0];
    const row = inside.find(({ outcome }) => isFailed(outcome)) ?? inside[0] ?? nearest;
    return row === undefined
      ? undefined
      : { key: row.key, index: this.visible().findIndex(({ key }) => key === row.key) };
  }

  private details(key: number): DetailsView | undefined {
    const found = this.rows.find(({ head, children }) => [head, ...children].some((row) => row.key === key));
    const row = found === undefined ? undefined : [found.head, ...found.children].find((each) => each.key === key);
    if (found === undefined || row === undefined) {
      return undefined;
    }
    return fakeDetails(found, row, this.compareBase);
  }
}

const host = new FakeHost(window.harness ?? {});
window.host = host;
window.acquireVsCodeApi = () => ({
  postMessage: (message: PageToHost) => host.receive(message),
  getState: () => host.saved,
  setState: (state: unknown) => {
    host.saved = state;
  },
});
