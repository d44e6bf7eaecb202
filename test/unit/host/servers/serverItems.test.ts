import { describe, expect, it, vi } from 'vitest';
import { vscodeStub } from '../../support/vscodeStub.ts';
import { failed, partsOf, running, viewOf } from './views.ts';

vi.mock('vscode', () => vscodeStub());
const { childrenOf, itemOf } = await import('../../../../src/host/servers/serverItems.ts');

/** Everything that is drawn of a server, its children under it. */
function drawn(view: ReturnType<typeof viewOf>, calls: Parameters<typeof partsOf>[1] = []) {
  const parts = partsOf(view, calls);
  const [node] = childrenOf(undefined, parts);
  return [node, ...childrenOf(node, parts)].map((each) => {
    const item = each === undefined ? undefined : itemOf(each, parts);
    const icon = item?.iconPath as { id: string; color?: { id: string } } | undefined;
    const colour = icon?.color === undefined ? '' : ` ${icon.color.id}`;
    return `${item?.label} | ${item?.description} | ${icon?.id}${colour} | ${item?.contextValue}`;
  });
}

describe('the Servers tree', () => {
  it('says of a server that runs what failed, and of each tool what became of its calls', () => {
    const calls = [
      ['1', 'success'],
      ['2', 'tool_error'],
      ['2', 'silent_error'],
      ['2', 'success'],
    ] as const;
    expect(drawn(viewOf(running, ['1', '2', '3']), calls)).toEqual([
      '42 | 2 failures · 2025-11-25 · stdio | pass faultline.success | server.running',
      'Last failure: 2 |  | error faultline.toolError | problem.call',
      '1 | 1 call | tools | tool',
      '2 | 1 silent error · 1 tool error · 3 calls | tools faultline.silentError | tool',
      '3 |  | tools | tool',
    ]);
  });

  it('has a row for each of a thousand tools, in their order', () => {
    const names = Array.from({ length: 1000 }, (_, index) => String(index));
    const lines = drawn(viewOf(running, names), [['999', 'tool_error']]);
    expect(lines.length).toBe(1002);
    expect([lines[2], lines.at(-1)]).toEqual([
      '0 |  | tools | tool',
      '999 | 1 tool error · 1 call | tools faultline.toolError | tool',
    ]);
  });

  it('says of a server that failed why, and what to do', () => {
    expect(drawn(viewOf(failed, ['1']))).toEqual([
      '42 | exit 7 | debug-disconnect faultline.transportError | server.failed',
      '7 ! | 8 ! | error faultline.transportError | problem.server',
      '1 | unavailable | tools disabledForeground | tool',
    ]);
  });

  it.each([
    [{ kind: 'stopped' } as const, '42 | stopped | circle-outline | server.stopped'],
    [{ kind: 'starting' } as const, '42 | starting… | loading~spin | server.starting'],
    [{ kind: 'stopping' } as const, '42 | stopping… | loading~spin | server.stopping'],
    [
      { ...running, tools: { tools: [], isComplete: false } },
      '42 | 2025-11-25 · tool list incomplete · stdio | pass faultline.success | server.running',
    ],
  ])('shows the state $kind', (state, line) => {
    expect(drawn(viewOf(state))).toEqual([line]);
  });

  it('tells remedies, counts, times and the end of stderr on hovering', () => {
    const parts = partsOf(viewOf(running, ['1']), [['1', 'tool_error']]);
    const [node] = childrenOf(undefined, parts);
    const texts = [node, ...childrenOf(node, parts)].map((each) => each && itemOf(each, parts).tooltip);
    expect(texts).toEqual([
      ['42: 2025-11-25', '1 call, 1 tool error', '42: 1', 'settings'].join('\n'),
      'tool error\n',
      '1\n\n1 call, 1 tool error, p95 12.3 s',
    ]);
    const broken = partsOf(viewOf(failed), []);
    const [lost] = childrenOf(undefined, broken);
    expect(lost && itemOf(lost, broken).tooltip).toBe('42: 7 !\n8 !\nstderr: 123\n42: 1\nsettings');
  });
});
