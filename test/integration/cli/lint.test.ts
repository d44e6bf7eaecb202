import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FindingRecord } from '../../../src/cli/formats/lintReport.ts';
import { runCli } from './runCli.ts';

const demoWorkspace = path.resolve(import.meta.dirname, '../../../media/demo-workspace');

const server = `from mcp.server.fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
def get_author(title: str) -> str:
    return f"Error: no book titled '{title}'"
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-lint-'));
  mkdirSync(path.join(folder, 'src/node_modules'), { recursive: true });
  mkdirSync(path.join(folder, 'clean'));
  writeFileSync(path.join(folder, 'src/server.py'), server);
  writeFileSync(path.join(folder, 'src/node_modules/server.py'), server);
  writeFileSync(path.join(folder, 'clean/plain.py'), 'print("hello")\n');
  writeFileSync(path.join(folder, 'README.md'), '# Shop\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const lint = (...args: readonly string[]) => runCli(['lint', ...args], { cwd: folder });

describe('faultline lint', () => {
  it('prints a line for each finding and fails', async () => {
    const { code, stdout, stderr } = await lint();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(
      /^src\/server\.py:8:5 warning .* FL001 returned-error, high confidence\n1 finding in 2 files\.\n$/,
    );
  });

  it('finds every bad tool of the demo workspace, and none of the good ones', async () => {
    const { code, stdout } = await lint('--format', 'json', demoWorkspace);
    const findings = JSON.parse(stdout) as readonly FindingRecord[];
    expect(code).toBe(1);
    expect(findings.map((finding) => [path.basename(finding.file), finding.tool, finding.rule])).toEqual([
      ['server.py', 'get_author', 'FL001'],
      ['server.py', 'get_price', 'FL001'],
      ['server.py', 'read_orders', 'FL001'],
      ['server.ts', 'get_author', 'FL001'],
      ['server.ts', 'read_orders', 'FL001'],
    ]);
  });

  it.each<[readonly string[], number]>([
    [['clean'], 0],
    [['--max-warnings', '1', '.'], 0],
    [['--max-warnings', '0', '.'], 1],
    [['--confidence', 'high', 'src'], 1],
    [['README.md', 'clean'], 0],
    [['gone.py'], 2],
    [['src', 'gone'], 2],
  ])('exits for %j with %i', async (args, expected) => {
    expect((await lint(...args)).code).toBe(expected);
  });

  it('says what it left out and what it missed', async () => {
    const { stdout, stderr } = await lint('README.md', 'gone.py', 'src/server.py');
    expect(stderr).toBe(
      'faultline: README.md: skipped, not in a language that is linted\nfaultline: gone.py: not found\n',
    );
    expect(stdout).toContain('1 finding in 1 file.\n');
  });

  it.each([
    ['json', /^\[\n/],
    ['sarif', /"version": "2\.1\.0"/],
    ['github', /^::warning file=src\/server\.py,line=8,/],
  ])('speaks %s', async (format, expected) => {
    expect((await lint('--format', format)).stdout).toMatch(expected);
  });
});
