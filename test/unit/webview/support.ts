import type { PageStrings } from '../../../src/protocol/pageStrings.ts';
import type { RowView, TimelineSnapshot } from '../../../src/protocol/timelineViews.ts';
import { initialState } from '../../../webview/initialState.ts';
import type { PageState } from '../../../webview/store.ts';

/** A successful request's row; `key` also tells it from others. */
export function rowOf(key: number, change: Partial<RowView> = {}): RowView {
  return {
    key,
    kind: 'request',
    depth: 0,
    isExpandable: false,
    isExpanded: false,
    startUs: key * 1000,
    durationUs: 500,
    server: 'bookshop',
    method: 'tools/call',
    target: `tool_${key}`,
    initiator: 'client',
    outcome: 'success',
    outcomeText: 'success',
    reason: '',
    marks: [],
    bytes: 100,
    ...change,
  };
}

export function snapshotOf(change: Partial<TimelineSnapshot> = {}): TimelineSnapshot {
  return {
    epoch: 1,
    total: 250,
    recorded: 250,
    counts: {},
    retried: 0,
    fromUs: 0,
    toUs: 0,
    hiddenOutcomes: [],
    status: { servers: '', recording: '', isInMemory: false },
    ...change,
  };
}

/** A page that has just become ready. Its strings are never read by what these tests exercise. */
export function pageOf(change: Partial<PageState> = {}, saved?: unknown): PageState {
  const state = initialState({
    strings: {} as PageStrings,
    snapshot: snapshotOf(),
    saved,
    isTailAllowed: true,
    root: { clientWidth: 1200, clientHeight: 500 },
  });
  return { ...state, ...change };
}
