import type { PageStrings } from '../src/protocol/pageStrings.ts';
import type { TimelineSnapshot } from '../src/protocol/timelineViews.ts';
import { parsePersisted } from './persisted.ts';
import { DETAILS_TABS, type PageState } from './store.ts';

export interface InitialInput {
  readonly strings: PageStrings;
  readonly snapshot: TimelineSnapshot;
  /** What an earlier page persisted, unchecked. */
  readonly saved: unknown;
  readonly isTailAllowed: boolean;
  readonly root: { readonly clientWidth: number; readonly clientHeight: number };
}

/** The state of a page that has just been answered `ready`: the host's snapshot, seen as the user last left it. */
export function initialState({ strings, snapshot, saved, isTailAllowed, root }: InitialInput): PageState {
  const persisted = parsePersisted(saved);
  const { selected } = persisted;
  // Where somebody has set a filter meanwhile, in another page or by a command, that one holds.
  const hasHostFilter = snapshot.filterText !== undefined;
  const hiddenOutcomes = hasHostFilter ? snapshot.hiddenOutcomes : persisted.hiddenOutcomes;
  const filterText = snapshot.filterText ?? persisted.filterText ?? '';
  const range = hasHostFilter ? snapshot.range : persisted.range;
  return {
    strings,
    snapshot,
    pages: new Map(),
    selected,
    selectedIndex: undefined,
    hiddenOutcomes,
    filterText,
    filterError: undefined,
    // What the host says of its filter before it has this one is older.
    isFilterPending: !hasHostFilter && (filterText !== '' || hiddenOutcomes.length > 0 || range !== undefined),
    isFollowing: persisted.isFollowing && isTailAllowed,
    isDetailsOpen: persisted.isDetailsOpen === true && selected !== undefined,
    details: { kind: 'none' },
    tab: DETAILS_TABS.find((tab) => tab === persisted.tab) ?? 'why',
    isRaw: persisted.isRaw === true,
    place: undefined,
    detailsAge: 0,
    detailsWidth: persisted.detailsWidth,
    isReplaying: false,
    actionError: undefined,
    overview: {
      range,
      view: undefined,
      hasLanes: persisted.hasLanes === true,
      hasCharts: persisted.hasCharts === true,
      charts: undefined,
    },
    pageWidth: root.clientWidth,
    listHeight: root.clientHeight,
    scrollTop: 0,
  };
}
