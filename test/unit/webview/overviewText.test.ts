import { describe, expect, it } from 'vitest';
import type { OverviewCell, OverviewLaneView } from '../../../src/protocol/timelineViews.ts';
import { placeOf } from '../../../webview/chartsData.ts';
import { hasTerm, termOf, termsOf, withTerm } from '../../../webview/filterTerms.ts';
import { createTimeFormats } from '../../../webview/format.ts';
import { lanesInOrder } from '../../../webview/lanes.ts';
import { OUTCOMES } from '../../../webview/outcomes.ts';
import { failedOf, totalOf, WORST_FIRST, worstOf } from '../../../webview/overviewCounts.ts';
import { axisTime, bucketText, rangeText, summaryText } from '../../../webview/overviewText.ts';
import { strings } from '../../vscode/page/strings.ts';

const times = createTimeFormats('UTC');
const NOON = Date.UTC(2026, 2, 2, 12) * 1000;
const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

const cell = (counts: OverviewCell['counts'], others = 0, bucket = 0): OverviewCell => ({ bucket, counts, others });

describe('the counts of a bucket', () => {
  it('know every outcome', () => {
    expect(WORST_FIRST.toSorted()).toEqual(OUTCOMES.toSorted());
  });

  it.each([
    [cell({ success: 5 }), 5, 0, undefined, 'success'],
    [cell({ success: 5, partial: 1, timeout: 2 }, 3), 11, 3, 'timeout', 'success'],
    [cell({ cancelled: 1, success: 9 }), 10, 0, undefined, 'cancelled'],
    [cell({}, 4), 4, 0, undefined, undefined],
    [cell({ protocol_error: 1, tool_error: 1, transport_error: 1 }), 3, 3, 'transport_error', undefined],
  ])('%j', (counted, total, failed, worst, otherwise) => {
    expect([totalOf(counted), failedOf(counted), worstOf(counted, true), worstOf(counted, false)]).toEqual([
      total,
      failed,
      worst,
      otherwise,
    ]);
  });
});

describe('the words of the overview', () => {
  it('say what is in a bucket, failures first and successes only as part of all', () => {
    const range = { fromUs: NOON, toUs: NOON + 10 * SECOND };
    const say = (counted: OverviewCell | undefined) => bucketText(range, counted, strings, times);
    expect([
      say(undefined),
      say(cell({ success: 3 })),
      say(cell({ success: 1200, tool_error: 2, cancelled: 1 })),
    ]).toEqual([
      '12:00:00 to 12:00:10: nothing',
      '12:00:00 to 12:00:10: 3 calls',
      '12:00:00 to 12:00:10: 1,203 calls, 2 tool error, 1 cancelled',
    ]);
  });

  it('sum up the whole strip', () => {
    const segments = [{ fromUs: NOON, bucketUs: 60 * SECOND, count: 10 }];
    expect(summaryText([cell({ success: 3, timeout: 1 }), cell({}, 2)], segments, strings, times)).toBe(
      '6 calls, 1 failed, from 12:00:00 to 12:10:00',
    );
  });

  it.each([
    ['seconds: with milliseconds', 5 * SECOND, '12:00:00.000'],
    ['minutes', 600 * SECOND, '12:00:00'],
    ['more than a day: with the day', 30 * HOUR, '03-02 12:00'],
    ['over midnight: with the day', 13 * HOUR, '03-02 12:00'],
  ])('say a time on an axis of %s', (_name, length, expected) => {
    expect(axisTime(times, { fromUs: NOON, toUs: NOON + length })(NOON)).toBe(expected);
  });

  it('say a range with and without an end', () => {
    expect([rangeText({ fromUs: 1, toUs: 2 }, String), rangeText({ fromUs: 1 }, String)]).toEqual(['1 – 2', '1 →']);
  });
});

describe('the order of lanes', () => {
  const lane = (name: string, counts: OverviewCell['counts']): OverviewLaneView => ({
    id: `id:${name}`,
    name,
    cells: [cell(counts)],
  });

  it('has those with failures first, each by name, with numbers and the colour of the worst', () => {
    const lanes = lanesInOrder([
      lane('zebra', { success: 5 }),
      lane('mail', { success: 5, partial: 1 }),
      lane('apple', { success: 2 }),
      lane('bank', { timeout: 1, tool_error: 7 }),
    ]);
    expect(lanes.map(({ name, count, failed, tone }) => [name, count, failed, tone])).toEqual([
      ['bank', 8, 8, 'tone-timeout'],
      ['mail', 6, 1, 'tone-partial'],
      ['apple', 2, 0, 'tone-none'],
      ['zebra', 5, 0, 'tone-none'],
    ]);
  });
});

describe('terms of a filter', () => {
  it.each([
    ['server:github ms>5', ['server:github', 'ms>5']],
    ['  "two words"  server:"my server" ', ['"two words"', 'server:"my server"']],
    ['server:"a \\" b" x', ['server:"a \\" b"', 'x']],
    ['an "open quote', ['an', '"open quote']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(termsOf(text)).toEqual(expected);
  });

  it.each([
    ['github', 'server:github'],
    ['my server', 'server:"my server"'],
    ['a*', 'server:"a*"'],
    ['-x', 'server:"-x"'],
    ['a"b\\c', 'server:"a\\"b\\\\c"'],
  ])('name the server %s', (name, expected) => {
    expect(termOf('server', name)).toBe(expected);
    expect(hasTerm(`x ${expected}`, 'server', name)).toBe(true);
  });

  it.each([
    ['put at the end', 'tool:x', 'server:b', 'tool:x server:b'],
    ['in the place of another', 'server:a tool:x', 'server:b', 'tool:x server:b'],
    ['taken out', 'server:a tool:x', undefined, 'tool:x'],
    ['beside an alternative', 'a or b', 'server:b', '(a or b) server:b'],
    ['into an empty filter', '', 'server:b', 'server:b'],
  ])('are %s', (_name, text, term, expected) => {
    expect(withTerm(text, (each) => each.startsWith('server:'), term)).toBe(expected);
  });
});

describe('a duration on the axis of the latencies', () => {
  const bins = [
    { fromUs: 1000, toUs: 2000, passed: 1, failed: 0 },
    { fromUs: 2000, toUs: 5000, passed: 0, failed: 0 },
    { fromUs: 5000, passed: 1, failed: 0 },
  ];

  it.each([
    ['before all', 10, 0],
    ['at a bound', 2000, 30],
    ['within a bar, by its logarithm', Math.sqrt(2000 * 5000), 45],
    ['in the bar without an end', 5000, 60],
    ['far beyond', 5e9, 90],
  ])('%s', (_name, us, expected) => {
    expect(placeOf(bins, us, 30)).toBeCloseTo(expected, 6);
  });

  it('has no place without bars', () => {
    expect(placeOf([], 5, 30)).toBe(0);
  });
});
