import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FindingRecord } from '../../../src/cli/formats/lintReport.ts';
import { isSarif } from '../../unit/support/sarifSchema.ts';
import { runCli } from './runCli.ts';

const demoWorkspace = path.resolve(import.meta.dirname, '../../../media/demo-workspace');

const server = `from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

mcp = FastMCP("shop")

@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
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
      /^src\/server\.py:8:5 warning .* FL001 returned-error, high confidence\nFL001: https:.*FL001\.md\n1 finding in 2 files\.\n$/,
    );
  });

  it.each(['medium', 'low'])(
    'finds the bad tools of the demo workspace and nothing in the good ones, with %s confidence',
    async (confidence) => {
      const { code, stdout } = await lint('--format', 'json', '--confidence', confidence, demoWorkspace);
      const findings = JSON.parse(stdout) as readonly FindingRecord[];
      expect(code).toBe(1);
      expect(findings.map(({ file, tool, rule }) => [path.basename(file), tool, rule])).toEqual([
        ['server.py', 'get_author', 'FL010'],
        ['server.py', 'get_author', 'FL001'],
        ['server.py', 'get_price', 'FL010'],
        ['server.py', 'get_price', 'FL001'],
        ['server.py', 'read_orders', 'FL010'],
        ['server.py', 'read_orders', 'FL001'],
        ['server.ts', 'get_author', 'FL010'],
        ['server.ts', 'get_author', 'FL001'],
        ['server.ts', 'read_orders', 'FL010'],
        ['server.ts', 'read_orders', 'FL001'],
      ]);
    },
  );

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
      'faultline: gone.py: not found\nfaultline: README.md: skipped, not in a language that is linted\n',
    );
    expect(stdout).toContain('1 finding in 1 file.\n');
  });

  it.each([
    ['json', /^\[\n/],
    ['github', /^::warning file=src\/server\.py,line=8,/],
  ])('speaks %s', async (format, expected) => {
    expect((await lint('--format', format)).stdout).toMatch(expected);
  });

  it('speaks SARIF by its schema, fixes and all', async () => {
    const log = JSON.parse((await lint('--format', 'sarif', '--confidence', 'low', demoWorkspace)).stdout);
    isSarif(log);
    expect(isSarif.errors).toBeNull();
    expect(log.runs[0].results.some(({ fixes }: { fixes?: unknown }) => fixes !== undefined)).toBe(true);
  });
});

describe('faultline lint --evidence', () => {
  const recording = path.resolve(import.meta.dirname, '../../fixtures/golden/sessions/demo.faultline.jsonl');
  // In the recording get_author fails silently once, at a time of its own.
  const evidence = { count: 1, last: '2026-01-01T00:00:00.316Z' };
  const withEvidence = (text: string, ...args: readonly string[]) =>
    runCli(['lint', '--evidence', recording, '--stdin', '--stdin-filename', 'shop.py', ...args], {
      cwd: folder,
      input: text,
    });

  it('counts on a finding how often its tools were seen failing silently', async () => {
    const { code, stdout } = await withEvidence(server, '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([{ rule: 'FL001', tool: 'get_author', evidence }]);
    expect((await withEvidence(server)).stdout).toContain('no error. Seen once, at 2026-01-01T00:00:00.316Z. FL001');
  });

  it('tells of a tool in whose source nothing was found', async () => {
    const elsewhere = server.replace(/return .*/, 'return ask(title)');
    const { code, stdout } = await withEvidence(elsewhere, '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        rule: 'silent_error',
        name: 'silent-error',
        severity: 'info',
        line: 7,
        column: 5,
        tool: 'get_author',
        evidence,
      },
    ]);
    const log = JSON.parse((await withEvidence(elsewhere, '--format', 'sarif')).stdout);
    isSarif(log);
    expect(isSarif.errors).toBeNull();
    expect(log.runs[0].tool.driver.rules[0].helpUri).toMatch(/outcomes\.md$/);
    expect(log.runs[0].results[0].properties.evidence).toEqual(evidence);
  });

  it('says nothing of other tools, and of findings about something else', async () => {
    const other = `${server.replace(/annotations=.*/, ')')}\n@mcp.tool(annotations=X)\ndef other() -> str:\n    return "Error: x"\n`;
    const findings = JSON.parse((await withEvidence(other, '--format', 'json')).stdout) as readonly FindingRecord[];
    expect(findings.map(({ rule, tool, evidence: seen }) => [rule, tool, seen?.count])).toEqual([
      ['FL010', 'get_author', undefined],
      ['FL001', 'get_author', 1],
      ['FL001', 'other', undefined],
    ]);
  });

  it.each([
    [
      'gone.jsonl',
      /^faultline: there is no file gone\.jsonl, and the extension has recorded nothing for this folder\n$/,
    ],
    ['log', /^faultline: the extension has recorded nothing for this folder\n$/],
    ['src/server.py', /^faultline: .*\n/],
  ])('cannot run with %s as a recording', async (name, problem) => {
    const { code, stderr } = await lint('--evidence', name, 'src');
    expect(code).toBe(2);
    expect(stderr).toMatch(problem);
  });
});

const typescript = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "shop", version: "1" });
server.registerTool("get_author", { annotations: { readOnlyHint: true } }, async ({ title }) => {
  if (!books[title]) {
    return { content: [{ type: "text", text: \`Error: no book \${title}\` }] };
  }
  return { content: [{ type: "text", text: books[title] }] };
});
`;
const mended = typescript.replace(
  'return { content: [{ type: "text", text: `Error',
  'return { isError: true, content: [{ type: "text", text: `Error',
);

