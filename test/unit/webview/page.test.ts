import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS, MARKS, OUTCOME_KINDS } from '../../../src/protocol/outcome.ts';
import { createAnnouncer } from '../../../webview/announcer.ts';
import { clampDetails, layoutOf } from '../../../webview/layout.ts';
import { grownFailure, isFailure, MARK_ICONS, OUTCOME_LOOKS, OUTCOMES } from '../../../webview/outcomes.ts';
import { parsePersisted, persistedOf } from '../../../webview/persisted.ts';
import { widthAfterKey } from '../../../webview/splitter.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { pageOf } from './support.ts';

describe('outcomes', () => {
  it('are those of the protocol, and so are their failures and marks', () => {
    expect(OUTCOMES).toEqual(OUTCOME_KINDS);
    expect(OUTCOMES.filter(isFailure)).toEqual(OUTCOME_KINDS.filter((kind) => FAILURE_KINDS.has(kind)));
    expect(Object.keys(MARK_ICONS)).toEqual([...MARKS]);
  });

  it('differ in icon and in colour', () => {
    const looks = Object.values(OUTCOME_LOOKS);
    expect(new Set(looks.map((look) => look.icon)).size).toBe(looks.length);
    expect(new Set(looks.map((look) => look.tone)).size).toBe(looks.length);
  });

  it.each([
    [{}, {}, undefined],
    [{ success: 1 }, { success: 2 }, undefined],
    [{ tool_error: 1 }, { tool_error: 2 }, 'tool_error'],
    [{ tool_error: 2 }, { tool_error: 1, timeout: 1 }, 'timeout'],
    [{ tool_error: 2 }, { tool_error: 1 }, undefined],
  ])('from %j to %j: new is %s', (before, after, expected) => {
    expect(grownFailure(before, after)).toBe(expected);
  });
});

describe('what is persisted', () => {
  it('comes back as it was', () => {
    const state = pageOf({
      hiddenOutcomes: ['success', 'cancelled'],
      selected: 30,
      isFollowing: false,
      detailsWidth: 500,
      filterText: 'x',
      isDetailsOpen: true,
    });
    expect(parsePersisted(JSON.parse(JSON.stringify(persistedOf(state))))).toEqual(persistedOf(state));
  });

  it.each([undefined, null, 'text', {}, { version: 2, selected: 5 }])('%j is no state of this version', (saved) => {
    expect(parsePersisted(saved)).toMatchObject({ selected: undefined, isFollowing: true, hiddenOutcomes: [] });
  });

  it('is taken field by field', () => {
    const saved = {
      version: 1,
      hiddenOutcomes: ['timeout', 'nonsense'],
      selected: 'x',
      detailsWidth: -1,
      isFollowing: 0,
    };
    expect(parsePersisted(saved)).toMatchObject({
      hiddenOutcomes: ['timeout'],
      selected: undefined,
      detailsWidth: 420,
      isFollowing: true,
    });
  });

  it('opens no details without a row, and no tail where none is allowed', () => {
    expect(pageOf({}, { version: 1, isDetailsOpen: true }).isDetailsOpen).toBe(false);
    expect(pageOf({}, { version: 1, isDetailsOpen: true, selected: 3 }).isDetailsOpen).toBe(true);
  });
});

describe('layoutOf', () => {
  it.each([
    [280, 'narrow', 'over', 0],
    [479, 'narrow', 'over', 0],
    [480, 'wide', 'over', 24],
    [899, 'wide', 'over', 24],
    [900, 'wide', 'beside', 24],
  ])('%i px: %s rows, details %s', (width, rows, details, headerHeight) => {
    expect(layoutOf(width)).toMatchObject({ rows, details, headerHeight });
  });
});

describe('the splitter', () => {
  it.each([
    [420, 1200, 420],
    [100, 1200, 320],
    [900, 1200, 720],
    [900, 600, 320],
  ])('brings %i px in a page of %i px to %i px', (width, pageWidth, expected) => {
    expect(clampDetails(width, pageWidth)).toBe(expected);
  });

  it.each([
    ['ArrowLeft', 436],
    ['ArrowRight', 404],
    ['Home', 320],
    ['End', 720],
    ['ArrowUp', undefined],
  ])('%s: %s px', (key, expected) => {
    expect(widthAfterKey(key, 420, 1200)).toBe(expected);
  });
});

describe('the announcer', () => {
  function setUp() {
    const clock = new FakeClock();
    const said: string[] = [];
    const announcer = createAnnouncer({
      say: (text) => said.push(text),
      after: (ms, callback) => {
        const timer = clock.setTimer(ms, callback);
        return () => timer.dispose();
      },
      nowMs: () => clock.monoUs() / 1000,
    });
    return { clock, said, announcer };
  }

  it('waits until typing has settled', async () => {
    const { clock, said, announcer } = setUp();
    announcer.settle('10 rows');
    await clock.advance(300);
    announcer.settle('3 rows');
    await clock.advance(300);
    expect(said).toEqual([]);
    await clock.advance(300);
    expect(said).toEqual(['3 rows']);
  });

  it('tells of a failure at once, but not of a storm', async () => {
    const { clock, said, announcer } = setUp();
    announcer.interrupt('a');
    announcer.interrupt('b');
    await clock.advance(4999);
    announcer.interrupt('c');
    await clock.advance(1);
    announcer.interrupt('d');
    expect(said).toEqual(['a', 'd']);
  });

  it('is silent after it was disposed', async () => {
    const { clock, said, announcer } = setUp();
    announcer.settle('10 rows');
    announcer.dispose();
    await clock.advance(1000);
    expect(said).toEqual([]);
  });
});
