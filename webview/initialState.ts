import type { PageStrings, TimelineSnapshot } from '../src/protocol/webview.ts';
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
  const { hiddenOutcomes, selected } = persisted;
  return {
    strings,
    snapshot,
    pages: new Map(),
    selected,
    selectedIndex: undefined,
    hiddenOutcomes: hiddenOutcomes.length > 0 ? hiddenOutcomes : snapshot.hiddenOutcomes,
    filterText:
      persisted.filterText === undefined || persisted.filterText === ''
        ? (snapshot.filterText ?? '')
        : persisted.filterText,
    filterError: undefined,
    isFilterPending: false,
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
      range: persisted.range ?? snapshot.range,
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
