import { describe, expect, it } from 'vitest';
import { MAX_HEIGHT_PX, scrollTopFor, skippedRows, windowOf } from '../../../webview/window.ts';

const base = { scrollTop: 0, viewportHeight: 240, count: 100, rowHeight: 24, overscan: 2 };

describe('windowOf', () => {
  it.each([
    ['at the top', {}, { start: 0, end: 12, visibleStart: 0, visibleEnd: 10 }],
    ['within a row', { scrollTop: 30 }, { start: 0, end: 14, visibleStart: 1, visibleEnd: 12 }],
    ['in the middle', { scrollTop: 1200 }, { start: 48, end: 62, visibleStart: 50, visibleEnd: 60 }],
    ['at the end', { scrollTop: 2160 }, { start: 88, end: 100, visibleStart: 90, visibleEnd: 100 }],
    ['past the end', { scrollTop: 99_999 }, { start: 88, end: 100, visibleStart: 90, visibleEnd: 100 }],
    ['before the start', { scrollTop: -50 }, { start: 0, end: 12, visibleStart: 0, visibleEnd: 10 }],
    ['with few rows', { count: 3 }, { start: 0, end: 3, visibleStart: 0, visibleEnd: 3 }],
    ['with few rows, scrolled', { count: 3, scrollTop: 500 }, { start: 0, end: 3, visibleStart: 0, visibleEnd: 3 }],
    ['without rows', { count: 0 }, { start: 0, end: 0, visibleStart: 0, visibleEnd: 0 }],
    ['without a viewport', { viewportHeight: 0 }, { start: 0, end: 2, visibleStart: 0, visibleEnd: 0 }],
    [
      'with a viewport that the headers fill',
      { viewportHeight: -24 },
      { start: 0, end: 2, visibleStart: 0, visibleEnd: 0 },
    ],
  ])('%s', (_name, change, expected) => {
    expect(windowOf({ ...base, ...change })).toMatchObject({ ...expected, skipped: 0 });
  });

  it('reaches the newest rows when there are more than a browser can lay out', () => {
    const count = 2_000_000;
    const reachable = Math.floor(MAX_HEIGHT_PX / 24);
    const end = windowOf({ ...base, count, scrollTop: Number.MAX_SAFE_INTEGER });
    expect(end).toMatchObject({ skipped: count - reachable, end: count, height: reachable * 24 });
    expect(end.height).toBeLessThanOrEqual(MAX_HEIGHT_PX);
    expect(windowOf({ ...base, count }).start).toBe(count - reachable);
  });
});

describe('skippedRows', () => {
  it.each([
    [0, 24, 0],
    [1_398_101, 24, 0],
    [1_398_102, 24, 1],
  ])('%i rows of %i px: %i', (count, rowHeight, expected) => {
    expect(skippedRows(count, rowHeight)).toBe(expected);
  });
});

describe('scrollTopFor', () => {
  it.each([
    ['a visible row', { index: 3 }, 0],
    ['a row below', { index: 20 }, 264],
    ['a row above', { index: 2, scrollTop: 480 }, 48],
    ['a row cut by the lower edge', { index: 10, scrollTop: 12 }, 24],
    ['the last row', { index: 99 }, 2160],
    ['a row far below, to the middle', { index: 50, mode: 'center' as const }, 1092],
    ['the first row, to the middle', { index: 0, scrollTop: 900, mode: 'center' as const }, 0],
    ['a visible row, to the top', { index: 3, mode: 'start' as const }, 72],
    ['one of the last rows, to the top', { index: 95, mode: 'start' as const }, 2160],
    ['a visible row, to the middle', { index: 3, mode: 'center' as const }, 0],
  ])('%s', (_name, change, expected) => {
    const { overscan: _overscan, ...rest } = base;
    expect(scrollTopFor({ ...rest, mode: 'nearest', ...change })).toBe(expected);
  });
});