describe('faultline lint in a folder of its own', () => {
  let own: string;
  const at = (file: string) => path.join(own, file);
  const run = (args: readonly string[], input = '') => runCli(['lint', ...args], { cwd: own, input });

  beforeEach(() => {
    own = mkdtempSync(path.join(tmpdir(), 'faultline-lint-own-'));
    writeFileSync(at('server.ts'), typescript);
  });

  afterEach(() => {
    rmSync(own, { recursive: true });
  });

  it('mends what is safe, and is clean then', async () => {
    const { code, stdout, stderr } = await run(['--fix']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'No findings in 1 file.\n',
      stderr: 'faultline: fixed 1 finding in 1 file\n',
    });
    expect(readFileSync(at('server.ts'), 'utf8')).toBe(mended);
  });

  it('mends nothing in a dry run, and leaves what is not safe alone', async () => {
    writeFileSync(at('server.py'), server);
    const { code, stderr, stdout } = await run(['--fix-dry-run', '--format', 'json']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'faultline: would fix 1 finding in 1 file\n' });
    expect((JSON.parse(stdout) as readonly FindingRecord[]).map(({ file }) => file)).toEqual(['server.py']);
    expect(readFileSync(at('server.ts'), 'utf8')).toBe(typescript);
  });

  it('does not fail for hints', async () => {
    writeFileSync(at('hint.py'), `${server.replace(/annotations=.*/, ')').replace('Error: no', 'A')}`);
    const { code, stdout } = await run(['--format', 'json', 'hint.py']);
    expect((JSON.parse(stdout) as readonly FindingRecord[]).map(({ rule, severity }) => [rule, severity])).toEqual([
      ['FL010', 'hint'],
    ]);
    expect(code).toBe(0);
  });

  it('does not write a file that is not UTF-8 throughout', async () => {
    const latin = Buffer.concat([Buffer.from(typescript), Buffer.from([0x2f, 0x2f, 0xe9, 0x0a])]);
    writeFileSync(at('server.ts'), latin);
    expect((await run(['--fix'])).code).toBe(1);
    expect(readFileSync(at('server.ts'))).toEqual(latin);
  });

  it('lints stdin as the file that it is said to be', async () => {
    const { code, stdout } = await run(['--stdin', '--stdin-filename', 'src/new.ts', '--format', 'json'], typescript);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([{ file: 'src/new.ts', line: 5, rule: 'FL001' }]);
  });

  it('gives stdin back mended, with the report on stderr', async () => {
    const { code, stdout, stderr } = await run(['--stdin', '--stdin-filename', 'new.ts', '--fix'], typescript);
    expect({ code, stdout }).toEqual({ code: 0, stdout: mended });
    expect(stderr).toContain('No findings in 1 file.');
  });

  it('cannot lint stdin without knowing its language', async () => {
    expect((await run(['--stdin'], typescript)).code).toBe(2);
  });

  it('takes the nearest configuration above each file', async () => {
    writeFileSync(at('faultline.config.json'), '{ "rules": { "FL001": "off" } } // comments are fine');
    expect((await run([])).code).toBe(0);
    mkdirSync(at('inner'));
    writeFileSync(at('inner/server.ts'), typescript);
    writeFileSync(at('inner/faultline.config.json'), '{ "rules": { "FL001": "error" } }');
    expect((await run(['--max-warnings', '9'])).stdout).toMatch(/^inner\/server\.ts:5:5 error /);
  });

  it('says what is wrong in a configuration, and fails', async () => {
    writeFileSync(at('faultline.config.json'), '{ "rules": { "FL999": "off" }, }');
    const { code, stderr, stdout } = await run([]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^faultline: faultline\.config\.json: .*FL999/);
    expect(stdout).toContain('1 finding in 1 file.');
  });

  it('leaves out what git ignores, what is too large, and what is no text', async () => {
    writeFileSync(at('.gitignore'), 'server.ts\n');
    writeFileSync(at('large.py'), `${server}${'# filler\n'.repeat(150_000)}`);
    writeFileSync(at('binary.py'), `mcp\0${server}`);
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No findings in 0 files.\n' });
    expect(stderr).toBe('faultline: binary.py: skipped, not text\nfaultline: large.py: skipped, larger than 1 MB\n');
  });
});
