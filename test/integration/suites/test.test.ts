// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of suites are written so
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoServer, runCli, startCli } from '../cli/runCli.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-suites-'));
let number = 0;

/** Writes a suite and gives its path. */
function suite(value: object): string {
  number += 1;
  const file = path.join(folder, `${number}.faultline-suite.json`);
  writeFileSync(file, JSON.stringify({ faultlineSuite: 1, ...value }, undefined, 2));
  return file;
}

const node = (file: string, ...args: string[]) => ({ command: process.execPath, args: [file, ...args] });
const demo = node(demoServer);
const server = (name: string, ...args: string[]) => node(path.join(root, `test/servers/${name}.mjs`), ...args);
const call = (name: string, tool: string, args: object, outcome: string, more: object = {}) => ({
  name,
  method: 'tools/call',
  params: { name: tool, arguments: args },
  expect: { outcome, ...more },
});

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('faultline test', () => {
  it("passes the project's own suites of server-everything and server-filesystem", async () => {
    const { code, stdout, stderr } = await runCli(['test', 'test/suites', '--reporter', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { total, passed, suites } = JSON.parse(stdout);
    expect([suites.length, passed]).toEqual([2, total]);
    expect(total).toBeGreaterThanOrEqual(10);
  });

  it('expects every outcome of the demo', async () => {
    const file = suite({
      server: demo,
      trustAnnotations: true,
      allowWrites: true,
      timeoutMs: 3000,
      cases: [
        call('success', 'search_books', { query: 'dune' }, 'success', { matches: [{ contains: 'Dune' }] }),
        call('silent error', 'get_author', { title: 'Dun' }, 'silent_error'),
        call('tool error', 'order_book', { title: 'Dune', quantity: 0 }, 'tool_error'),
        call('protocol error', 'get_sales', { month: '2026-13' }, 'protocol_error', {
          code: -32602,
          matches: [{ at: '/message', contains: '2026-13' }],
        }),
        call('input required', 'order_book', { title: 'Dune', quantity: 60 }, 'input_required'),
        call('task pending', 'appraise_collection', { boxes: 3 }, 'task_pending'),
        call('invalid response', 'get_cover', { isbn: '978-0441172719' }, 'invalid_response'),
        { ...call('timeout', 'ask_supplier', { message: 'x' }, 'timeout'), timeoutMs: 200 },
        { ...call('after attempts', 'flaky_lookup', { isbn: '1' }, 'success'), timeoutMs: 200, maxAttempts: 3 },
        call('the end of the server', 'reindex_catalogue', { isFull: true }, 'transport_error', {
          matches: [
            { at: '/reason', equals: 'exited' },
            { at: '/exitCode', equals: 3 },
          ],
        }),
        call('a server again', 'search_books', { query: 'asimov' }, 'success'),
      ],
    });
    const { code, stdout } = await runCli(['test', file]);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('11 passed (1 of them known bugs)');
  });

  it('fails with the outcome and the diagnosis when the server dies or does not come up, and hangs on none', async () => {
    const dies = suite({
      server: demo,
      allowWrites: true,
      cases: [
        call('dies', 'reindex_catalogue', { isFull: true }, 'success'),
        call('goes on', 'search_books', { query: 'x' }, 'success'),
      ],
    });
    const absent = suite({
      server: { command: './no-such-server' },
      cases: [{ name: 'a', method: 'tools/list', expect: { outcome: 'success' } }],
    });
    const { code, stdout } = await runCli(['test', dies, absent, '--reporter', 'json']);
    const { suites } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(suites[0].cases).toMatchObject([
      {
        status: 'failed',
        outcome: 'transport_error',
        diagnosis: [expect.stringContaining('The server exited (3)'), expect.any(String)],
      },
      { status: 'passed' },
    ]);
    expect(suites[1].cases).toMatchObject([
      { status: 'error', diagnosis: [expect.stringContaining('no-such-server'), expect.any(String)] },
    ]);
  });

  it('sends nothing that may change something unless the suite says so', async () => {
    const cases = [call('orders', 'order_book', { title: 'Dune', quantity: 1 }, 'success')];
    const { code, stdout } = await runCli(['test', suite({ server: demo, cases })]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/refused +orders\n.*allowWrites/);
  });

  it('records again what fails, keeps comments, and passes then', async () => {
    const file = suite({
      server: demo,
      trustAnnotations: true,
      cases: [call('a', 'search_books', { query: 'dune' }, 'tool_error')],
    });
    const text = readFileSync(file, 'utf8').replace('{', '{ // kept\n');
    writeFileSync(file, text);
    expect((await runCli(['test', file])).code).toBe(1);
    const updated = await runCli(['test', file, '--update']);
    expect([updated.code, updated.stderr]).toEqual([0, expect.stringContaining('1 cases of')]);
    expect(readFileSync(file, 'utf8')).toBe(text.replace('tool_error', 'success'));
    expect((await runCli(['test', file, '--bail', '--repeat', '2'])).stdout).toContain('2 passed');
  });

  it('takes secrets from the environment and prints none of them', async () => {
    const file = suite({
      server: demo,
      trustAnnotations: true,
      cases: [
        call('a', 'search_books', { query: '${secret:book}' }, 'tool_error', {
          matches: [{ contains: '${secret:book} 2' }],
        }),
      ],
    });
    const { stdout } = await runCli(['test', file, '--reporter', 'tap'], { env: { FAULTLINE_SECRET_BOOK: 'Dune' } });
    expect(stdout).not.toContain('Dune');
    expect(stdout).toContain('${secret:book}');
    const without = await runCli(['test', file]);
    expect([without.code, without.stdout]).toEqual([1, expect.stringContaining('Nothing is known for ${secret:book}')]);
  });

  it('prints and records no secret that its server was started with and repeats', async () => {
    const cwd = mkdtempSync(path.join(folder, 'own-'));
    mkdirSync(path.join(cwd, '.vscode'));
    const env = { API_KEY: 'k-0123456789' };
    const args = [path.join(root, 'test/servers/repeats.mjs')];
    const servers = { repeats: { command: process.execPath, args, env } };
    writeFileSync(path.join(cwd, '.vscode/mcp.json'), JSON.stringify({ servers }));
    const cases = [{ ...call('a', 'work', {}, 'success', { matches: [{ contains: 'nothing' }] }), isSafe: true }];
    const file = suite({ server: 'repeats', cases });
    const failed = await runCli(['test', file], { cwd });
    expect(failed.stdout).toContain('actual   "the key is ${secret:API_KEY}"');
    const updated = await runCli(['test', file, '--update'], { cwd });
    expect([updated.code, readFileSync(file, 'utf8')]).toEqual([0, expect.stringContaining('${secret:API_KEY}')]);
    expect(`${failed.stdout}${failed.stderr}${readFileSync(file, 'utf8')}`).not.toContain(env.API_KEY);
  });

  it.each([
    ['no file', ['test', 'no-such-file'], 'there is no file or folder no-such-file'],
    ['a folder without suites', ['test', 'docs'], 'there is no suite'],
    [
      'a filter that lets nothing through',
      ['test', 'test/suites', '--filter', 'no such case'],
      'no case is called like',
    ],
  ])('refuses %s', async (_, args, why) => {
    const { code, stderr, stdout } = await runCli(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)]);
  });

  it('names the places of what is wrong in a suite', async () => {
    const file = path.join(folder, 'wrong.faultline-suite.json');
    writeFileSync(
      file,
      '{\n  "faultlineSuite": 1,\n  "server": "a",\n  "cases": [{ "name": "a", "method": "x", "expect": { "outcome": "fine" } }]\n}\n',
    );
    const { code, stderr } = await runCli(['test', file]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /wrong\.faultline-suite\.json:4:66: \/cases\/0\/expect\/outcome: this must be one of success, /,
      ),
    ]);
  });

  it('ends every process when it is interrupted', async () => {
    const file = suite({
      server: server('neverAnswers'),
      allowWrites: true,
      timeoutMs: 60_000,
      cases: [call('waits', 'work', {}, 'success'), call('never run', 'work', {}, 'success')],
    });
    const log = path.join(folder, 'interrupted.sqlite');
    const child = startCli(['test', file, '--reporter', 'json', '--log', log]);
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const { openEventLog } = await import('../../../src/core/log/eventLog.ts');
    const { systemClock } = await import('../../../src/base/systemClock.ts');
    const started = async () => {
      for (;;) {
        const recorded = openEventLog({ path: log, clock: systemClock });
        const bodies = recorded.read({ limit: 1000 }).map(({ body }) => body);
        recorded.dispose();
        const pids = bodies.flatMap((body) =>
          body.kind === 'lifecycle' && body.detail.step === 'started' ? [body.detail.pid] : [],
        );
        if (bodies.some((body) => body.kind === 'message' && body.raw.includes('"tools/call"'))) {
          return pids;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const pids = await started();
    expect(pids.length).toBeGreaterThan(0);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      notRun: 1,
      suites: [{ cases: [{ name: 'waits', status: 'cancelled' }] }],
    });
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
