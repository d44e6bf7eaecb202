import { describe, expect, it } from 'vitest';
import { findSession } from '../../../src/cli/recorded.ts';
import { createSessionIndex, type SessionSummary } from '../../../src/core/export/sessionIndex.ts';
import type { SessionId } from '../../../src/protocol/events.ts';
import { event } from '../core/export/support.ts';

const session = (id: string, name?: string): SessionSummary => ({
  id: id as SessionId,
  ...(name === undefined ? {} : { name }),
  pinned: false,
  firstSeq: 1,
  firstUs: 0,
  lastUs: 0,
  events: 1,
  bytes: 0,
});
const sessions = [session('ab12', 'Monday'), session('ab34'), session('cd56', 'ab12')];

describe('a session that a person means', () => {
  it.each([
    ['ab34', 'ab34'],
    ['ab3', 'ab34'],
    ['Monday', 'ab12'],
    ['cd', 'cd56'],
  ])('%s is %s', (wanted, id) => {
    expect(findSession(sessions, wanted)).toMatchObject({ id });
  });

  it.each([
    ['ab', '2 sessions are called ab'],
    ['ab12', '2 sessions are called ab12'],
    ['x', 'there is no session x'],
  ])('%s is not told from others, or is not there', (wanted, problem) => {
    expect(findSession(sessions, wanted)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('sessions in a few numbers', () => {
  it('have their times, events and bytes, whatever the order of their times, and their names', () => {
    const other = { session: 's2' as SessionId };
    const index = createSessionIndex([{ id: 's2', name: 'second', pinned: true }]);
    for (const one of [
      event(2, { kind: 'stderr', line: 'ä', level: 'info' }),
      event(3, { kind: 'noise', stream: 'stdout', raw: 'x', bytes: 10, problem: 'not-json' }, other),
      event(4, { kind: 'note', note: { type: 'mark', text: 'x' } }, { wallUs: 500 }),
    ]) {
      index.add(one);
    }
    expect(index.summaries()).toEqual([
      { id: 's1', pinned: false, firstSeq: 2, firstUs: 500, lastUs: 2000, events: 2, bytes: 2 },
      { id: 's2', name: 'second', pinned: true, firstSeq: 3, firstUs: 3000, lastUs: 3000, events: 1, bytes: 10 },
    ]);
  });
});
