import type { ChartsView, OverviewView, TimeRange } from '../src/protocol/timelineViews.ts';

/** What the page knows of the overview, the lanes and the charts. */
export interface OverviewState {
  /** The rows shown are those that began in this time; `undefined` for all time. */
  readonly range: TimeRange | undefined;
  readonly view: OverviewView | undefined;
  readonly hasLanes: boolean;
  readonly hasCharts: boolean;
  readonly charts: ChartsView | undefined;
}

export type OverviewAction =
  | { readonly type: 'rangeChosen'; readonly range: TimeRange | undefined }
  | { readonly type: 'overviewArrived'; readonly view: OverviewView }
  | { readonly type: 'chartsArrived'; readonly charts: ChartsView }
  | { readonly type: 'lanesToggled' }
  | { readonly type: 'chartsToggled' };

/** Are these the same time? */
export function isSameRange(a: TimeRange | undefined, b: TimeRange | undefined): boolean {
  return a?.fromUs === b?.fromUs && a?.toUs === b?.toUs;
}

/** The overview's state after `action`. Pure. */
export function reduceOverview(state: OverviewState, action: OverviewAction): OverviewState {
  switch (action.type) {
    case 'rangeChosen':
      return { ...state, range: action.range };
    case 'overviewArrived':
      return { ...state, view: action.view };
    case 'chartsArrived':
      return { ...state, charts: action.charts };
    case 'lanesToggled':
      return { ...state, hasLanes: !state.hasLanes };
    case 'chartsToggled':
      return { ...state, hasCharts: !state.hasCharts };
  }
}
