import { describe, expect, it } from 'vitest';
import { draggedTo, gripAt } from '../../../webview/overviewDrag.ts';
import { type StripPlace, stripAct } from '../../../webview/overviewKeys.ts';
import { barHeight } from '../../../webview/overviewPaint.ts';
import { bucketsFor } from '../../../webview/overviewPart.ts';
import { brushOfRange, cellOf, FOLD_PX, rangeOfBrush, scaleOf } from '../../../webview/overviewScale.ts';

/** Two segments of 10 and 5 buckets of 10 px each: 0 to 100 px, then 109 to 159 px. */
const SEGMENTS = [
  { fromUs: 1000, bucketUs: 10, count: 10 },
  { fromUs: 5000, bucketUs: 100, count: 5 },
];
const scale = scaleOf(SEGMENTS, 150 + FOLD_PX);

describe('the scale', () => {
  it.each([
    ['left of everything', -20, 0, 1000],
    ['the first place', 0, 0, 1000],
    ['within a bucket', 25, 2, 1025],
    ['just before the fold', 99, 9, 1099],
    ['in the fold, nearer to what was', 102, 9, 1100],
    ['in the fold, nearer to what comes', 107, 10, 5000],
    ['within the second segment', 129, 12, 5200],
    ['right of everything', 400, 14, 5500],
  ])('finds bucket and time at %s', (_name, x, bucket, us) => {
    expect({ bucket: scale.bucketAt(x), us: scale.timeAt(x) }).toEqual({ bucket, us });
  });

  it.each([
    [0, 0],
    [1000, 0],
    [1050, 50],
    [1100, 109],
    [3000, 109],
    [5000, 109],
    [5250, 134],
    [9000, 159],
  ])('puts the time %i at %i px', (us, x) => {
    expect(scale.xOf(us)).toBe(x);
  });

  it('puts an end before the fold', () => {
    expect([1000, 1100, 1101, 5000, 5500, 9000].map((us) => scale.xOfEnd(us))).toEqual([0, 100, 109, 109, 159, 159]);
  });

  it('knows the place and the time of each bucket', () => {
    for (let bucket = 0; bucket < scale.buckets; bucket += 1) {
      const { fromUs, toUs } = scale.rangeOf(bucket);
      const middle = scale.xOfBucket(bucket) + scale.bucketPx / 2;
      expect(scale.bucketAt(middle)).toBe(bucket);
      expect(scale.timeAt(middle)).toBeGreaterThan(fromUs);
      expect(scale.timeAt(middle)).toBeLessThan(toUs);
    }
  });

  it('is of no use, but harmless, without segments', () => {
    const empty = scaleOf([], 100);
    expect([empty.bucketAt(5), empty.timeAt(5), empty.xOf(5), empty.rangeOf(0)]).toEqual([
      -1,
      0,
      0,
      { fromUs: 0, toUs: 0 },
    ]);
  });
});

