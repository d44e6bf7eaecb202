import { describe, expect, it } from 'vitest';
import { parsePersisted, persistedOf } from '../../../webview/persisted.ts';
import { createStore } from '../../../webview/store.ts';
import { pageOf, snapshotOf } from './support.ts';

const RANGE = { fromUs: 5, toUs: 9 };

describe('the range of time', () => {
  const store = () => createStore(pageOf(), () => undefined);

  it('is the one that was chosen until the host has answered, whatever comes meanwhile', () => {
    const page = store();
    page.dispatch({ type: 'rangeChosen', range: RANGE });
    page.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2 }) });
    expect(page.state.overview.range).toEqual(RANGE);
    page.dispatch({ type: 'filterSettled', snapshot: snapshotOf({ epoch: 3, range: RANGE }) });
    expect(page.state).toMatchObject({ overview: { range: RANGE }, isFilterPending: false });
  });

  it('follows another page on the same rows', () => {
    const page = store();
    page.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2, range: RANGE }) });
    expect(page.state.overview.range).toEqual(RANGE);
    page.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 3 }) });
    expect(page.state.overview.range).toBeUndefined();
  });

  it.each([[{ type: 'filterCleared' } as const], [{ type: 'filterReplaced', text: 'x', hiddenOutcomes: [] } as const]])(
    'goes with the filter: %j',
    (action) => {
      const page = store();
      page.dispatch({ type: 'rangeChosen', range: RANGE });
      page.dispatch(action);
      expect(page.state.overview.range).toBeUndefined();
    },
  );

  it('does not make a new state of the overview when nothing changed, so that nothing is drawn anew', () => {
    const page = store();
    page.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 2, range: RANGE }) });
    const { overview } = page.state;
    page.dispatch({ type: 'snapshotArrived', snapshot: snapshotOf({ epoch: 3, range: { ...RANGE } }) });
    expect(page.state.overview).toBe(overview);
  });
});

describe('lanes and charts', () => {
  it('are toggled', () => {
    const page = createStore(pageOf(), () => undefined);
    page.dispatch({ type: 'lanesToggled' });
    page.dispatch({ type: 'chartsToggled' });
    expect(page.state.overview).toMatchObject({ hasLanes: true, hasCharts: true });
    page.dispatch({ type: 'lanesToggled' });
    expect(page.state.overview).toMatchObject({ hasLanes: false, hasCharts: true });
  });
});

describe('what is persisted of the overview', () => {
  it.each([
    [undefined, false, true],
    [RANGE, true, false],
    [{ fromUs: 5 }, true, true],
  ])('comes back: %j, lanes %s, charts %s', (range, hasLanes, hasCharts) => {
    const saved = persistedOf(pageOf({ overview: { ...pageOf().overview, range, hasLanes, hasCharts } }));
    const { overview } = pageOf({}, JSON.parse(JSON.stringify(saved)));
    expect(overview).toMatchObject({ range, hasLanes, hasCharts });
  });

  it.each([
    ['x', undefined],
    [{}, undefined],
    [{ fromUs: '5' }, undefined],
    [{ fromUs: 5, toUs: 'x' }, { fromUs: 5 }],
    [{ fromUs: 5, toUs: 4 }, { fromUs: 5 }],
  ])('takes the range %j for %j', (range, expected) => {
    expect(parsePersisted({ version: 1, range }).range).toEqual(expected);
  });
});
