import type { OutcomeKind } from '../../../src/protocol/outcome.ts';
import type {
  DetailsView,
  HostToPage,
  PageToHost,
  RowView,
  TimelineRequests,
  TimelineSnapshot,
  TimeRange,
} from '../../../src/protocol/webview.ts';
import { FakeFilter } from './fakeFilter.ts';
import { chartsOf, overviewOf } from './fakeOverview.ts';
import { historyRows, nextRow, type RecordedRow, recordedRows } from './rows.ts';
import { strings } from './strings.ts';

/** What a test sets before the page's script runs, and what it reads afterwards. */
interface HarnessSettings {
  readonly rows?: number;
  /** The rows end about now, so that one that waits stands among them. */
  readonly isRecent?: boolean;
  /** Rows of three days and this many servers. */
  readonly historyOf?: number;
  readonly state?: unknown;
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

const FAILURES: ReadonlySet<OutcomeKind | undefined> = new Set<OutcomeKind>([
  'partial',
  'tool_error',
  'silent_error',
  'protocol_error',
  'transport_error',
  'timeout',
  'invalid_response',
]);

const RESPONSES: Readonly<Partial<Record<OutcomeKind, readonly [text: string, marked: string]>>> = {
  silent_error: [
    '{\n  "jsonrpc": "2.0",\n  "id": 41,\n  "result": {\n    "content": [\n      {\n        "type": "text",\n        "text": "Error: no book titled \'Dun\'"\n      }\n    ]\n  }\n}',
    "Error: no book titled 'Dun'",
  ],
  tool_error: [
    '{\n  "jsonrpc": "2.0",\n  "id": 44,\n  "result": {\n    "content": [\n      { "type": "text", "text": "Validation failed: title is required" }\n    ],\n    "isError": true\n  }\n}',
    '"isError": true',
  ],
  protocol_error: [
    '{\n  "jsonrpc": "2.0",\n  "id": 45,\n  "error": {\n    "code": -32602,\n    "message": "Invalid arguments: path must be a string"\n  }\n}',
    '"code": -32602',
  ],
  partial: [
    '{\n  "jsonrpc": "2.0",\n  "id": 43,\n  "result": {\n    "structuredContent": {\n      "imported": 7,\n      "rejected": [\n        "row 3",\n        "row 8",\n        "row \u202E9"\n      ]\n    }\n  }\n}',
    '"rejected"',
  ],
};

const WHY: Readonly<Partial<Record<OutcomeKind, string>>> = {
  silent_error: 'The tool says that it failed, but isError is not set, so the model takes this text for the answer.',
  tool_error: 'The tool reports that it failed, and the model is told.',
  protocol_error: 'The server refused the request: its arguments do not fit the tool’s input schema.',
  partial: '7 of 10 rows were imported; 3 are missing, and isError is not set.',
  transport_error: 'The server process ended before it answered.',
  timeout: 'No answer came within the limit.',
};

/** The extension's side of the contract, for a page in a plain browser. */
export class FakeHost {
  readonly received: PageToHost[] = [];
  saved: unknown;
  private rows: RecordedRow[];
  private readonly expanded = new Set<number>();
  private hidden: readonly OutcomeKind[] = [];
  private text = '';
  private readonly filter = new FakeFilter();
  private range: TimeRange | undefined;
  private epoch = 1;
  private readonly refuse: ReadonlySet<string>;

