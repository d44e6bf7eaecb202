import type { DetailsView } from '../src/protocol/details.ts';
import type { FilterProblem } from '../src/protocol/filter.ts';
import type { OutcomeKind } from '../src/protocol/outcome.ts';
import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { RowView, TimelineSnapshot } from '../src/protocol/timelineViews.ts';
import { assertNever } from './assertNever.ts';
import type { DetailsPane } from './detailsPane.ts';
import { isSameRange, type OverviewAction, type OverviewState, reduceOverview } from './overviewState.ts';

/** Rows that are asked for at once, and the size of a cached page. */
export const PAGE_ROWS = 100;

/** Cached pages. Far more than a screen holds, little enough to copy at every arrival. */
export const MAX_PAGES = 32;

export interface RowPage {
  /** Rows of an older epoch than the snapshot's stay on screen until their successors come, so that nothing flickers. */
  readonly epoch: number;
  readonly rows: readonly RowView[];
}

export const DETAILS_TABS = ['why', 'request', 'response', 'attempts', 'http', 'stderr', 'compare', 'related'] as const;

export type DetailsTab = (typeof DETAILS_TABS)[number];

/** A place in a message of the row, by its RFC 6901 pointer. */
export interface Place {
  readonly tab: 'request' | 'response';
  readonly pointer: string;
}

/** What the details pane has for the row `key`. */
export type DetailsState =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly key: number }
  | { readonly kind: 'shown'; readonly key: number; readonly view: DetailsView; readonly pane: DetailsPane }
  | { readonly kind: 'failed'; readonly key: number; readonly message: string };

export interface PageState {
  readonly strings: PageStrings;
  readonly snapshot: TimelineSnapshot;
  /** By number: page `n` holds the rows from `n * PAGE_ROWS` on. */
  readonly pages: ReadonlyMap<number, RowPage>;
  /** The selected row by key, so that it survives filters and new rows. */
  readonly selected: number | undefined;
  /** Where the selected row was last seen; from here the arrow keys go on when a filter has hidden it. */
  readonly selectedIndex: number | undefined;
  readonly hiddenOutcomes: readonly OutcomeKind[];
  readonly filterText: string;
  /** What is wrong with the filter text, and where; the rows are then those of the last good one. */
  readonly filterError: FilterProblem | undefined;
  /** A filter is on its way: what a snapshot says about the filter is older than what the user chose. */
  readonly isFilterPending: boolean;
  readonly isFollowing: boolean;
  readonly isDetailsOpen: boolean;
  readonly details: DetailsState;
  readonly tab: DetailsTab;
  /** Messages are shown as on the wire. */
  readonly isRaw: boolean;
  /** The place that a person asked to see last, until another tab is chosen. */
  readonly place: Place | undefined;
  /** Grows when the details are out of date although the row is as it was. */
  readonly detailsAge: number;
  readonly detailsWidth: number;
  readonly isReplaying: boolean;
  /** Why the last action failed, until the next one. */
  readonly actionError: string | undefined;
  readonly overview: OverviewState;
  /** Width of the page and size of the list, px. */
  readonly pageWidth: number;
  readonly listHeight: number;
  readonly scrollTop: number;
}

export type PageAction =
  | OverviewAction
  | { readonly type: 'snapshotArrived'; readonly snapshot: TimelineSnapshot }
  | {
      readonly type: 'rowsArrived';
      readonly epoch: number;
      readonly from: number;
      readonly rows: readonly RowView[];
    }
  | { readonly type: 'selected'; readonly key: number | undefined; readonly index: number | undefined }
  | { readonly type: 'outcomeToggled'; readonly outcome: OutcomeKind }
  | { readonly type: 'filterTyped'; readonly text: string }
  | { readonly type: 'filterCleared' }
  /** The host's filter takes the place of the page's. */
  | { readonly type: 'filterReplaced'; readonly text: string; readonly hiddenOutcomes: readonly OutcomeKind[] }
  | {
      readonly type: 'filterSettled';
      readonly snapshot: TimelineSnapshot;
      readonly problem?: FilterProblem | undefined;
    }
  | { readonly type: 'filterFailed'; readonly message: string }
  | { readonly type: 'followingChanged'; readonly isFollowing: boolean }
  | { readonly type: 'detailsToggled'; readonly isOpen: boolean }
  | { readonly type: 'detailsChanged'; readonly details: DetailsState }
  | { readonly type: 'tabChosen'; readonly tab: DetailsTab }
  | { readonly type: 'rawChosen'; readonly isRaw: boolean }
  | { readonly type: 'placeShown'; readonly place: Place }
  | { readonly type: 'detailsAged' }
  | { readonly type: 'detailsResized'; readonly width: number }
  | { readonly type: 'replayChanged'; readonly isReplaying: boolean }
  | { readonly type: 'actionFailed'; readonly message: string | undefined }
  | { readonly type: 'pageResized'; readonly width: number }
  | { readonly type: 'listResized'; readonly height: number }
  | { readonly type: 'scrolled'; readonly scrollTop: number };

/** The row at `index`, from a page of any epoch; `undefined` while it is not loaded. */
export function rowAt(state: Pick<PageState, 'pages'>, index: number): RowView | undefined {
  return state.pages.get(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS];
}

/** Index of the row `key` among the loaded rows; `undefined` when it is not among them. */
export function indexOfKey(state: Pick<PageState, 'pages' | 'snapshot'>, key: number): number | undefined {
  for (const [page, { rows }] of state.pages) {
    const place = rows.findIndex((row) => row.key === key);
    if (place >= 0 && page * PAGE_ROWS + place < state.snapshot.total) {
      return page * PAGE_ROWS + place;
    }
  }
  return undefined;
}

