import { describe, expect, it } from 'vitest';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import type { SessionId } from '../../../../src/protocol/events.ts';
import { attempt, exchange, filterOf, randomOf, verdict } from './support.ts';

const START_US = 1_700_000_000_000_000;

/** Everything that a timeline tells of its rows. */
function told(timeline: Timeline) {
  return {
    rows: timeline.rows(0, 10_000),
    counts: timeline.counts(),
    retried: timeline.retried,
    recorded: timeline.recorded,
    tools: timeline.tools(),
    span: timeline.span(),
    failures: timeline.failuresAfter(0),
  };
}

/** Chains, replays and single calls of three sessions, each key a millisecond after the one before. */
function mixed(seed: number, keys: number) {
  const random = randomOf(seed);
  return Array.from({ length: keys }, (_, index) => {
    const key = index + 1;
    const session = `session-${Math.floor(index / (keys / 3))}` as SessionId;
    const endUs = START_US + key * 1000 + Math.floor(random() * 3000);
    const ends = random() < 0.1 ? {} : { endUs, verdict: verdict(random() < 0.3 ? 'tool_error' : 'success') };
    const own = { session, target: `tool-${key % 3}`, ...ends, ...(random() < 0.1 ? { replayOf: 1 } : {}) };
    const number = key % 7;
    return number >= 1 && number <= 3 && random() < 0.8
      ? attempt(key, key - number + 1, number, own)
      : exchange(key, own);
  });
}

describe('rows whose messages are gone', () => {
  it('are forgotten, and the others told of as if those had never been', () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const all = mixed(seed, 60);
      const timeline = new Timeline();
      timeline.setFilter(filterOf(seed % 2 === 0 ? '' : 'tool:tool-1 or attempt>1'));
      timeline.apply(all);
      // Of the first session nothing is kept, of the second its end, of the third all.
      const firstSeq: Readonly<Record<string, number>> = { 'session-1': 27, 'session-2': 0 };
      timeline.forget((session) => firstSeq[session]);
      const kept = all.filter(
        ({ session, key, endSeq = key }) => endSeq >= (firstSeq[session] ?? Number.POSITIVE_INFINITY),
      );
      const expected = new Timeline();
      expected.setFilter(filterOf(seed % 2 === 0 ? '' : 'tool:tool-1 or attempt>1'));
      expected.apply(kept);
      expect(kept.length).toBeLessThan(all.length);
      expect(told(timeline)).toEqual(told(expected));
      // What comes later goes where it belongs.
      const later = [...mixed(seed, 60).slice(20), exchange(100, { target: 'tool-1' })].filter(({ key }) =>
        [100, ...kept.map((each) => each.key)].includes(key),
      );
      timeline.apply(later);
      expected.apply(later);
      expect(told(timeline)).toEqual(told(expected));
    }
  });

  it('stay while they are few of many, or while there are none', () => {
    const timeline = new Timeline();
    timeline.apply(Array.from({ length: 30_000 }, (_, index) => exchange(index + 1)));
    let changes = 0;
    timeline.onDidChange(() => {
      changes += 1;
    });
    timeline.forget(() => 0);
    timeline.forget(() => 1000);
    expect([changes, timeline.total]).toEqual([0, 30_000]);
    timeline.forget(() => 2000);
    expect([changes, timeline.total, timeline.rows(0, 1)[0]?.key]).toEqual([1, 28_001, 2000]);
  });
});

describe('a timeline that takes over the rows of another', () => {
  it('shows them through its own filter, range and unfolded chains', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const all = mixed(seed, 60);
      const range = { fromUs: START_US + 10_000, toUs: START_US + 50_000 };
      const shown = new Timeline();
      const expected = new Timeline();
      for (const timeline of [shown, expected]) {
        timeline.setFilter(filterOf('tool:tool-1 or attempt>1'));
        timeline.setRange(range);
      }
      shown.apply(all.slice(40));
      expected.apply(all);
      const chain = shown.rows(0, 100).find(({ isExpandable }) => isExpandable);
      if (chain !== undefined) {
        shown.setExpanded(chain.key, true);
        expected.setExpanded(chain.key, true);
      }
      const behind = new Timeline();
      behind.apply(all);
      const { epoch } = shown;
      shown.takeOver(behind);
      expect(told(shown)).toEqual(told(expected));
      expect(shown.epoch).toBeGreaterThan(epoch);
      shown.apply([exchange(100, { target: 'tool-1' })]);
      expected.apply([exchange(100, { target: 'tool-1' })]);
      expect(told(shown)).toEqual(told(expected));
    }
  });

  it('takes the filter that was on its way at once', () => {
    const shown = new Timeline();
    shown.apply([exchange(2, { target: 'b' })]);
    const scan = shown.beginFilter(filterOf('tool:a'));
    const behind = new Timeline();
    behind.apply([exchange(1, { target: 'a' }), exchange(2, { target: 'b' })]);
    shown.takeOver(behind);
    expect(shown.rows(0, 9).map(({ key }) => key)).toEqual([1]);
    expect(shown.endFilter(scan)).toBe(false);
  });
});