  constructor(settings: HarnessSettings) {
    this.rows =
      settings.historyOf === undefined
        ? recordedRows(settings.rows ?? 300, settings.isRecent === true ? Date.now() * 1000 - 133_000_000 : undefined)
        : historyRows(settings.historyOf);
    this.saved = settings.state;
    this.refuse = new Set(settings.refuse ?? []);
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
      } else {
        this.send({ type: 'reply', id, result: this.answer(message) });
      }
    });
  }

  /** Appends a row that waits and ends it later: two snapshots. */
  append(isEnded: boolean): number {
    const last = this.rows.at(-1)?.head;
    const key = (last?.key ?? 1) + 10;
    this.rows = [...this.rows, nextRow(key, isEnded ? (last?.startUs ?? 0) + 120_000 : Date.now() * 1000, isEnded)];
    this.changed();
    return key;
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
    window.postMessage(structuredClone(message), '*');
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
      recorded: this.rows.length,
      counts,
      retried: this.rows.filter(({ children }) => children.length > 0).length,
      fromUs: visible[0]?.startUs ?? 0,
      toUs: visible.at(-1)?.startUs ?? 0,
      hiddenOutcomes: this.hidden,
      filterText: this.text,
      ...(this.range === undefined ? {} : { range: this.range }),
      status: { servers: '4 servers, 1 failing', recording: 'recording · 212 MB', isInMemory: false },
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
      if (row !== undefined && FAILURES.has(row.outcome)) {
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
    const row = inside.find(({ outcome }) => FAILURES.has(outcome)) ?? inside[0] ?? nearest;
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
    const response = row.outcome === undefined ? undefined : RESPONSES[row.outcome];
    const isFailure = FAILURES.has(row.outcome);
    const seq = row.key;
    const request = `{\n  "jsonrpc": "2.0",\n  "id": 41,\n  "method": "${row.method}",\n  "params": {\n    "name": "${row.target ?? ''}",\n    "arguments": { "title": "Dun" }\n  }\n}`;
    const answer =
      '{\n  "jsonrpc": "2.0",\n  "id": 41,\n  "result": { "content": [{ "type": "text", "text": "Dune, Frank Herbert, 1965" }] }\n}';
    const text = response?.[0] ?? answer;
    const start = response === undefined ? -1 : text.indexOf(response[1]);
    return {
      row,
      title: row.target ?? row.method,
      subtitle: `${row.server} · ${row.method} · id 41`,
      facts: `${(row.durationUs ?? 0) / 1000} ms · 2025-11-25 · stdio`,
      why: {
        summary: (row.outcome === undefined ? undefined : WHY[row.outcome]) ?? 'The server answered what was asked.',
        signals: isFailure
          ? [
              {
                text: row.reason === '' ? 'The answer says so' : row.reason,
                strength: 'strong',
                strengthText: 'strong',
                pointer: '/result/content/0/text',
              },
              {
                text: 'This tool never answered so on 36 earlier successes',
                strength: 'medium',
                strengthText: 'history · medium',
              },
            ]
          : [],
        retry: {
          class: 'never',
          text: isFailure
            ? 'Never by the client: the same title fails again. The model could correct it, if it were told.'
            : '',
        },
        missing: row.outcome === 'partial' ? ['row 3', 'row 8', 'row \u202E9'] : [],
        failure:
          row.outcome === 'transport_error'
            ? ['Exit code 1', 'ModuleNotFoundError: No module named ‘httpx’', 'Install it: pip install httpx']
            : [],
      },
      request: { text: request, highlights: [], bytes: 183, isTruncated: false, seq },
      ...(row.outcome === 'timeout' || row.outcome === 'transport_error'
        ? {}
        : {
            response: {
              text,
              highlights: start < 0 ? [] : [{ start, end: start + (response?.[1].length ?? 0) }],
              bytes: row.outcome === 'success' ? 2_400_000 : 412,
              isTruncated: row.outcome === 'success',
              seq: seq + 1,
            },
          }),
      attempts: found.children.map((child) => ({
        key: child.key,
        text: child.reason,
        outcome: child.outcome,
        outcomeText: child.outcomeText,
      })),
      related: isFailure
        ? [
            { seq, text: 'notifications/progress 3 of 10' },
            { seq, text: 'HTTP 200 in 8 ms' },
            { seq, key: 1, text: 'Blind retry: the same arguments as at 14:02:09.001, which failed' },
          ]
        : [],
      anomalies: isFailure
        ? [
            {
              severity: 'warn',
              severityText: 'warning',
              text: 'Progress went from 5 to 3\u202E; it must increase.',
              remedy: 'Count up with each report.',
              pointer: '/params/progress',
              seq: seq + 7,
            },
          ]
        : [],
      stderr:
        row.server === 'weather'
          ? [
              'Traceback (most recent call last):',
              '  File "server.py", line 3, in <module>',
              '    import httpx',
              'ModuleNotFoundError: No module named ‘httpx’',
            ]
          : [],
      ...(row.method === 'tools/call' ? { hasToolSource: true } : {}),
      ...(row.kind === 'request' ? {} : { replayRefusal: 'Only requests of the client can be replayed.' }),
    };
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
