import { describe, expect, it } from 'vitest';
import type { ToolTally } from '../../../../src/core/timeline/toolTallies.ts';
import { lensTally } from '../../../../src/host/codeLens/lensTally.ts';

const tally = (server: string, overrides: Partial<ToolTally> = {}): ToolTally => ({
  server,
  tool: 'order',
  calls: 2,
  outcomes: { success: 1, tool_error: 1 },
  p95Ms: 10,
  lastFailure: 5,
  ...overrides,
});

const launches: Readonly<Record<string, readonly string[]>> = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the definition file
  a: ['node', '${workspaceFolder}/src/server.ts'],
  b: ['python', './src/other.py'],
  c: [],
};
const launchOf = (server: string) => launches[server] ?? [];
const of = (path: string, ...tallies: readonly ToolTally[]) =>
  lensTally('order', path, tallies, Object.keys(launches), launchOf);

describe('lensTally', () => {
  it.each([
    ['the server that the file is started for', '/work/src/server.ts', [tally('a'), tally('c')], 'a', 2],
    ['that server, though it was never called', '/work/src/server.ts', [tally('c')], 'a', undefined],
    ['the only one with such a tool', '/work/elsewhere.ts', [tally('c')], 'c', 2],
    ['all of them, where it is not clear', '/work/elsewhere.ts', [tally('a'), tally('c')], undefined, 4],
    ['one that is not defined any more', '/work/elsewhere.ts', [tally('gone')], 'gone', 2],
    ['none', '/work/elsewhere.ts', [tally('a', { tool: 'search' })], undefined, undefined],
  ])('counts the calls of %s', (_name, path, tallies, server, calls) => {
    const found = of(path, ...tallies);
    expect([found.server, found.tally?.calls]).toEqual([server, calls]);
  });

  it('adds up', () => {
    const other = tally('c', { outcomes: { tool_error: 1, timeout: 1 }, p95Ms: 300, lastFailure: 3 });
    expect(of('/work/elsewhere.ts', tally('a'), other).tally).toEqual(
      tally('a', { calls: 4, outcomes: { success: 1, tool_error: 2, timeout: 1 }, p95Ms: 300, lastFailure: 5 }),
    );
  });
});
