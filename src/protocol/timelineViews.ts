import type { RowKind } from './exchange.ts';
import type { Mark, OutcomeKind } from './outcome.ts';

// What the timeline page shows of all that was recorded; the messages that carry it are in `webview.ts`.

/** A row of the timeline as the page draws it. Text arrives translated. */
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
    /** The workspace is not trusted: nothing of it may be started or contacted. */
    readonly isUntrusted?: boolean;
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
