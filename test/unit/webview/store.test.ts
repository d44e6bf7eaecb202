import { describe, expect, it } from 'vitest';
import type { RowView } from '../../../src/protocol/timelineViews.ts';
import {
  createStore,
  indexOfKey,
  MAX_PAGES,
  PAGE_ROWS,
  type PageState,
  reduce,
  rowAt,
} from '../../../webview/store.ts';
import { pageOf, rowOf, snapshotOf } from './support.ts';

/** What is wrong with a filter. */
const BAD = { message: 'bad', offset: 0, length: 1 };

function rowsFrom(from: number, count = PAGE_ROWS): RowView[] {
  return Array.from({ length: count }, (_, place) => rowOf((from + place) * 10));
}

function load(state: PageState, page: number, epoch = state.snapshot.epoch): PageState {
  const from = page * PAGE_ROWS;
  return reduce(state, { type: 'rowsArrived', epoch, from, rows: rowsFrom(from) });
}

describe('rows', () => {
  it('are found by index and by key once they have arrived', () => {
    const state = load(load(pageOf(), 0), 2);
    expect([rowAt(state, 3)?.key, rowAt(state, 203)?.key, rowAt(state, 120)]).toEqual([30, 2030, undefined]);
    expect([indexOfKey(state, 2030), indexOfKey(state, 1200)]).toEqual([203, undefined]);
  });

  it('of an older epoch than the snapshot are thrown away, those of a newer one are taken', () => {
    const state = pageOf();
    expect(load(state, 0, 0)).toBe(state);
    expect(load(state, 0, 2).pages.get(0)?.epoch).toBe(2);
  });

  it('of an older epoch stay until their successors come', () => {
    const older = load(pageOf(), 0);
    const newer = reduce(older, { type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2 }) });
    expect(rowAt(newer, 3)?.key).toBe(30);
    expect(newer.pages.get(0)?.epoch).toBe(1);
    expect(load(newer, 0).pages.get(0)?.epoch).toBe(2);
  });

  it('past the end of a shorter snapshot are gone', () => {
    const state = load(load(pageOf(), 0), 2);
    const shorter = reduce(state, { type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2, total: 2 }) });
    expect([...shorter.pages.keys()]).toEqual([0]);
    expect(indexOfKey(shorter, 30)).toBeUndefined();
  });

  it('are kept in a bounded number of pages, the farthest going first', () => {
    let state = pageOf({ snapshot: snapshotOf({ total: 100_000 }) });
    for (let page = 0; page <= MAX_PAGES; page += 1) {
      state = load(state, page);
    }
    expect(state.pages.size).toBe(MAX_PAGES);
    expect(state.pages.has(0)).toBe(false);
    expect(state.pages.has(MAX_PAGES)).toBe(true);
  });
});

describe('snapshots', () => {
  it('that are older than the present one are ignored', () => {
    const state = pageOf({ snapshot: snapshotOf({ epoch: 5 }) });
    expect(reduce(state, { type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 4, total: 1 }) })).toBe(state);
  });

  it('say which outcomes are hidden, but not while the user’s own choice is on its way', () => {
    const chosen = reduce(pageOf(), { type: 'outcomeToggled', outcome: 'success' });
    const pushed = snapshotOf({ epoch: 2, hiddenOutcomes: ['timeout'] });
    expect(reduce(chosen, { type: 'snapshotArrived', snapshot: pushed }).hiddenOutcomes).toEqual(['success']);
    const settled = reduce(chosen, {
      type: 'filterSettled',
      snapshot: snapshotOf({ epoch: 2, hiddenOutcomes: ['success'] }),
    });
    expect(reduce(settled, { type: 'snapshotArrived', snapshot: pushed }).hiddenOutcomes).toEqual(['timeout']);
  });
});

