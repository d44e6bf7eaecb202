import { describe, expect, it } from 'vitest';
import { piecesOf, spanOf } from '../../../webview/waterfall.ts';
import { rowOf } from './support.ts';

const NOW_US = 10_000;

/** A row with its duration and its outcome as given; without a duration when it has none. */
function timed(startUs: number, durationUs?: number, outcome: 'success' | 'pending' = 'success') {
  const { durationUs: _durationUs, ...row } = rowOf(1, { startUs, outcome });
  return durationUs === undefined ? row : { ...row, durationUs };
}

describe('spanOf', () => {
  it.each([
    ['no rows', [], undefined],
    ['one moment', [timed(5)], { fromUs: 5, toUs: 5 }],
    ['rows in any order', [timed(500, 100), timed(200, 1000)], { fromUs: 200, toUs: 1200 }],
    ['a row that waits, until now', [timed(100, 10), timed(300, undefined, 'pending')], { fromUs: 100, toUs: NOW_US }],
    ['a row from a clock that is ahead', [timed(20_000, undefined, 'pending')], { fromUs: 20_000, toUs: 20_000 }],
  ])('%s', (_name, rows, expected) => {
    expect(spanOf(rows, NOW_US)).toEqual(expected);
  });
});

describe('piecesOf', () => {
  const span = { fromUs: 1000, toUs: 2000 };

  it.each([
    ['a row', timed(1250, 500), 0.25, 0.5],
    ['a row that sticks out at both ends', timed(0, 9000), 0, 1],
    ['a row beyond the span', timed(5000, 10), 1, 0],
    ['a moment', timed(1500), 0.5, 0],
    ['a row that waits', timed(1500, undefined, 'pending'), 0.5, 0.5],
  ])('%s', (_name, row, left, width) => {
    expect(piecesOf(row, span, NOW_US)).toEqual([{ kind: 'attempt', outcome: row.outcome, left, width }]);
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
    expect(piecesOf(row, span, NOW_US)).toEqual([
      { kind: 'attempt', outcome: 'timeout', left: 0, width: 0.25 },
      { kind: 'gap', outcome: undefined, left: 0.25, width: 0.5 },
      { kind: 'attempt', outcome: 'success', left: 0.75, width: 0.25 },
    ]);
  });

  it('puts everything at the start of a span without length', () => {
    expect(piecesOf(timed(5), { fromUs: 5, toUs: 5 }, NOW_US)).toMatchObject([{ left: 0, width: 0 }]);
  });
});
