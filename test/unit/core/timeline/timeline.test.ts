import { describe, expect, it } from 'vitest';
import { MAX_NAME_LENGTH } from '../../../../src/core/timeline/stringTable.ts';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import type { Exchange } from '../../../../src/protocol/exchange.ts';
import { MARKS, type OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { attempt, exchange, filterOf, verdict } from './support.ts';

const startUs = 1_700_000_000_000_000;

/** Of a call that timed out, failed, and succeeded on the third attempt. */
const retriedCall: readonly Exchange[] = [
  attempt(10, 10, 1, {
    target: 'lookup',
    startUs,
    endUs: startUs + 1000,
    endSeq: 12,
    verdict: verdict('timeout'),
    marks: ['ambiguous_delivery'],
    related: [11, 19],
  }),
  attempt(13, 10, 2, {
    target: 'lookup',
    startUs: startUs + 2000,
    endUs: startUs + 2041,
    endSeq: 14,
    verdict: verdict('protocol_error'),
    marks: ['retried'],
  }),
  attempt(15, 10, 3, {
    target: 'lookup',
    startUs: startUs + 4041,
    endUs: startUs + 4079,
    endSeq: 16,
    bytes: 300,
    verdict: verdict('success'),
    marks: ['retried', 'more_available'],
  }),
];

function timelineOf(...exchanges: readonly Exchange[]): Timeline {
  const timeline = new Timeline();
  timeline.apply(exchanges);
  return timeline;
}

const keysOf = (timeline: Timeline) => timeline.rows(0, timeline.total).map((row) => row.key);

describe('a row', () => {
  it('carries what the exchange says', () => {
    const { key, kind, server, connection, method, initiator } = exchange(7);
    const common = { key, kind, server, connection, method, depth: 0, isExpandable: false, isExpanded: false };
    const timeline = timelineOf(
      exchange(7, {
        initiator: 'server',
        startUs,
        endUs: startUs + 5,
        endSeq: 9,
        related: [8, 11],
        replayOf: 3,
        marks: [...MARKS],
        verdict: verdict('partial'),
        target: 'search',
      }),
      exchange(12, { startUs, kind: 'noise' }),
    );
    expect(timeline.rows(0, 9)).toEqual([
      {
        ...common,
        startUs,
        endUs: startUs + 5,
        target: 'search',
        initiator: 'server',
        outcome: 'partial',
        marks: MARKS,
        bytes: 100,
        attempt: undefined,
        headKey: 7,
        endKey: 7,
        segments: undefined,
        firstSeq: 7,
        lastSeq: 11,
        endSeq: 9,
        replayOf: 3,
      },
      {
        ...common,
        key: 12,
        kind: 'noise',
        startUs,
        endUs: undefined,
        target: undefined,
        initiator,
        outcome: undefined,
        marks: [],
        bytes: 100,
        attempt: undefined,
        headKey: 12,
        endKey: 12,
        segments: undefined,
        firstSeq: 12,
        lastSeq: 12,
        endSeq: undefined,
        replayOf: undefined,
      },
    ]);
  });

  it('of a chain head speaks for the chain, and its other attempts fold under it', () => {
    const timeline = timelineOf(...retriedCall);
    expect(timeline.rows(0, 9)).toMatchObject([
      {
        key: 10,
        isExpandable: true,
        isExpanded: false,
        outcome: 'success',
        startUs,
        endUs: startUs + 4079,
        marks: ['retried', 'ambiguous_delivery', 'more_available'],
        bytes: 500,
        attempt: { number: 3, of: 3 },
        segments: [
          { kind: 'attempt', outcome: 'timeout', startUs: 0, durationUs: 1000 },
          { kind: 'gap', startUs: 1000, durationUs: 1000 },
          { kind: 'attempt', outcome: 'protocol_error', startUs: 2000, durationUs: 41 },
          { kind: 'gap', startUs: 2041, durationUs: 2000 },
          { kind: 'attempt', outcome: 'success', startUs: 4041, durationUs: 38 },
        ],
        firstSeq: 10,
        lastSeq: 19,
        endSeq: 16,
      },
    ]);
    timeline.setExpanded(10, true);
    expect(timeline.rows(1, 9)).toMatchObject([
      { key: -10, depth: 1, headKey: 10, outcome: 'timeout', attempt: { number: 1, of: 3 }, isExpandable: false },
      { key: 13, depth: 1, headKey: 10, outcome: 'protocol_error', attempt: { number: 2, of: 3 }, bytes: 100 },
      { key: 15, depth: 1, headKey: 10, outcome: 'success', isExpandable: false, segments: undefined },
    ]);
    expect([timeline.row(-10), timeline.row(13)]).toEqual(timeline.rows(1, 2));
    expect(timeline.attempts(13)).toEqual(timeline.rows(1, 3));
    expect([-10, 13, 15, 11].map((key) => timeline.indexOf(key))).toEqual([1, 2, 3, -1]);
    expect([timeline.counts(), timeline.retried, timeline.recorded]).toEqual([{ success: 1 }, 1, 4]);
  });

  it('of a chain that stays expanded while it loses and gets an attempt lists the first with the second', () => {
    const timeline = timelineOf(attempt(10, 10, 1), attempt(13, 10, 2));
    timeline.setExpanded(10, true);
    timeline.apply([attempt(13, 13, 1)]);
    expect(keysOf(timeline)).toEqual([10, 13]);
    timeline.apply([attempt(15, 10, 2)]);
    expect(keysOf(timeline)).toEqual([10, -10, 15, 13]);
    expect([timeline.recorded, timeline.retried]).toEqual([4, 1]);
  });

  it('of an attempt that is under way has an open end', () => {
    const { endUs: _, endSeq: __, ...second } = retriedCall[1] as Exchange;
    const [row] = timelineOf(retriedCall[0] as Exchange, { ...second, verdict: undefined }).rows(0, 1);
    expect(row).toMatchObject({
      outcome: 'pending',
      endUs: undefined,
      endSeq: undefined,
      attempt: { number: 2, of: 3 },
    });
    expect(row?.segments?.at(-1)).toEqual({ kind: 'attempt', outcome: 'pending', startUs: 2000, durationUs: 0 });
  });

  it('shows long names cut, never through a character', () => {
    const long = 'x'.repeat(MAX_NAME_LENGTH - 2);
    const [row] = timelineOf(exchange(1, { method: `${long}🦊🦊`, target: 'y'.repeat(1e6) })).rows(0, 1);
    expect(row?.method).toBe(`${long}…`);
    expect(row?.target).toBe(`${'y'.repeat(MAX_NAME_LENGTH - 1)}…`);
  });
});

describe('the epoch', () => {
  const cases: ReadonlyArray<[string, boolean, (timeline: Timeline) => void]> = [
    ['a row at the end', false, (timeline) => timeline.apply([exchange(30)])],
    ['a change in place', false, (timeline) => timeline.apply([exchange(20, { verdict: verdict('timeout') })])],
    ['an attempt of a folded chain', false, (timeline) => timeline.apply([attempt(30, 10, 4)])],
    ['an unknown key that is expanded', false, (timeline) => timeline.setExpanded(99, true)],
    ['a row that has nothing to expand', false, (timeline) => timeline.setExpanded(20, true)],
    ['a chain that is expanded', true, (timeline) => timeline.setExpanded(10, true)],
    ['a row that comes late', true, (timeline) => timeline.apply([exchange(5)])],
    ['a filter', true, (timeline) => timeline.setFilter(filterOf('', ['success']))],
    ['a clearing', true, (timeline) => timeline.clear()],
  ];

  it.each(cases)('after %s grows: %s', (_, grows, act) => {
    const timeline = timelineOf(...retriedCall, exchange(20));
    const before = timeline.epoch;
    act(timeline);
    expect(timeline.epoch > before).toBe(grows);
  });

  it('grows when the last row goes, since another will stand in its place', () => {
    const timeline = timelineOf(exchange(1), exchange(2));
    timeline.setFilter(filterOf('', ['success']));
    const before = timeline.epoch;
    timeline.apply([exchange(2, { verdict: verdict('success') })]);
    expect(keysOf(timeline)).toEqual([1]);
    expect(timeline.epoch).toBeGreaterThan(before);
  });
});

describe('the filter', () => {
  const timeline = timelineOf(
    ...retriedCall,
    exchange(20, { target: 'Search', verdict: verdict('tool_error') }),
    exchange(21, { kind: 'notification', method: 'notifications/progress', server: 'test:Other' as ServerId }),
  );

  it.each<[string, readonly OutcomeKind[], number[]]>([
    ['', [], [10, 20, 21]],
    ['', ['success'], [20, 21]],
    ['', ['timeout', 'protocol_error'], [10, 20, 21]],
    ['', ['tool_error', 'success'], [21]],
    [' SEARCH ', [], [20]],
    ['other', [], [21]],
    ['tools/', [], [10, 20]],
    ['connection-1', [], []],
    ['tools/', ['success'], [20]],
  ])('%j without %j shows %j', (text, hiddenOutcomes, keys) => {
    timeline.setFilter(filterOf(text, hiddenOutcomes));
    expect(keysOf(timeline)).toEqual(keys);
    expect([timeline.hiddenOutcomes, timeline.filterText]).toEqual([hiddenOutcomes, text]);
    expect([timeline.counts(), timeline.recorded]).toEqual([{ success: 1, tool_error: 1 }, 3]);
  });

  it('outlives a clearing', () => {
    const cleared = timelineOf(exchange(1));
    cleared.setFilter(filterOf('', ['success']));
    cleared.clear();
    cleared.apply([exchange(2, { verdict: verdict('success') }), exchange(3)]);
    expect(keysOf(cleared)).toEqual([3]);
  });
});

describe('changes', () => {
  it('are told once a call, and not when nothing happened', () => {
    const timeline = new Timeline();
    let fired = 0;
    timeline.onDidChange(() => {
      fired++;
    });
    timeline.apply([]);
    expect(fired).toBe(0);
    timeline.apply(retriedCall);
    timeline.setExpanded(10, true);
    timeline.setExpanded(10, true);
    timeline.setFilter(filterOf('x'));
    timeline.clear();
    expect(fired).toBe(4);
  });

  it('of thousands of rows at once in the middle list everything anew', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => index + 1);
    const timeline = timelineOf(...keys.map((key) => exchange(key)));
    timeline.setFilter(filterOf('', ['success']));
    const before = timeline.epoch;
    timeline.apply(keys.filter((key) => key % 5 !== 0).map((key) => exchange(key, { verdict: verdict('success') })));
    expect(keysOf(timeline)).toEqual(keys.filter((key) => key % 5 === 0));
    expect(timeline.counts()).toEqual({ success: 4000, pending: 1000 });
    // One a row would mean that each moved what follows it.
    expect(timeline.epoch - before).toBeLessThan(100);
  });
});

describe('a range of rows', () => {
  it.each([
    [0, 2, [1, 2]],
    [2, 9, [3]],
    [3, 1, []],
    [-5, 1, [1]],
    [0, 0, []],
    [0, -1, []],
  ])('from %i, %i of them', (from, count, keys) => {
    const timeline = timelineOf(exchange(1), exchange(2), exchange(3));
    expect(timeline.rows(from, count).map((row) => row.key)).toEqual(keys);
  });
});

describe('memory', () => {
  it('is at most 96 bytes a row, names not counted', () => {
    const count = 2 ** 16;
    const timeline = new Timeline();
    for (let key = 1; key <= count; key += 1024) {
      timeline.apply(Array.from({ length: 1024 }, (_, index) => exchange(key + index)));
    }
    expect(timeline.recorded).toBe(count);
    expect(timeline.byteLength / count).toBeLessThanOrEqual(96);
  });
});
