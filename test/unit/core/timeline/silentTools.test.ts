import { describe, expect, it } from 'vitest';
import { SilentByName, SilentTools } from '../../../../src/core/timeline/silentTools.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import { exchange, verdict } from './support.ts';

const call = (key: number, target: string, isSilent = true, server = 's') =>
  exchange(key, {
    method: 'tools/call',
    target,
    server: server as ServerId,
    startUs: key * 1000,
    verdict: verdict(isSilent ? 'silent_error' : 'success'),
  });

function toolsOf(...pushes: readonly (readonly ReturnType<typeof call>[])[]) {
  const tools = new SilentTools();
  let changes = 0;
  tools.onDidChange(() => {
    changes += 1;
  });
  for (const exchanges of pushes) {
    tools.apply(exchanges);
  }
  return { tools, changes, all: tools.all() };
}

describe('SilentTools', () => {
  it('counts silent errors by server and tool', () => {
    const { all, changes } = toolsOf([
      call(1, 'get_author'),
      call(2, 'get_price', false),
      call(3, 'get_author'),
      call(4, 'get_author', true, 'other'),
    ]);
    expect(all).toEqual([
      { server: 's', tool: 'get_author', count: 2, lastUs: 3000, lastKey: 3 },
      { server: 'other', tool: 'get_author', count: 1, lastUs: 4000, lastKey: 4 },
    ]);
    expect(changes).toBe(1);
  });

  it('counts a call once however often it is seen, and tells nothing when nothing changed', () => {
    const { all, changes } = toolsOf([call(1, 'a')], [call(1, 'a')], [call(2, 'b', false)]);
    expect(all.map(({ tool, count }) => [tool, count])).toEqual([['a', 1]]);
    expect(changes).toBe(1);
  });

  it('takes back what is judged anew, and the newest is the one before it then', () => {
    const { all } = toolsOf([call(1, 'a'), call(2, 'a'), call(3, 'b')], [call(2, 'a', false), call(3, 'b', false)]);
    expect(all).toEqual([{ server: 's', tool: 'a', count: 1, lastUs: 1000, lastKey: 1 }]);
  });

  it('does not count what is no call of a tool', () => {
    const prompt = exchange(1, { method: 'prompts/get', target: 'a', verdict: verdict('silent_error') });
    expect(toolsOf([prompt])).toMatchObject({ all: [], changes: 0 });
  });

  it('forgets everything when the recording is cleared', () => {
    const { tools } = toolsOf([call(1, 'a')]);
    tools.clear();
    expect(tools.all()).toEqual([]);
    tools.apply([call(1, 'a')]);
    expect(tools.all()).toHaveLength(1);
  });
});

describe('SilentByName', () => {
  const { tools } = toolsOf([
    call(1, 'a'),
    call(2, 'a', true, 'other'),
    call(3, 'b'),
    call(4, 'c', false),
    call(5, 'a'),
    call(6, 'd', true, 'other'),
  ]);
  const byName = new SilentByName(tools);

  it.each([
    [['a'], { tool: 'a', count: 3, lastUs: 5000, lastKey: 5 }],
    [['a', 'b'], { tool: 'a', count: 4, lastUs: 5000, lastKey: 5 }],
    [['d', 'a', 'gone'], { tool: 'd', count: 4, lastUs: 6000, lastKey: 6 }],
    [['c'], undefined],
    [[], undefined],
  ])('sums over servers and over the tools %j', (names, expected) => {
    expect([byName.of(names), byName.size]).toEqual([expected, 3]);
  });
});
