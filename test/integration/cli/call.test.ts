import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCommand, demoServer, runCli } from './runCli.ts';

/** A variable as `mcp.json` writes it. */
const variable = (name: string) => ['$', '{', name, '}'].join('');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-call-'));
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(path.join(folder, '.env'), 'FROM_FILE=1\n');
  const bookshop = {
    command: process.execPath,
    args: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', demoServer],
    envFile: `${variable('workspaceFolder')}/.env`,
  };
  const text = JSON.stringify({
    servers: {
      bookshop,
      gone: { command: 'no-such-program-anywhere' },
      unresolved: { command: 'node', args: [variable('env:NOT_SET_ANYWHERE')] },
      broken: { type: 'carrier-pigeon' },
    },
  });
  writeFileSync(path.join(folder, '.vscode/mcp.json'), `// comments are allowed\n${text}`);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const call = (...words: readonly string[]) => runCli(['call', ...words], { cwd: folder });

describe('faultline call', () => {
  it('prints the answer of a server of .vscode/mcp.json', async () => {
    const { code, stdout } = await call('bookshop', 'get_author', '{"title":"Dune"}');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^success in \d+ ms: bookshop get_author\n\nFrank Herbert\n$/);
  });

  it('prints the whole outcome as JSON, and fails with a failed call', async () => {
    const words = ['get_author', '{"title":"Dun"}', '--format', 'json'];
    const { code, stdout, stderr } = await call('--command', demoCommand, ...words);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'silent_error',
      detail: { end: { kind: 'result' } },
      attempts: [{ number: 1, outcome: 'silent_error' }],
    });
  });

  it.each([
    ['order_book', '{"title":"Dune","quantity":60}', 0, 'input required'],
    ['appraise_collection', '{"boxes":1}', 0, 'task pending'],
    ['order_book', '{"title":"Dune","quantity":0}', 1, 'tool error'],
    ['get_sales', '{"month":"1"}', 1, 'protocol error'],
    ['reindex_catalogue', '{}', 1, 'transport error'],
  ])('exits for %s %s with %i, %s', async (tool, args, expected, outcome) => {
    const { code, stdout } = await call('bookshop', tool, args);
    expect({ code, outcome: stdout.split(' in ')[0] }).toEqual({ code: expected, outcome });
  });

  it('retries only a server that is trusted', async () => {
    const words = ['bookshop', 'flaky_lookup', '{"isbn":"1"}', '--timeout-ms', '300', '--format', 'json'];
    const [trusted, untrusted] = await Promise.all([call(...words, '--trust'), call(...words)]);
    const outcomes = (stdout: string) =>
      (JSON.parse(stdout) as { attempts: { outcome: string }[] }).attempts.map((attempt) => attempt.outcome);
    expect(outcomes(trusted.stdout)).toEqual(['timeout', 'protocol_error', 'success']);
    expect(outcomes(untrusted.stdout)).toEqual(['timeout']);
    expect([trusted.code, untrusted.code]).toEqual([0, 1]);
  });

  it('shows the last words of a server that dies', async () => {
    const { stdout } = await call('bookshop', 'reindex_catalogue');
    expect(stdout).toContain('stderr: reindex: out of memory while merging segment 4\n');
  });

  it('tells of a program that is not there', async () => {
    const { code, stdout } = await call('gone', 'x');
    expect(code).toBe(1);
    expect(stdout).toContain('no-such-program-anywhere');
  });

  it('records events where it is told to', async () => {
    const { code, stderr } = await call('--command', demoCommand, 'search_books', '--log', 'events.sqlite');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(existsSync(path.join(folder, 'events.sqlite'))).toBe(true);
  });

  it.each<[readonly string[], string]>([
    [['nobody', 'x'], 'there is no usable server nobody'],
    [['unresolved', 'x'], variable('env:NOT_SET_ANYWHERE')],
    [['broken', 'x'], 'carrier-pigeon'],
    [['get_author'], 'name a server and a tool'],
    [['bookshop', 'x', '{"a":'], 'not valid JSON'],
    [['bookshop', 'x', '[]'], 'must be a JSON object'],
    [['x', '--url', 'ftp://example.com'], '--url must be an http or https URL'],
    [['x', '--command', 'node "server'], 'open quote'],
  ])('cannot call %j', async (words, problem) => {
    const { code, stdout, stderr } = await call(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });

  it('cannot look up a server where there is no file', async () => {
    const { code, stderr } = await runCli(['call', 'bookshop', 'x'], { cwd: tmpdir() });
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be read');
  });
});
