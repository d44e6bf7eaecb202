import type { CopyFormatName, DetailsView, DiffView, ImageResult } from './details.ts';
import type { CompletionView, FilterProblem } from './filter.ts';
import type { OutcomeKind } from './outcome.ts';
import type { PageStrings } from './pageStrings.ts';
import type { ChartsView, OverviewView, RowView, TimelineSnapshot, TimeRange } from './timelineViews.ts';

// The contract between the host and the timeline page. Rows are pulled by range and carry an epoch, which grows with every
// change of any row: a range of an older epoch than the page's last is thrown away and asked for again. All that the host
// pushes is a snapshot, never a delta. Text arrives translated; the page holds no sentence of its own.

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
    params: { readonly command: 'runDemo' | 'connectAll' | 'openInEditor' | 'clear' | 'stopFaults' | 'manageTrust' };
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
