import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { attempt, call, ok, received, recorded, sent } from '../../unit/core/classify/support.ts';
import { runCli } from '../cli/runCli.ts';

let folder: string;
let log: string;

const refused = { code: -32602, message: 'title is "required"' };

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-filter-'));
  log = path.join(folder, 'log.sqlite');
  const open = openEventLog({ path: log, clock: systemClock });
  const bodies = [
    sent(call(1, 'search_books')),
    received(ok(1, 'Dune, Frank Herbert')),
    sent(call(2, 'create_order')),
    received({ jsonrpc: '2.0', id: 2, error: refused }),
    // The same call twice.
    attempt('send', 1, { token: 'a' }),
    sent(call(3, 'flaky', 'a')),
    received({ jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'busy' } }),
    attempt('send', 2, { token: 'b' }),
    sent(call(4, 'flaky', 'b')),
    received(ok(4, 'now it works')),
  ];
  for (const event of recorded(bodies)) {
    open.append(event);
  }
  open.dispose();
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function toolsShown(...args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['show', '--format', 'json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${JSON.parse(line).key} ${JSON.parse(line).target}`);
}

describe('--filter', () => {
  it.each([
    ['tool:search_*', ['1 search_books']],
    ['code:-32602', ['3 create_order']],
    // A call is shown with all its attempts.
    ['has:retry', ['6 flaky', '9 flaky']],
    ['code:-32603 outcome:success', ['6 flaky', '9 flaky']],
    ['herbert or "\\"required\\""', ['1 search_books', '3 create_order']],
    ['server:shop -flaky', ['1 search_books', '3 create_order']],
    ['since:10m', []],
  ])('%s shows %j', async (filter, expected) => {
    expect(await toolsShown('--log', log, '--filter', filter)).toEqual(expected);
  });

  it('holds beside --outcome', async () => {
    expect(await toolsShown('--log', log, '--filter', 'tool:*', '--outcome', 'protocol_error')).toEqual([
      '3 create_order',
      '6 flaky',
    ]);
  });

  it.each([
    [
      'show',
      'server:x outcome:timeot',
      'did you mean "timeout"?',
      '  server:x outcome:timeot\n                   ^~~~~~\n',
    ],
    ['export', 'tool:', '"tool" needs a value.', '  tool:\n       ^\n'],
    ['show', '(a', 'This parenthesis is not closed.', '  (a\n  ^\n'],
  ])('of %s that is wrong (%s) ends with 2 and a mark at the place', async (command, filter, sentence, lines) => {
    const { code, stdout, stderr } = await runCli([command, '--log', log, '--filter', filter]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^faultline: --filter: /);
    expect(stderr).toContain(sentence);
    expect(stderr.endsWith(lines)).toBe(true);
  });

  it('exports only what the exchanges that pass are projected from', async () => {
    const file = path.join(folder, 'some.faultline.jsonl');
    expect((await runCli(['export', '--log', log, '--filter', 'has:retry', '-o', file])).code).toBe(0);
    expect(await toolsShown(file)).toEqual(['6 flaky', '9 flaky']);
    expect(readFileSync(file, 'utf8')).not.toContain('create_order');
    const har = await runCli(['export', '--log', log, '--format', 'har', '--filter', 'tool:create_order']);
    expect([har.code, har.stdout.includes('search_books')]).toEqual([0, false]);
  });

  it('chooses what a bug report is about', async () => {
    const report = path.join(folder, 'report.html');
    const args = ['export', '--log', log, '--format', 'bug-report', '-o', report, '--filter', 'code:-32602'];
    expect((await runCli(args)).code).toBe(0);
    expect(existsSync(report)).toBe(true);
    expect(await toolsShown(path.join(folder, 'report.faultline.jsonl'))).toEqual(['3 create_order']);
  });
});