describe('a brush', () => {
  it.each([
    [
      { from: 2, to: 3 },
      { fromUs: 1020, toUs: 1040 },
    ],
    [
      { from: 0, to: 9 },
      { fromUs: 1000, toUs: 1100 },
    ],
    [
      { from: 8, to: 11 },
      { fromUs: 1080, toUs: 5200 },
    ],
    [{ from: 12, to: 14 }, { fromUs: 5200 }],
  ])('%j is the time %j, and comes back', (brush, range) => {
    expect(rangeOfBrush(scale, brush)).toEqual(range);
    expect(brushOfRange(scale, range)).toEqual(brush);
  });

  it('is none without a range or without rows', () => {
    expect([brushOfRange(scale, undefined), brushOfRange(scaleOf([], 10), { fromUs: 1 })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['from left to right', 20, 60, { fromUs: 1020, toUs: 1060 }],
    ['from right to left', 60, 20, { fromUs: 1020, toUs: 1060 }],
    ['over the fold', 90, 119, { fromUs: 1090, toUs: 5100 }],
    ['beyond the right edge: without an end', 129, 500, { fromUs: 5200 }],
    ['beyond the left edge', 50, -40, { fromUs: 1000, toUs: 1050 }],
    ['a little: a bucket at least', 20, 24, { fromUs: 1020, toUs: 1030 }],
    ['a trembling click: nothing', 20, 22, undefined],
  ])('is dragged %s', (_name, from, to, expected) => {
    expect(draggedTo(scale, gripAt(scale, undefined, from), to)).toEqual(expected);
  });

  it.each([
    ['its left edge', 21, 'from', 40, { fromUs: 1040, toUs: 1060 }],
    ['its right edge', 59, 'to', 80, { fromUs: 1020, toUs: 1080 }],
    ['its right edge, over the left one', 61, 'to', 10, { fromUs: 1010, toUs: 1020 }],
    ['its middle', 40, 'whole', 50, { fromUs: 1030, toUs: 1070 }],
    ['its middle, against the left end', 40, 'whole', -100, { fromUs: 1000, toUs: 1040 }],
    ['a place beside it', 90, 'new', 70, { fromUs: 1070, toUs: 1090 }],
  ])('is taken by %s', (_name, x, kind, to, expected) => {
    const grip = gripAt(scale, { fromUs: 1020, toUs: 1060 }, x);
    expect(grip.kind).toBe(kind);
    expect(draggedTo(scale, grip, to)).toEqual(expected);
  });

  it('can be moved however narrow it is', () => {
    const range = { fromUs: 1020, toUs: 1024 };
    expect([18, 20, 22, 24, 26].map((x) => gripAt(scale, range, x).kind)).toEqual([
      'from',
      'from',
      'whole',
      'to',
      'to',
    ]);
  });
});

describe('the keys of the strip', () => {
  const place: StripPlace = { cursor: 5, brush: undefined, buckets: 40 };
  const brushed: StripPlace = { cursor: 13, brush: { from: 10, to: 13 }, buckets: 40 };

  it.each([
    ['ArrowRight', false, place, { kind: 'move', cursor: 6 }],
    ['ArrowLeft', false, place, { kind: 'move', cursor: 4 }],
    ['PageUp', false, place, { kind: 'move', cursor: 15 }],
    ['PageDown', false, place, { kind: 'move', cursor: 0 }],
    ['Home', false, place, { kind: 'move', cursor: 0 }],
    ['End', false, place, { kind: 'move', cursor: 39 }],
    ['ArrowRight', true, place, { kind: 'brush', brush: { from: 5, to: 6 }, cursor: 6 }],
    ['ArrowLeft', true, place, { kind: 'brush', brush: { from: 4, to: 5 }, cursor: 4 }],
    ['End', true, place, { kind: 'brush', brush: { from: 5, to: 39 }, cursor: 39 }],
    ['ArrowRight', false, brushed, { kind: 'brush', brush: { from: 11, to: 14 }, cursor: 14 }],
    ['End', false, brushed, { kind: 'brush', brush: { from: 36, to: 39 }, cursor: 39 }],
    ['Home', false, brushed, { kind: 'brush', brush: { from: 0, to: 3 }, cursor: 3 }],
    ['ArrowRight', true, brushed, { kind: 'brush', brush: { from: 10, to: 14 }, cursor: 14 }],
    ['ArrowLeft', true, brushed, { kind: 'brush', brush: { from: 10, to: 12 }, cursor: 12 }],
    ['ArrowLeft', true, { ...brushed, cursor: 10 }, { kind: 'brush', brush: { from: 9, to: 13 }, cursor: 9 }],
    ['+', false, place, { kind: 'brush', brush: { from: 0, to: 10 }, cursor: 10 }],
    ['+', false, brushed, { kind: 'brush', brush: { from: 11, to: 12 }, cursor: 12 }],
    ['=', false, { ...brushed, brush: { from: 7, to: 7 } }, { kind: 'brush', brush: { from: 7, to: 7 }, cursor: 7 }],
    ['-', false, brushed, { kind: 'brush', brush: { from: 8, to: 15 }, cursor: 15 }],
    ['-', false, { ...brushed, brush: { from: 0, to: 25 } }, { kind: 'clear' }],
    ['-', false, place, { kind: 'clear' }],
    ['Enter', false, place, { kind: 'jump' }],
    [' ', false, brushed, { kind: 'jump' }],
    ['Escape', false, brushed, { kind: 'clear' }],
    ['Escape', false, place, undefined],
    ['x', false, place, undefined],
    ['Tab', false, place, undefined],
  ] as const)('%s (shift: %s) from %j', (key, isShift, from, expected) => {
    expect(stripAct(from, key, isShift)).toEqual(expected);
  });

  it('never leave the strip', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', '+', '-'];
    for (const buckets of [1, 2, 3, 50]) {
      for (let from = 0; from < buckets; from += 1) {
        for (const key of keys) {
          for (const isShift of [false, true]) {
            const act = stripAct({ cursor: from, brush: { from, to: buckets - 1 }, buckets }, key, isShift);
            if (act?.kind === 'brush') {
              expect(act.brush.from).toBeGreaterThanOrEqual(0);
              expect(act.brush.to).toBeLessThan(buckets);
              expect(act.brush.from).toBeLessThanOrEqual(act.brush.to);
            }
          }
        }
      }
    }
  });
});

describe('the number of bars', () => {
  it.each([
    [1200, 0, 60],
    [1200, 30, 60],
    [1200, 31, 120],
    [1200, 100, 240],
    [1200, 1_000_000, 300],
    [280, 5, 60],
    [20, 5, 10],
  ])('%i px, %i rows: %i', (width, recorded, expected) => {
    expect(bucketsFor(width, recorded)).toBe(expected);
  });
});

describe('what is painted', () => {
  it('keeps one failure beside ten thousand calls in sight', () => {
    expect([
      barHeight(0, 10_000, 38, 5),
      barHeight(1, 10_000, 38, 5),
      barHeight(10_000, 10_000, 38, 5),
      barHeight(1, 0, 38, 5),
    ]).toEqual([0, 5, 34, 34]);
  });

  it('finds the cell of a bucket, or none', () => {
    const cells = [2, 5, 6].map((bucket) => ({ bucket, counts: {}, others: 1 }));
    expect([0, 2, 3, 5, 6, 7].map((bucket) => cellOf(cells, bucket)?.bucket)).toEqual([
      undefined,
      2,
      undefined,
      5,
      6,
      undefined,
    ]);
  });
});
