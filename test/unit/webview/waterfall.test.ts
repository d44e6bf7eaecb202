import { describe, expect, it } from 'vitest';
import { busyTime, piecesOf } from '../../../webview/waterfall.ts';
import { axisOf } from '../../../webview/waterfallAxis.ts';
import { rowOf } from './support.ts';

const NOW_US = 10_000;

/** A row with its duration and its outcome as given; without a duration when it has none. */
function timed(startUs: number, durationUs?: number, outcome: 'success' | 'pending' = 'success') {
  const { durationUs: _durationUs, ...row } = rowOf(1, { startUs, outcome });
  return durationUs === undefined ? row : { ...row, durationUs };
}

/** The axis of rows, as the time that it shows and what is left out of it. */
function outline(rows: readonly Parameters<typeof busyTime>[0][]) {
  const axis = axisOf(rows.map((row) => busyTime(row, NOW_US)));
  return axis && { shownUs: axis.shownUs, folds: axis.folds.map(({ us }) => us) };
}

describe('the axis', () => {
  const S = 1_000_000;

  it.each([
    ['no rows', [], undefined],
    ['one moment', [timed(5)], { shownUs: 0, folds: [] }],
    ['rows in any order', [timed(500, 100), timed(200, 1000)], { shownUs: 1000, folds: [] }],
    ['a row that waits, until now', [timed(100, 10), timed(300, undefined, 'pending')], { shownUs: 9900, folds: [] }],
    ['a row from a clock that is ahead', [timed(20_000, undefined, 'pending')], { shownUs: 0, folds: [] }],
    ['a night between two calls', [timed(0, 500), timed(3600 * S, 500)], { shownUs: 1000, folds: [3600 * S - 500] }],
    ['a pause of a second', [timed(0, 500), timed(S, 500)], { shownUs: S + 500, folds: [] }],
    [
      'a pause that is short beside the rest',
      [timed(0, 20 * S), timed(25 * S, 20 * S)],
      { shownUs: 45 * S, folds: [] },
    ],
    [
      'a night, and after it a pause that is long beside what is left',
      [timed(0, S), timed(3600 * S, S), timed(3610 * S, S)],
      { shownUs: 3 * S, folds: [3599 * S, 9 * S] },
    ],
    [
      'even pauses, none of which stands out',
      [0, 10, 20, 30, 40].map((at) => timed(at * S, 1000)),
      { shownUs: 40 * S + 1000, folds: [] },
    ],
  ])('%s', (_name, rows, expected) => {
    expect(outline(rows)).toEqual(expected);
  });

  it('goes from 0 to 1 in the order of time, with its folds where nothing ran', () => {
    const rows = [timed(0, S), timed(3600 * S, S), timed(3601.5 * S, S), timed(9000 * S, 2 * S)];
    const axis = axisOf(rows.map((row) => busyTime(row, NOW_US)));
    const times = rows.map((row) => busyTime(row, NOW_US)).flatMap(({ startUs, endUs }) => [startUs, endUs]);
    const places = times.map((us) => axis?.fraction(us) ?? Number.NaN);
    expect([places[0], places.at(-1)]).toEqual([0, 1]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const [first, second] = axis?.folds ?? [];
    expect(first?.at).toBeCloseTo(((places[1] ?? 0) + (places[2] ?? 0)) / 2, 9);
    expect(second?.at).toBeCloseTo(((places[5] ?? 0) + (places[6] ?? 0)) / 2, 9);
    expect(axis?.fraction(-5)).toBe(0);
    expect(axis?.fraction(1e12)).toBe(1);
  });
});

describe('piecesOf', () => {
  const axisFrom = (startUs: number, endUs: number) => {
    const axis = axisOf([{ startUs, endUs }]);
    if (axis === undefined) {
      throw new Error('there is a time');
    }
    return axis;
  };
  const axis = axisFrom(1000, 2000);

  it.each([
    ['a row', timed(1250, 500), 0.25, 0.5],
    ['a row that sticks out at both ends', timed(0, 9000), 0, 1],
    ['a row beyond the span', timed(5000, 10), 1, 0],
    ['a moment', timed(1500), 0.5, 0],
    ['a row that waits', timed(1500, undefined, 'pending'), 0.5, 0.5],
  ])('%s', (_name, row, left, width) => {
    expect(piecesOf(row, axis, NOW_US)).toEqual([{ kind: 'attempt', outcome: row.outcome, left, width }]);
  });

  it('draws a chain as its attempts with the waits between them', () => {
    const row = rowOf(1, {
      startUs: 1000,
      durationUs: 1000,
      segments: [
        { kind: 'attempt', outcome: 'timeout', startUs: 0, durationUs: 250 },
        { kind: 'gap', startUs: 250, durationUs: 500 },
        { kind: 'attempt', outcome: 'success', startUs: 750, durationUs: 250 },
      ],
    });
    expect(piecesOf(row, axis, NOW_US)).toEqual([
      { kind: 'attempt', outcome: 'timeout', left: 0, width: 0.25 },
      { kind: 'gap', outcome: undefined, left: 0.25, width: 0.5 },
      { kind: 'attempt', outcome: 'success', left: 0.75, width: 0.25 },
    ]);
  });

  it('lets the last attempt of a chain that waits go on until now', () => {
    const { durationUs: _durationUs, ...row } = rowOf(1, {
      startUs: 1000,
      outcome: 'pending',
      segments: [
        { kind: 'attempt', outcome: 'timeout', startUs: 0, durationUs: 250 },
        { kind: 'attempt', outcome: 'pending', startUs: 500, durationUs: 0 },
      ],
    });
    expect(piecesOf(row, axisFrom(1000, 2000), 1750)).toEqual([
      { kind: 'attempt', outcome: 'timeout', left: 0, width: 0.25 },
      { kind: 'attempt', outcome: 'pending', left: 0.5, width: 0.25 },
    ]);
  });

  it('puts everything at the start of a span without length', () => {
    expect(piecesOf(timed(5), axisFrom(5, 5), NOW_US)).toMatchObject([{ left: 0, width: 0 }]);
  });
});
