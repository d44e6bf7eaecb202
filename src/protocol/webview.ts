import type { AnomalySeverity } from './anomaly.ts';
import type {
  AttemptView,
  CompareView,
  CopyFormatName,
  DetailsStrings,
  DiffView,
  HttpView,
  ImageResult,
  PayloadView,
  StderrView,
} from './details.ts';
import type { RowKind } from './exchange.ts';
import type { CompletionView, FilterProblem, FilterStrings } from './filter.ts';
import type { Mark, OutcomeKind, RetryClass, SignalStrength } from './outcome.ts';

/**
 * The contract between the host and the timeline page. Rows are pulled by range and carry an epoch, which grows with every
 * change of any row: a range of an older epoch than the page's last is thrown away and asked for again. All that the host pushes is a snapshot, never a delta.
 * Text arrives translated; the page holds no sentence of its own.
 */
export interface RowView {
  /** Stable for the life of the log; negative for a chain head's own first attempt, shown under the head. */
  readonly key: number;
  readonly kind: RowKind;
  /** 0 for a chain head or a row without a chain, 1 for a folded attempt shown under its head. */
  readonly depth: 0 | 1;
  readonly isExpandable: boolean;
  readonly isExpanded: boolean;
  readonly startUs: number;
  /** Absent while pending: the page ticks it. */
  readonly durationUs?: number;
  readonly server: string;
  /** Whose call it is, as that client calls itself; absent for calls of our own. */
  readonly client?: string;
  readonly method: string;
  readonly target?: string;
  readonly initiator: 'client' | 'server';
  readonly outcome: OutcomeKind | undefined;
  /** The outcome in words with its number where it has one: "partial 7/10", "protocol -32602", "success on 3rd". */
  readonly outcomeText: string;
  /** Why, in one sentence; empty for a plain success. */
  readonly reason: string;
  readonly attempt?: { readonly number: number; readonly of: number };
  /** Of a chain head: its attempts and the waits between them, for the waterfall. Offsets from the head's start. */
  readonly segments?: readonly {
    readonly kind: 'attempt' | 'gap';
    readonly outcome?: OutcomeKind;
    readonly startUs: number;
    readonly durationUs: number;
  }[];
  readonly marks: readonly { readonly mark: Mark; readonly text: string }[];
  readonly bytes: number;
}

/** Wall time, µs. Without `toUs`: to the end, with whatever is still to come. */
export interface TimeRange {
  readonly fromUs: number;
  readonly toUs?: number;
}

export type OutcomeCounts = Readonly<Partial<Record<OutcomeKind, number>>>;

/** Everything that the page shows beside the rows. */
export interface TimelineSnapshot {
  readonly epoch: number;
  /** Visible rows under the current filter, expanded attempts included. */
  readonly total: number;
  /** Recorded rows before any filter. */
  readonly recorded: number;
  readonly counts: OutcomeCounts;
  readonly retried: number;
  /** Wall time span of the visible rows; both 0 when there are none. */
  readonly fromUs: number;
  readonly toUs: number;
  readonly hiddenOutcomes: readonly OutcomeKind[];
  /** The text that filters the rows, so that every page that shows them can show it; absent when the host does not say. */
  readonly filterText?: string;
  /** Messages are being searched for the filter's text: more rows may come. */
  readonly isSearching?: boolean;
  /** Earlier rows are still being read from a long log; the newest are shown meanwhile. */
  readonly isReading?: boolean;
  /** The rows shown are those that began in this time or ran into it; absent when they are those of all time. */
  readonly range?: TimeRange;
  /** Faults are being injected on purpose: that and which, and what the button is called that stops it. */
  readonly faults?: { readonly text: string; readonly stop: string };
  readonly status: {
    readonly servers: string;
    readonly recording: string;
    /** True when the log could not be opened and events live in memory only. */
    readonly isInMemory: boolean;
  };
}

/** A stretch of the overview's axis: `count` buckets of `bucketUs`. The idle time before the next one is left out. */
export interface OverviewSegment {
  readonly fromUs: number;
  readonly bucketUs: number;
  readonly count: number;
}

/** What began in a bucket. `others`: rows without an outcome. Chains count once, by how they ended. */
export interface OverviewCell {
  /** Counted over all segments. */
  readonly bucket: number;
  readonly counts: OutcomeCounts;
  readonly others: number;
}

