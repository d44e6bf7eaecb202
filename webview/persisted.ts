import type { TimeRange } from '../src/protocol/timelineViews.ts';
import type { PersistedState } from '../src/protocol/webview.ts';
import { DEFAULT_DETAILS_PX } from './layout.ts';
import { OUTCOMES } from './outcomes.ts';
import type { PageState } from './store.ts';

/** What a page starts from when nothing was persisted. */
const FRESH: PersistedState = {
  version: 1,
  hiddenOutcomes: [],
  selected: undefined,
  isFollowing: true,
  detailsWidth: DEFAULT_DETAILS_PX,
};

/** Reads what an earlier page left, field by field: a later or damaged version must not break this one. */
export function parsePersisted(saved: unknown): PersistedState {
  if (typeof saved !== 'object' || saved === null || !('version' in saved) || saved.version !== 1) {
    return FRESH;
  }
  const { hiddenOutcomes, selected, isFollowing, detailsWidth, filterText, isDetailsOpen, hasLanes, hasCharts } =
    saved as Readonly<Record<keyof PersistedState, unknown>>;
  return {
    version: 1,
    hiddenOutcomes: Array.isArray(hiddenOutcomes) ? OUTCOMES.filter((kind) => hiddenOutcomes.includes(kind)) : [],
    selected: typeof selected === 'number' ? selected : undefined,
    isFollowing: isFollowing !== false,
    detailsWidth: typeof detailsWidth === 'number' && detailsWidth > 0 ? detailsWidth : FRESH.detailsWidth,
    filterText: typeof filterText === 'string' ? filterText : '',
    isDetailsOpen: isDetailsOpen === true,
    ...('tab' in saved && typeof saved.tab === 'string' ? { tab: saved.tab } : {}),
    isRaw: 'isRaw' in saved && saved.isRaw === true,
    hasLanes: hasLanes === true,
    hasCharts: hasCharts === true,
    ...rangeOf(saved),
  };
}

/** What is worth keeping of a page: navigation only, never rows. */
export function persistedOf(state: PageState): PersistedState {
  return {
    version: 1,
    hiddenOutcomes: state.hiddenOutcomes,
    selected: state.selected,
    isFollowing: state.isFollowing,
    detailsWidth: state.detailsWidth,
    filterText: state.filterText,
    isDetailsOpen: state.isDetailsOpen,
    tab: state.tab,
    isRaw: state.isRaw,
    hasLanes: state.overview.hasLanes,
    hasCharts: state.overview.hasCharts,
    ...(state.overview.range === undefined ? {} : { range: state.overview.range }),
  };
}

/** The range of time that was left, when it is one. */
function rangeOf(saved: object): { readonly range?: TimeRange } {
  const range: unknown = 'range' in saved ? saved.range : undefined;
  if (typeof range !== 'object' || range === null || !('fromUs' in range) || typeof range.fromUs !== 'number') {
    return {};
  }
  const { fromUs } = range;
  const toUs: unknown = 'toUs' in range ? range.toUs : undefined;
  return { range: typeof toUs === 'number' && toUs > fromUs ? { fromUs, toUs } : { fromUs } };
}