/** The loaded row with this key. */
export function rowOfKey(state: Pick<PageState, 'pages' | 'snapshot'>, key: number): RowView | undefined {
  const index = indexOfKey(state, key);
  return index === undefined ? undefined : rowAt(state, index);
}

function withSnapshot(state: PageState, snapshot: TimelineSnapshot): PageState {
  // Snapshots of pushes and of replies may overtake one another; an older one is never news.
  if (snapshot.epoch < state.snapshot.epoch) {
    return state;
  }
  const pages = new Map([...state.pages].filter(([page]) => page * PAGE_ROWS < snapshot.total));
  if (state.isFilterPending) {
    return { ...state, snapshot, pages };
  }
  // A text that the host refused stays in its field, to be corrected.
  const filterText = state.filterError === undefined ? (snapshot.filterText ?? state.filterText) : state.filterText;
  const { overview } = state;
  const { range, hiddenOutcomes } = snapshot;
  const ranged = isSameRange(range, overview.range) ? overview : { ...overview, range };
  return { ...state, snapshot, pages, hiddenOutcomes, filterText, overview: ranged };
}

function withRows(state: PageState, epoch: number, from: number, rows: readonly RowView[]): PageState {
  // Newer rows than the snapshot are welcome: under a steady stream their snapshot is always still on its way.
  if (epoch < state.snapshot.epoch) {
    return state;
  }
  const arrived = Math.floor(from / PAGE_ROWS);
  const pages = new Map(state.pages).set(arrived, { epoch, rows });
  if (pages.size > MAX_PAGES) {
    const farthest = [...pages.keys()].reduce((a, b) => (Math.abs(b - arrived) > Math.abs(a - arrived) ? b : a));
    pages.delete(farthest);
  }
  const place = rows.findIndex((row) => row.key === state.selected);
  return { ...state, pages, selectedIndex: place < 0 ? state.selectedIndex : from + place };
}

function toggled(hidden: readonly OutcomeKind[], outcome: OutcomeKind): readonly OutcomeKind[] {
  return hidden.includes(outcome) ? hidden.filter((other) => other !== outcome) : [...hidden, outcome];
}

/** The page's state after `action`; the same object when nothing changed. Pure. */
export function reduce(state: PageState, action: PageAction): PageState {
  switch (action.type) {
    case 'snapshotArrived':
      return withSnapshot(state, action.snapshot);
    case 'rowsArrived':
      return withRows(state, action.epoch, action.from, action.rows);
    case 'selected':
      return {
        ...state,
        selected: action.key,
        selectedIndex: action.index ?? state.selectedIndex,
        place: action.key === state.selected ? state.place : undefined,
      };
    case 'outcomeToggled':
      return { ...state, hiddenOutcomes: toggled(state.hiddenOutcomes, action.outcome), isFilterPending: true };
    case 'filterTyped':
      return { ...state, filterText: action.text, isFilterPending: true };
    case 'filterCleared':
      return {
        ...state,
        filterText: '',
        hiddenOutcomes: [],
        filterError: undefined,
        isFilterPending: true,
        overview: { ...state.overview, range: undefined },
      };
    case 'rangeChosen':
      return { ...state, overview: reduceOverview(state.overview, action), isFilterPending: true };
    case 'overviewArrived':
    case 'chartsArrived':
    case 'lanesToggled':
    case 'chartsToggled':
      return { ...state, overview: reduceOverview(state.overview, action) };
    case 'filterReplaced':
      return {
        ...state,
        filterText: action.text,
        hiddenOutcomes: action.hiddenOutcomes,
        filterError: undefined,
        isFilterPending: true,
        overview: { ...state.overview, range: undefined },
      };
    case 'filterSettled':
      return withSnapshot({ ...state, isFilterPending: false, filterError: action.problem }, action.snapshot);
    case 'filterFailed':
      return { ...state, isFilterPending: false, filterError: { message: action.message, offset: 0, length: 0 } };
    case 'followingChanged':
      return state.isFollowing === action.isFollowing ? state : { ...state, isFollowing: action.isFollowing };
    case 'detailsToggled':
      return state.isDetailsOpen === action.isOpen ? state : { ...state, isDetailsOpen: action.isOpen };
    case 'detailsChanged':
      return { ...state, details: action.details };
    case 'tabChosen':
      return { ...state, tab: action.tab, place: undefined };
    case 'rawChosen':
      return { ...state, isRaw: action.isRaw };
    case 'placeShown':
      return { ...state, tab: action.place.tab, place: action.place, isRaw: false };
    case 'detailsAged':
      return { ...state, detailsAge: state.detailsAge + 1 };
    case 'detailsResized':
      return { ...state, detailsWidth: action.width };
    case 'replayChanged':
      return { ...state, isReplaying: action.isReplaying };
    case 'actionFailed':
      return state.actionError === action.message ? state : { ...state, actionError: action.message };
    case 'pageResized':
      return state.pageWidth === action.width ? state : { ...state, pageWidth: action.width };
    case 'listResized':
      return state.listHeight === action.height ? state : { ...state, listHeight: action.height };
    case 'scrolled':
      return state.scrollTop === action.scrollTop ? state : { ...state, scrollTop: action.scrollTop };
    default:
      return assertNever(action);
  }
}

export interface Store {
  readonly state: PageState;
  dispatch(action: PageAction): void;
}

/** Holds the state and calls `onDidChange` when an action has changed it. */
export function createStore(initial: PageState, onDidChange: () => void): Store {
  let state = initial;
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      const next = reduce(state, action);
      if (next !== state) {
        state = next;
        onDidChange();
      }
    },
  };
}