describe('the filter text of a snapshot', () => {
  const pushed = snapshotOf({ epoch: 2, filterText: 'weather' });

  it.each([
    ['is shown', {}, pushed, 'weather'],
    ['is not known to every host', { filterText: 'x' }, snapshotOf({ epoch: 2 }), 'x'],
    ['is older than what is being typed', { filterText: 'x', isFilterPending: true }, pushed, 'x'],
    ['does not replace a text that was refused', { filterText: '"', filterError: BAD }, pushed, '"'],
  ])('%s', (_name, change, snapshot, expected) => {
    expect(reduce(pageOf(change), { type: 'snapshotArrived', snapshot }).filterText).toBe(expected);
  });
});

describe('the selection', () => {
  it('is kept by key and learns its new index', () => {
    const selected = reduce(load(pageOf(), 0), { type: 'selected', key: 30, index: 3 });
    const filtered = reduce(selected, { type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2, total: 50 }) });
    const rows = [rowOf(10), rowOf(30)];
    const after = reduce(filtered, { type: 'rowsArrived', epoch: 2, from: 0, rows });
    expect([after.selected, after.selectedIndex, indexOfKey(after, 30)]).toEqual([30, 1, 1]);
  });

  it('remembers where it was when a filter hides its row', () => {
    const selected = reduce(load(pageOf(), 0), { type: 'selected', key: 30, index: 3 });
    const filtered = reduce(selected, { type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2, total: 50 }) });
    const after = reduce(filtered, { type: 'rowsArrived', epoch: 2, from: 0, rows: [rowOf(10)] });
    expect([after.selected, after.selectedIndex, indexOfKey(after, 30)]).toEqual([30, 3, undefined]);
  });
});

describe('filters', () => {
  it('toggle an outcome off and on', () => {
    const off = reduce(pageOf(), { type: 'outcomeToggled', outcome: 'success' });
    expect(off.hiddenOutcomes).toEqual(['success']);
    expect(reduce(off, { type: 'outcomeToggled', outcome: 'success' }).hiddenOutcomes).toEqual([]);
  });

  it('that the host refuses leave the rows and tell why, until the next good one', () => {
    const loaded = load(pageOf(), 0);
    const typed = reduce(loaded, { type: 'filterTyped', text: '"' });
    const refused = reduce(typed, { type: 'filterFailed', message: 'no closing quote' });
    expect(refused).toMatchObject({
      filterText: '"',
      filterError: { message: 'no closing quote', offset: 0, length: 0 },
      isFilterPending: false,
    });
    expect(refused.pages).toBe(loaded.pages);
    expect(reduce(refused, { type: 'filterSettled', snapshot: snapshotOf({ epoch: 2 }) }).filterError).toBeUndefined();
  });

  it('are all cleared at once', () => {
    const state = pageOf({ filterText: 'x', hiddenOutcomes: ['success'], filterError: BAD });
    expect(reduce(state, { type: 'filterCleared' })).toMatchObject({
      filterText: '',
      hiddenOutcomes: [],
      filterError: undefined,
    });
  });

  it('give way to the one that the host puts in their place', () => {
    const state = pageOf({ filterText: 'x', hiddenOutcomes: ['pending'], filterError: BAD });
    expect(reduce(state, { type: 'filterReplaced', text: 'y', hiddenOutcomes: ['success'] })).toMatchObject({
      filterText: 'y',
      hiddenOutcomes: ['success'],
      filterError: undefined,
      isFilterPending: true,
    });
  });
});

describe('createStore', () => {
  it('tells of changes only', () => {
    let changes = 0;
    const store = createStore(pageOf({ isFollowing: true }), () => {
      changes += 1;
    });
    store.dispatch({ type: 'followingChanged', isFollowing: true });
    store.dispatch({ type: 'scrolled', scrollTop: 0 });
    expect(changes).toBe(0);
    store.dispatch({ type: 'scrolled', scrollTop: 24 });
    expect([changes, store.state.scrollTop]).toEqual([1, 24]);
  });
});
