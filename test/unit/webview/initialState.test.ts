import { describe, expect, it } from 'vitest';
import type { PageStrings } from '../../../src/protocol/pageStrings.ts';
import type { TimelineSnapshot } from '../../../src/protocol/timelineViews.ts';
import { initialState } from '../../../webview/initialState.ts';
import { snapshotOf } from './support.ts';

const SAVED = { version: 1, hiddenOutcomes: ['cancelled'], filterText: 'old', range: { fromUs: 5 } };

function filterAtStart(snapshot: Partial<TimelineSnapshot>, saved: unknown) {
  const { filterText, hiddenOutcomes, overview, isFilterPending } = initialState({
    strings: {} as PageStrings,
    snapshot: snapshotOf(snapshot),
    saved,
    isTailAllowed: true,
    root: { clientWidth: 1200, clientHeight: 500 },
  });
  return { filterText, hiddenOutcomes, range: overview.range, isFilterPending };
}

describe('the filter that a page starts with', () => {
  it.each<[string, Partial<TimelineSnapshot>, unknown, ReturnType<typeof filterAtStart>]>([
    [
      'is the one that it was left with, which the host has to be told',
      {},
      SAVED,
      { filterText: 'old', hiddenOutcomes: ['cancelled'], range: { fromUs: 5 }, isFilterPending: true },
    ],
    [
      'is the one that was set meanwhile elsewhere',
      { filterText: 'new', hiddenOutcomes: ['success'] },
      SAVED,
      { filterText: 'new', hiddenOutcomes: ['success'], range: undefined, isFilterPending: false },
    ],
    [
      'is the one that was cleared meanwhile elsewhere',
      { filterText: '' },
      SAVED,
      { filterText: '', hiddenOutcomes: [], range: undefined, isFilterPending: false },
    ],
    [
      'is none where there was none',
      {},
      undefined,
      { filterText: '', hiddenOutcomes: [], range: undefined, isFilterPending: false },
    ],
  ])('%s', (_, snapshot, saved, expected) => {
    expect(filterAtStart(snapshot, saved)).toEqual(expected);
  });

  it.each([{ filterText: 'x' }, { hiddenOutcomes: ['success'] }, { range: { fromUs: 1 } }])(
    'is told to the host when it is %j',
    (saved) => {
      expect(filterAtStart({}, { version: 1, ...saved }).isFilterPending).toBe(true);
    },
  );
});
