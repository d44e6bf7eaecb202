import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

// Without types; what is read is told by the interfaces below.
const { load } = createRequire(import.meta.url)('js-yaml') as { load(yaml: string): unknown };

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly name?: string;
      readonly uses?: string;
      readonly shell?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly types_or: readonly string[];
}

const action = load(read('action.yml')) as Action;
const hooks = load(read('.pre-commit-hooks.yaml')) as readonly Hook[];
const lintStep = action.runs.steps.find(({ name }) => name === 'Lint');

const typescriptServer = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "shop", version: "1" });
server.registerTool("get_author", { annotations: { readOnlyHint: true } }, async ({ title }) => {
  return { content: [{ type: "text", text: "Error: no such book" }] };
});
`;

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

/** The step's variables as the runner fills them in: from the inputs, or what `action.yml` says they are else. */
function environment(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inputNamed = (name: string) => {
    const input = action.inputs[name];
    if (input === undefined) {
      throw new Error(`action.yml has no input ${name}`);
    }
    return given[name] ?? input.default ?? '';
  };
  return Object.fromEntries(
    Object.entries(lintStep?.env ?? {}).map(([name, value]) => [
      name,
      value
        .replace(/\$\{\{ github\.action_path \}\}/g, root)
        .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputNamed(input)),
    ]),
  );
}

async function runAction(inputs: { readonly paths: string; readonly maxWarnings?: string; readonly sarif?: string }) {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', lintStep?.run ?? 'exit 3'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`,
      ...environment({ paths: inputs.paths, 'max-warnings': inputs.maxWarnings, 'sarif-file': inputs.sarif }),
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

describe('action.yml', () => {
  it('is a composite action whose every script has a shell, and gives it no text of an input', () => {
    expect(action.runs.using).toBe('composite');
    const scripts = action.runs.steps.filter(({ run }) => run !== undefined);
    expect(scripts.map(({ shell, run }) => [shell, run?.includes('${{')])).toEqual([
      ['bash', false],
      ['bash', false],
    ]);
  });

  it('uses every input', () => {
    const used = Object.values(lintStep?.env ?? {}).flatMap((value) => /inputs\.([\w-]+)/.exec(value)?.[1] ?? []);
    expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
  });
});

/** Tags of the library `identify`, by which pre-commit chooses files, of the languages that are linted. */
const LINTED_TAGS = [
  'python',
  'pyi',
  'ts',
  'tsx',
  'javascript',
  'jsx',
  'go',
  'c#',
  'java',
  'kotlin',
  'rust',
  'php',
  'ruby',
];

describe('.pre-commit-hooks.yaml', () => {
  it('offers to lint and to mend', () => {
    expect(hooks.map(({ id, language, types_or }) => [id, language, types_or])).toEqual([
      ['faultline', 'node', LINTED_TAGS],
      ['faultline-fix', 'node', LINTED_TAGS],
    ]);
  });

  it.each(hooks.map(({ id, entry }) => [id, entry] as const))(
    '%s runs on the files that pre-commit names',
    async (id, entry) => {
      const file = path.join(folder, `${id}.ts`);
      writeFileSync(file, typescriptServer);
      // As pre-commit runs a hook: the words of its entry, its arguments, then files, without a shell.
      const [command, ...words] = entry.split(' ');
      expect(command).toBe('faultline');
      const { code, stdout, stderr } = await runCli([...words, file, 'with space/server.py'], { cwd: folder });
      expect(code).toBe(1);
      expect(stdout).toContain('with space/server.py:6:5 warning');
      const isMended = readFileSync(file, 'utf8').includes('isError: true');
      expect([isMended, stderr.includes('fixed 1 finding')]).toEqual(
        id === 'faultline-fix' ? [true, true] : [false, false],
      );
    },
  );
});

describe('an install from git, as pre-commit makes it', () => {
  const manifest = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly bin: Readonly<Record<string, string>>;
  };

  it('builds the command that hooks run, and packs it', () => {
    expect(manifest.scripts['prepare']).toBe('node test/tools/prepare.mjs');
    expect(manifest.bin['faultline']).toBe('./dist/cli.js');
    expect(read('.npmignore')).toMatch(/^!\/dist\/$/m);
  });

  it('builds nothing in a checkout', async () => {
    const env = { ...process.env };
    delete env['npm_config_global'];
    delete env['_PACOTE_NO_PREPARE_'];
    // A build would not get far: its sources are elsewhere.
    const script = path.join(folder, 'checkout/test/tools/prepare.mjs');
    mkdirSync(path.dirname(script), { recursive: true });
    writeFileSync(script, read('test/tools/prepare.mjs'));
    const exitCode = (variables: NodeJS.ProcessEnv) =>
      new Promise((resolve) => {
        spawn(process.execPath, [script], { env: variables, stdio: 'ignore' }).once('close', resolve);
      });
    expect(await exitCode(env)).toBe(0);
    const npm = path.join(folder, 'checkout/npm.mjs');
    writeFileSync(
      npm,
      'process.exit(process.argv.slice(2, 3).includes("ci") && !process.env.npm_config_global ? 7 : 8);\n',
    );
    for (const clone of [{ npm_config_global: 'true' }, { _PACOTE_NO_PREPARE_: 'git+file:///x' }]) {
      expect(await exitCode({ ...env, ...clone, npm_execpath: npm })).toBe(7);
    }
  });
});
