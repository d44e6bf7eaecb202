import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startCli } from './runCli.ts';

function record(id: string, result: object): string {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_author', arguments: {} } };
  return JSON.stringify({ id, transport: 'stdio', request, response: { jsonrpc: '2.0', id: 1, result } });
}

const good = record('good', { content: [{ type: 'text', text: 'Frank Herbert' }] });
const silent = record('silent', { content: [{ type: 'text', text: "Error: no book titled 'Dun'" }] });
const hostile = record('\u001b[2J', { content: [{ type: 'text', text: 'x' }], isError: true });

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-explain-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('faultline explain', () => {
  it('prints one JSON object for each exchange of stdin', async () => {
    const { code, stdout, stderr } = await runCli(['explain', '--format', 'json'], { input: `${good}\r\n\n${silent}` });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { id: 'good', outcome: 'success', retry: 'never', signals: [] },
      { id: 'silent', outcome: 'silent_error', retry: expect.any(String), signals: expect.any(Array) },
    ]);
    expect(lines[1].signals[0]).toMatchObject({ pointer: '/result/content/0/text', strength: 'strong' });
  });

  it('tells a person why, from a file', async () => {
    writeFileSync(path.join(folder, 'wire.jsonl'), `${silent}\n`);
    const { code, stdout } = await runCli(['explain', 'wire.jsonl'], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^silent: silent error\n {2}why {6}.*isError is not set.*\n(.*\n)* {2}retry {4}/);
  });

  it('names bad lines and judges the others', async () => {
    const input = ['{', good, '"text"', '{}'].join('\n');
    const { code, stdout, stderr } = await runCli(['explain'], { input });
    expect(code).toBe(2);
    expect(stdout).toContain('good: success\n');
    expect(stderr.match(/line \d+/g)).toEqual(['line 1', 'line 3', 'line 4']);
  });

  it('cannot run without its file', async () => {
    const { code, stdout, stderr } = await runCli(['explain', 'gone.jsonl'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('gone.jsonl cannot be read');
  });

  it('obeys NO_COLOR over FORCE_COLOR, and colours when forced', async () => {
    const run = (env: Readonly<Record<string, string>>) => runCli(['explain'], { input: good, env });
    expect((await run({ FORCE_COLOR: '1' })).stdout).toContain('\u001b[32msuccess\u001b[39m');
    expect((await run({ NO_COLOR: '1' })).stdout).toBe('good: success\n');
    expect((await run({})).stdout).toBe('good: success\n');
  });

  it('lets no control character of a server through to the terminal', async () => {
    const { stdout } = await runCli(['explain'], { input: hostile });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('\\u001b[2J: tool error');
  });

  it('ends quietly when its reader goes away', async () => {
    const child = startCli(['explain', '--format', 'json']);
    const stderr: string[] = [];
    child.stderr.on('data', (chunk) => stderr.push(String(chunk)));
    child.stdin.on('error', () => undefined);
    child.stdout.once('data', () => child.stdout.destroy());
    const closed = new Promise((resolve) => {
      child.once('close', resolve);
    });
    child.stdin.end(`${silent}\n`.repeat(20_000));
    expect(await closed).toBe(0);
    expect(stderr.join('')).toBe('');
  });
});