/** The rows that pass the filter, whatever the range is, by the time at which they began. */
export interface OverviewView {
  readonly epoch: number;
  readonly segments: readonly OverviewSegment[];
  /** Buckets that have rows, ascending. */
  readonly cells: readonly OverviewCell[];
  /** The same by server, when asked for. */
  readonly lanes?: readonly OverviewLaneView[];
}

export interface OverviewLaneView {
  readonly id: string;
  readonly name: string;
  /** What state it is in, in words; absent for a server that is not known here. */
  readonly state?: { readonly kind: 'up' | 'down' | 'failed' | 'busy'; readonly text: string };
  readonly cells: readonly OverviewCell[];
}

/** Requests that took from `fromUs` on, less than `toUs`; the last bar may have no end. */
export interface LatencyBin {
  readonly fromUs: number;
  readonly toUs?: number;
  readonly passed: number;
  readonly failed: number;
}

/** The shown rows, range included, as the charts draw them. */
export interface ChartsView {
  readonly epoch: number;
  readonly segments: readonly OverviewSegment[];
  readonly cells: readonly OverviewCell[];
  readonly latency: {
    readonly count: number;
    /** µs, within 2 %; absent when no request has ended. */
    readonly percentiles?: { readonly p50Us: number; readonly p95Us: number; readonly p99Us: number };
    readonly bins: readonly LatencyBin[];
  };
}

export interface SignalView {
  readonly text: string;
  readonly strength: SignalStrength;
  readonly strengthText: string;
  readonly pointer?: string;
}

/** Something unusual beside the outcome, with what to do about it. `seq` is the message in which it was seen. */
export interface AnomalyView {
  readonly severity: AnomalySeverity;
  readonly severityText: string;
  readonly text: string;
  readonly remedy: string;
  readonly pointer?: string;
  readonly seq: number;
}

export interface DetailsView {
  readonly row: RowView;
  readonly title: string;
  /** "bookshop · tools/call · id 41". */
  readonly subtitle: string;
  /** "2025-11-25 · stdio · 2026-01-31 14:02:08.020"; the page puts the duration before it. */
  readonly facts: string;
  readonly why: {
    readonly summary: string;
    readonly signals: readonly SignalView[];
    readonly retry: { readonly class: RetryClass; readonly text: string };
    readonly missing: readonly string[];
    /** Cause, exit code, stderr tail and remedy of a lost or failed connection, one line each. */
    readonly failure: readonly string[];
  };
  readonly request?: PayloadView;
  readonly response?: PayloadView;
  /** Why there is no response; empty when it is there or when none is due. */
  readonly noResponse: string;
  readonly attempts: readonly AttemptView[];
  readonly http: readonly HttpView[];
  /** `key`: the row that it is about, to jump to; without one, the message is opened. */
  readonly related: readonly { readonly seq: number; readonly text: string; readonly key?: number }[];
  /** What was unusual beside the outcome; absent or empty when nothing was. */
  readonly anomalies?: readonly AnomalyView[];
  readonly stderr: readonly StderrView[];
  /** What it can be compared with: the row that was chosen for that, or its replay or the row that it replays. */
  readonly compare?: CompareView;
  /** A row was chosen with which any other can be compared. */
  readonly isCompareChosen: boolean;
  readonly copyFormats: readonly CopyFormatName[];
  readonly canEditReplay: boolean;
  /** The row calls a tool, whose source can be looked for. */
  readonly hasToolSource?: boolean;
  /** Why Replay is not offered; absent when it is. */
  readonly replayRefusal?: string;
}

