import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { start as startHttp } from '../../servers/httpWellBehaved.mjs';
import { runCli, startCli } from './runCli.ts';

const script = path.resolve(import.meta.dirname, '../../servers/replayed.mjs');

let folder: string;
let ran: string;
let log: string;

/** The server that a replay is tried on; `failures`: how often `lookup` fails. */
const server = (failures = 2) => ['--', process.execPath, script, ran, String(failures)];

/** How often each tool was executed since the last look, by which process. */
function executions(tool: string): readonly string[] {
  const file = path.join(ran, tool);
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0] ?? '')
    : [];
}

function forget(): void {
  for (const tool of ['lookup', 'order', 'whoami', 'hang']) {
    rmSync(path.join(ran, tool), { force: true });
  }
}

const environment = () => ({ HOME: folder, XDG_CONFIG_HOME: path.join(folder, '.config'), XDG_STATE_HOME: folder });

const cli = (...words: readonly string[]) => runCli(words, { cwd: folder, env: environment() });

const replay = (...words: readonly string[]) => cli('replay', log, ...words);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-replay-'));
  ran = mkdtempSync(path.join(folder, 'ran-'));
  log = path.join(folder, 'log.sqlite');
  for (const [tool, args] of [
    ['lookup', '{"isbn":"1"}'],
    ['order', '{"title":"Dun","quantity":1}'],
    ['whoami', '{}'],
  ] as const) {
    await cli('call', '--log', log, tool, args, ...server(9));
  }
}, 60_000);

