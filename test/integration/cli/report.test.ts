import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { reportSchema } from '../../../src/protocol/report.ts';
import { reportSession } from '../../golden/reportSession.ts';
import { runCli } from './runCli.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const session = path.join(root, 'test/fixtures/golden/sessions/demo.faultline.jsonl');

let folder: string;
const at = (name: string) => path.join(folder, name);
const report = (...args: readonly string[]) => runCli(['report', ...args], { cwd: folder });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-report-'));
  cpSync(session, at('demo.faultline.jsonl'));
  cpSync(path.join(root, 'media/demo-workspace/server.py'), at('server.py'));
  const log = openEventLog({ path: at('log.sqlite'), clock: systemClock });
  for (const { seq: _, ...event } of reportSession(4000)) {
    log.append(event);
  }
  log.flush();
  log.dispose();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('faultline report', () => {
  it('tells of a session file as Markdown, with the line of the source and the command for the rows', async () => {
    const { code, stdout, stderr } = await report('demo.faultline.jsonl');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^# MCP usability report\n/);
    expect(stdout).toMatch(
      /1\. \*\*Failures that look like successes\*\* · `get_author`.*\n.*Look at server\.py:\d+ \(FL001\)\./,
    );
    expect(stdout).toContain("`faultline show demo.faultline.jsonl --filter 'tool:order_book is:failure'`");
    expect(stdout).toMatch(/- 1× \/quantity from 0 to 2 · `#\d+` `#\d+`/);
  });

  it('tells of a log as JSON of the form that is written down', async () => {
    const { code, stdout } = await report('--log', 'log.sqlite', '--format', 'json', '--no-source');
    expect(code).toBe(0);
    const made = reportSchema.parse(JSON.parse(stdout));
    expect(made.totals.calls).toBe(4000);
    expect(made.scope.sessions).toHaveLength(3);
    expect(made.agents.map(({ client }) => client)).toEqual(['cursor', 'claude-code', '']);
    expect(stdout).not.toContain('sk-live');
  });

  it('writes a page by the name of the file, for its owner alone', async () => {
    const { code, stdout } = await report('--log', 'log.sqlite', '-o', 'out.html', '--no-source');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(readFileSync(at('out.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(process.platform === 'win32' || (statSync(at('out.html')).mode & 0o077) === 0).toBe(true);
  });

  it('tells of what a filter lets pass, of a session and of a time alone', async () => {
    const calls = async (...args: readonly string[]) =>
      reportSchema.parse(
        JSON.parse((await report('--log', 'log.sqlite', '--format', 'json', '--no-source', ...args)).stdout),
      ).totals;
    const [ofTool, ofSession, none] = await Promise.all([
      calls('--filter', 'tool:create_order is:failure'),
      calls('2026-12-02'),
      calls('--since', '2100-01-01'),
    ]);
    expect(ofTool.failures).toBe(ofTool.calls);
    expect(ofTool).toMatchObject({ tools: 1 });
    expect(ofSession.calls).toBe(1500);
    expect(none.calls).toBe(0);
  });

  it('compares sessions, periods and reports that were written before', async () => {
    await report('2026-12-01', '--log', 'log.sqlite', '-o', 'before.json', '--no-source');
    const made = await report('--log', 'log.sqlite', '--compare', 'before.json', '2026-12-02');
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/\| failed calls \| \d+(\.\d)? % of 1,500 \| \d+(\.\d)? % of 1,500 \|/);
    const periods = await report(
      '--log',
      'log.sqlite',
      '--compare',
      '..2000-01-01',
      '2000-01-01..',
      '--format',
      'json',
    );
    expect(JSON.parse(periods.stdout)).toMatchObject({ before: { calls: 0 }, after: { calls: 4000 } });
  });

  it.each([
    ['a filter that cannot be read', ['--filter', 'nope:1'], '--filter: '],
    ['a moment that is none', ['--since', 'tomorrow or later'], '--since: "tomorrow or later" is no moment'],
    ['one side', ['--compare', 'a'], '--compare takes two sides'],
    ['a period that ends before it begins', ['--compare', '1d..2d', '..'], '1d..2d ends before it begins'],
    ['no such session', ['gone'], 'there is no session gone'],
    ['a report that is none', ['--compare', 'no.json', '..'], 'no.json is no report'],
    ['no place to write to', ['-o', 'no/such/folder.md', '--no-source'], 'nothing was written: '],
  ])('says what is wrong with %s', async (_, args, problem) => {
    writeFileSync(at('no.json'), '{}');
    const { code, stdout, stderr } = await report('--log', 'log.sqlite', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`faultline: ${problem}`);
  });

  it('goes on with a file of which not all can be read, and says so', async () => {
    writeFileSync(at('cut.faultline.jsonl'), readFileSync(session, 'utf8').slice(0, 60_000));
    const { code, stdout, stderr } = await report('cut.faultline.jsonl', '--no-source');
    expect(code).toBe(2);
    expect(stdout).toContain('# MCP usability report');
    expect(stderr).toContain('faultline: ');
    expect(existsSync(at('cut.faultline.jsonl.part'))).toBe(false);
  });
});