/** Page → host, each with a reply. A rejected request is answered with an `error`, never left waiting. */
export interface TimelineRequests {
  ready: {
    params: { readonly placement: 'sidebar' | 'editor' };
    result: { readonly snapshot: TimelineSnapshot; readonly strings: PageStrings };
  };
  rows: {
    params: { readonly from: number; readonly count: number };
    result: { readonly epoch: number; readonly from: number; readonly rows: readonly RowView[] };
  };
  setFilter: {
    /** Without a range the rows of all time. */
    params: { readonly hiddenOutcomes: readonly OutcomeKind[]; readonly text: string; readonly range?: TimeRange };
    /**
     * With a problem, the text is not taken and the last good one stays. `rows`: those in the place of the rows that the page asked
     * for last, so that it need not ask again.
     */
    result: {
      readonly snapshot: TimelineSnapshot;
      readonly problem?: FilterProblem;
      readonly rows?: readonly TimelineRequests['rows']['result'][];
    };
  };
  /** Rows by time for a strip of `buckets` bars at most. */
  overview: {
    params: { readonly buckets: number; readonly isByServer: boolean };
    result: OverviewView;
  };
  charts: { params: { readonly buckets: number }; result: ChartsView };
  /**
   * The shown row to jump to for a time, of one server when that is named: the first failure that began in it, else the first
   * row, else the one that began nearest.
   */
  rowNear: {
    params: { readonly fromUs: number; readonly toUs: number; readonly server?: string };
    result: { readonly key: number; readonly index: number } | undefined;
  };
  /** What may be written at the cursor of the filter. */
  complete: {
    params: { readonly text: string; readonly cursor: number };
    result: { readonly items: readonly CompletionView[] };
  };
  /** Lets a person pick a saved filter, save this one or forget one; what was picked comes as `filter`. */
  pickFilter: {
    params: { readonly hiddenOutcomes: readonly OutcomeKind[]; readonly text: string };
    result: Record<string, never>;
  };
  setExpanded: {
    params: { readonly key: number; readonly isExpanded: boolean };
    result: { readonly snapshot: TimelineSnapshot };
  };
  details: { params: { readonly key: number }; result: { readonly details: DetailsView | undefined } };
  /** Index among the visible rows, for jumping to a row that was named elsewhere; -1 when it is filtered out. */
  indexOf: { params: { readonly key: number }; result: { readonly index: number } };
  /** The next or previous failure from a row on, wrapping round; `undefined` when there is none. */
  nextFailure: {
    params: { readonly from: number | undefined; readonly direction: 1 | -1 };
    result: { readonly key: number; readonly index: number } | undefined;
  };
  replay: { params: { readonly key: number }; result: Record<string, never> };
  editReplay: { params: { readonly key: number }; result: Record<string, never> };
  copy: { params: { readonly key: number; readonly format: CopyFormatName }; result: Record<string, never> };
  /** Puts a part of a message on the clipboard. */
  copyText: { params: { readonly text: string }; result: Record<string, never> };
  /** Opens a message as a document, laid out or as on the wire. */
  openPayload: { params: { readonly seq: number; readonly isRaw?: boolean }; result: Record<string, never> };
  image: { params: { readonly seq: number; readonly pointer: string }; result: ImageResult };
  selectForCompare: { params: { readonly key: number }; result: Record<string, never> };
  compareWithSelected: { params: { readonly key: number }; result: Record<string, never> };
  /** How `key` differs from `base`; `undefined` when either is gone. */
  compare: {
    params: { readonly key: number; readonly base: number; readonly ignoreVolatile: boolean };
    result: { readonly diff: DiffView | undefined };
  };
  /** Opens both answers in VS Code's own diff editor. */
  openTextDiff: { params: { readonly key: number; readonly base: number }; result: Record<string, never> };
  /** Opens the source of the tool that the row calls. */
  goToToolSource: { params: { readonly key: number }; result: Record<string, never> };
  runCommand: {
    params: { readonly command: 'runDemo' | 'connectAll' | 'openInEditor' | 'clear' | 'stopFaults' };
    result: Record<string, never>;
  };
}

/** Host → page. */
export interface TimelineNotifications {
  changed: { readonly snapshot: TimelineSnapshot };
  /** Select a row, scroll to it and show its details. */
  reveal: { readonly key: number };
  /** Put this filter in the place of the page's own. */
  filter: { readonly hiddenOutcomes: readonly OutcomeKind[]; readonly text: string };
  /** A command from the palette that acts on the page's own state. */
  act: {
    readonly action:
      | 'nextError'
      | 'previousError'
      | 'focusFilter'
      | 'replaySelected'
      | 'copySelected'
      | 'showCompare'
      | 'filterTool'
      | 'filterServer'
      | 'filterOutcome'
      | 'toggleLanes'
      | 'toggleCharts';
  };
}

