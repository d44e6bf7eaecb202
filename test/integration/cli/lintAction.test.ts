import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './runCli.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const server = `from mcp.server.fastmcp import FastMCP
mcp = FastMCP("shop")

@mcp.tool()
def get_author(title: str) -> str:
    return f"Error: no book titled '{title}'"
`;

/** The script of the action's last step, as the runner gives it to bash. */
function lintScript(): string {
  const [, script = ''] = read('action.yml').split(/- name: Lint\n[\s\S]*?run: \|\n/);
  return script.replace(/^ {8}/gm, '');
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-action-'));
  mkdirSync(path.join(folder, 'with space'));
  mkdirSync(path.join(folder, 'clean'));
  writeFileSync(path.join(folder, 'with space/server.py'), server);
  writeFileSync(path.join(folder, 'clean/plain.py'), 'print("hello")\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function runAction(inputs: { readonly paths: string; readonly maxWarnings?: string; readonly sarif?: string }) {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', lintScript()], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`,
      FAULTLINE_CLI: path.join(root, 'src/cli/main.ts'),
      FAULTLINE_PATHS: inputs.paths,
      FAULTLINE_CONFIDENCE: '',
      FAULTLINE_MAX_WARNINGS: inputs.maxWarnings ?? '',
      FAULTLINE_SARIF_FILE: inputs.sarif ?? '',
    },
  });
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

describe('the GitHub Action', () => {
  it('annotates the findings of every path and fails', async () => {
    const { code, stdout, stderr } = await runAction({ paths: 'clean\nwith space\n' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^::warning file=with space\/server\.py,line=6,/m);
  });

  it('passes with the warnings that are tolerated, and writes them all down', async () => {
    const { code } = await runAction({ paths: '.', maxWarnings: '5', sarif: 'out.sarif' });
    expect(code).toBe(0);
    const sarif = JSON.parse(readFileSync(path.join(folder, 'out.sarif'), 'utf8'));
    expect(sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain('FL001');
  });

  it('tells when it could not run', async () => {
    expect((await runAction({ paths: 'gone', sarif: 'none.sarif' })).code).toBe(2);
  });
});

describe('the pre-commit hooks', () => {
  it('run commands that there are', async () => {
    const entries = [...read('.pre-commit-hooks.yaml').matchAll(/^ {2}entry: faultline (.*)$/gm)].map(
      (match) => match[1],
    );
    expect(entries).toEqual(['lint', 'lint --fix']);
    const { stdout } = await runCli(['lint', '--help']);
    expect(stdout).toContain('--fix ');
  });
});