beforeEach(forget);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('faultline replay', () => {
  it('says in a dry run what would be sent, to whom and why not, and starts nothing', async () => {
    const { code, stdout, stderr } = await replay('--dry-run', '--trust', ...server());
    expect({ code, stderr, ran: [...executions('lookup'), ...executions('order'), ...executions('whoami')] }).toEqual({
      code: 0,
      stderr: '',
      ran: [],
    });
    expect(stdout.replaceAll(/#\d+/g, '#').replaceAll(script, 'SCRIPT').replaceAll(process.execPath, 'node')).toBe(
      `policy: sent up to 3 times; waits 500–1000 ms, 1000–2000 ms; at most 183000 ms if the server stays silent
# server lookup: would be sent to server: node SCRIPT ${ran} 2
  May be repeated: a trusted server calls the tool read-only.
# server order: would not be sent
  Nothing says that order is safe to repeat. Replaying it may repeat side effects. --yes-unsafe would allow it.
# server whoami: would be sent to server: node SCRIPT ${ran} 2
  May be repeated: a trusted server calls the tool read-only.
`,
    );
  });

  it('believes no server that is not trusted', async () => {
    const { stdout } = await replay('--dry-run', '--json', ...server());
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line)).map(({ target, isSent }) => [target, isSent])).toEqual([
      ['lookup', false],
      ['order', false],
      ['whoami', false],
    ]);
  });

  it('repeats by the policy, prints each attempt and the comparison, and never sends what may do harm', async () => {
    const { code, stdout } = await replay('--trust', '--policy', 'persistent,base=10ms,jitter=0', ...server());
    expect(code).toBe(0);
    expect(executions('order')).toEqual([]);
    expect(executions('lookup')).toHaveLength(3);
    expect(stdout).toMatch(
      new RegExp(
        [
          /#\d+ server lookup\n/,
          / {2}attempt {2}1: tool error in \d+ ms Replayed by a person\.\n/,
          / {2}attempt {2}2 after 10 ms: tool error in \d+ ms Repeated because the replay asks for it\.\n/,
          / {2}attempt {2}3 after 20 ms: success in \d+ ms Repeated because the replay asks for it\.\n/,
          / {2}result {3}better: tool error → success on attempt 3 after 0\.\d s\n/,
          / {2}changed {2}\/result\/content\/0\/text: "the catalogue is busy \(1\)" → "found it"\n/,
          / {2}removed {2}\/result\/isError: true\n/,
        ]
          .map(({ source }) => source)
          .join(''),
      ),
    );
    expect(stdout).toMatch(/#\d+ server order\n {2}not sent Nothing says that order is safe to repeat\./);
    expect(stdout).toMatch(/2 replayed: 1 better, 1 as before; 1 not sent\n$/);
  });

  it('sends what may do harm when it is told to', async () => {
    const { code, stdout } = await replay('--yes-unsafe', '--filter', 'tool:order', ...server());
    expect({ code, orders: executions('order').length }).toEqual({ code: 0, orders: 1 });
    expect(stdout).toContain('result   same: tool error, as before');
  });

  it('fails when a call came out worse', async () => {
    const better = path.join(folder, 'better.sqlite');
    await cli('call', '--log', better, 'lookup', '{"isbn":"1"}', ...server(0));
    forget();
    const { code, stdout } = await cli('replay', better, '--trust', '--json', ...server(5));
    const [call, summary] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, verdict: call.verdict, change: call.change, summary }).toEqual({
      code: 1,
      verdict: 'worse',
      change: 'success → tool error',
      summary: { summary: { better: 0, same: 0, worse: 1, failed: 0, unsent: 0 } },
    });
  });

  it('gives each call a process of its own that is gone afterwards', async () => {
    const { code } = await replay('--fresh', '--trust', '--policy', 'none', ...server());
    const pids = [...executions('lookup'), ...executions('whoami')];
    expect({ code, pids: new Set(pids).size }).toEqual({ code: 0, pids: 2 });
    const alive = pids.filter((pid) => {
      try {
        return process.kill(Number(pid), 0);
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
    forget();
    await replay('--trust', '--policy', 'none', ...server());
    expect(new Set([...executions('lookup'), ...executions('whoami')]).size).toBe(1);
  });

  it('records replays beside their originals, and does not replay those', async () => {
    await replay('--trust', '--policy', 'none', '--record', log, '--filter', 'tool:whoami', ...server());
    const { stdout } = await cli('show', '--log', log, '--filter', 'has:replay');
    expect(stdout).toMatch(/tools\/call "whoami".*\(replay\).*replays #\d+/);
    const again = await replay('--dry-run', '--trust', '--json', '--filter', 'tool:whoami', ...server());
    expect(again.stdout.trim().split('\n')).toHaveLength(1);
  });

  it('ends quickly when it is interrupted, and says so', async () => {
    const hanging = path.join(folder, 'hanging.sqlite');
    await cli('call', '--log', hanging, '--timeout-ms', '200', 'hang', '{}', ...server());
    forget();
    const child = startCli(['replay', hanging, '--trust', ...server()], { cwd: folder, env: environment() });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const closed = new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => executions('hang').length, { timeout: 20_000 }).toBe(1);
    child.kill('SIGINT');
    expect(await closed).toBe(1);
    expect(stdout).toContain('Cancelled after attempt 1, which ended as cancelled.');
    expect(stdout).toContain('1 replayed: 1 without an end');
  });

  it.each([
    [['--policy', 'mild'], 'There is no policy mild; there are configured, none, gentle, persistent.'],
    [['--filter', 'tool:nothing'], 'no recorded call is meant'],
    [['--filter', 'nonsense:'], '--filter'],
    [['--server', 'nowhere'], 'there is no usable server nowhere'],
  ])('could not do %j', async (words, problem) => {
    const { code, stderr } = await replay(...words);
    expect({ code, isTold: stderr.includes(problem) }).toEqual({ code: 2, isTold: true });
  });

  it('replays what was recorded over HTTP onto the address that it is given, and names the recorded one', async () => {
    const fixture = await startHttp();
    const recorded = path.join(folder, 'http.sqlite');
    await cli('call', '--log', recorded, '--url', fixture.url, 'work', '{}');
    const without = await cli('replay', recorded);
    expect({ code: without.code, isNamed: without.stdout.includes(`it was recorded at --url ${fixture.url}`) }).toEqual(
      {
        code: 2,
        isNamed: true,
      },
    );
    const { code, stdout } = await cli('replay', recorded, '--yes-unsafe', '--url', fixture.url);
    expect({ code, isSame: stdout.includes('result   same: success, as before') }).toEqual({ code: 0, isSame: true });
    const har = path.join(folder, 'http.har');
    await cli('export', '--log', recorded, '--format', 'har', '-o', har);
    const ofHar = await cli('replay', har, '--yes-unsafe', '--url', fixture.url, '--json');
    const [replayed] = ofHar.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code: ofHar.code, replayed }).toMatchObject({ code: 0, replayed: { target: 'work', verdict: 'same' } });
    await fixture.close();
  });
});