export type PageToHost =
  | {
      [M in keyof TimelineRequests]: {
        readonly type: 'request';
        readonly id: number;
        readonly method: M;
        readonly params: TimelineRequests[M]['params'];
      };
    }[keyof TimelineRequests]
  | { readonly type: 'selection'; readonly key: number | undefined };

export type HostToPage =
  | { readonly type: 'reply'; readonly id: number; readonly result: unknown }
  | { readonly type: 'reply'; readonly id: number; readonly error: { readonly code: string; readonly message: string } }
  | {
      [N in keyof TimelineNotifications]: {
        readonly type: 'notification';
        readonly name: N;
        readonly params: TimelineNotifications[N];
      };
    }[keyof TimelineNotifications];

/** Every sentence of the page, translated by the host. */
export interface PageStrings {
  readonly outcomes: Readonly<Record<OutcomeKind, string>>;
  readonly gridLabel: string;
  readonly columns: {
    readonly time: string;
    readonly server: string;
    readonly call: string;
    readonly outcome: string;
    readonly waterfall: string;
    readonly duration: string;
  };
  readonly tabs: {
    readonly why: string;
    readonly request: string;
    readonly response: string;
    readonly attempts: string;
    readonly stderr: string;
    readonly related: string;
  };
  readonly actions: {
    readonly replay: string;
    readonly copyJson: string;
    readonly goToToolSource: string;
    readonly close: string;
    readonly openDocument: string;
    readonly follow: string;
    readonly runDemo: string;
    readonly connectAll: string;
    readonly openInEditor: string;
  };
  readonly empty: {
    readonly title: string;
    readonly body: string;
    readonly filtered: string;
    readonly clearFilter: string;
  };
  readonly outcomeToggles: string;
  readonly filterPlaceholder: string;
  readonly filter: FilterStrings;
  /** "{shown} of {recorded}". */
  readonly shownOf: string;
  readonly retried: string;
  readonly retryQuestion: string;
  readonly missing: string;
  /** Over the list of anomalies. */
  readonly unusual?: string;
  readonly details: DetailsStrings;
  readonly truncated: string;
  readonly pending: string;
  /** "New failure: {what}". */
  readonly announceFailure: string;
  /** "{shown} of {recorded} rows". */
  readonly announceFiltered: string;
  readonly expand: string;
  readonly collapse: string;
  readonly inMemory: string;
  readonly overview: OverviewStrings;
}

/** Of the overview, the lanes and the charts. */
export interface OverviewStrings {
  readonly label: string;
  /** How it is used by keyboard, for whoever cannot see it. */
  readonly help: string;
  /** "{from} to {to}: {what}". */
  readonly bucket: string;
  /** "nothing". */
  readonly nothing: string;
  /** "{count} calls". */
  readonly calls: string;
  /** "{count} {outcome}". */
  readonly some: string;
  /** "{what}, {failed} failed, from {from} to {to}". */
  readonly summary: string;
  readonly clearRange: string;
  /** "{duration} idle". */
  readonly idle: string;
  readonly lanes: string;
  readonly lanesLabel: string;
  readonly allServers: string;
  /** "Show only {server}". */
  readonly onlyServer: string;
  /** "{failed} of {count} failed". */
  readonly failedOf: string;
  readonly charts: string;
  readonly overTime: string;
  readonly latency: string;
  readonly passed: string;
  readonly failed: string;
  readonly time: string;
  readonly duration: string;
  /** "{from} to {to}". */
  readonly between: string;
  /** "{from} or more". */
  readonly orMore: string;
  readonly noLatency: string;
  /** "A part of the page could not be loaded: {why}". */
  readonly partFailed: string;
}

/** What the page persists through `setState`: navigation only. */
export interface PersistedState {
  readonly version: 1;
  readonly hiddenOutcomes: readonly OutcomeKind[];
  readonly selected: number | undefined;
  readonly isFollowing: boolean;
  readonly detailsWidth: number;
  readonly filterText?: string;
  readonly isDetailsOpen?: boolean;
  readonly tab?: string;
  readonly isRaw?: boolean;
  readonly range?: TimeRange;
  readonly hasLanes?: boolean;
  readonly hasCharts?: boolean;
}
