import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { faultsFile, seen } from '../passthrough/faultScene.ts';
import { exchangesOf, freshLog } from '../passthrough/tapScene.ts';
import { runCli } from './runCli.ts';

const server = path.resolve(import.meta.dirname, '../../servers/wellBehaved.mjs');
const call = (log: string, ...options: readonly string[]) =>
  runCli(['call', 'work', '{}', '--log', log, ...options, '--', process.execPath, server]);

describe('faultline call --faults', () => {
  it('meets the fault, says that it was ours, and shows it on record', async () => {
    const log = freshLog();
    const { code, stdout, stderr } = await call(
      log,
      '--faults',
      faultsFile({ fault: { type: 'toolError', text: 'no' } }),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('injecting faults on purpose');
    expect(stdout).toContain('tool error');
    const calls = (await exchangesOf(log)).filter(({ method }) => method === 'tools/call');
    expect(calls.map(seen)).toEqual(['tool_error | toolError (isError: true)']);
  });

  it.each([
    ['a profile that is none', ['--faults', 'flakey-network'], /cannot be read.*flaky-network/],
    ['no rules', ['--faults', faultsFile()], /:1:\d+: .*at least 1/],
    ['a seed that is none', ['--faults', 'slow-tool', '--seed', '1.5'], /--seed takes a whole number/],
    ['a seed for nothing', ['--seed', '1'], /--seed goes with --faults/],
  ])('calls nothing with %s', async (_, options, problem) => {
    const { code, stdout, stderr } = await call(freshLog(), ...options);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(problem);
  });
});
