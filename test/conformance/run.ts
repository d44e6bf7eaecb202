/**
 * `npm run test:conformance [-- NAME…]`: every client scenario of `@modelcontextprotocol/conformance`, of the release and of the
 * alpha that knows 2026-07-28, each at every revision that it lists. They are installed outside of the project
 * (`.vscode-test/conformance…`); the results go to `docs/conformance.md`. Ends with 1 when one failed of which it is not known why.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { KNOWN_FAILURES } from './knownFailures.ts';

const root = path.resolve(import.meta.dirname, '../..');
const say = (text: string) => process.stderr.write(`${text}\n`);
const SUITES = [
  { version: '0.1.16', folder: 'conformance' },
  { version: '0.2.0-alpha.12', folder: 'conformance-next' },
] as const;
const AT_ONCE = 2;

interface Scenario {
  readonly suite: (typeof SUITES)[number];
  readonly name: string;
  /** Absent for extensions and drafts, which have none. */
  readonly revision: string | undefined;
}

interface Result extends Scenario {
  readonly passed: number;
  readonly of: number;
  readonly isPassed: boolean;
  readonly failures: readonly string[];
}

const folderOf = (suite: Scenario['suite']) => path.join(root, '.vscode-test', suite.folder);
const binaryOf = (suite: Scenario['suite']) =>
  path.join(folderOf(suite), 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

function install(suite: Scenario['suite']): void {
  if (existsSync(binaryOf(suite))) {
    return;
  }
  const folder = folderOf(suite);
  mkdirSync(folder, { recursive: true });
  const dependencies = { '@modelcontextprotocol/conformance': suite.version };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  say(`installing ${suite.version}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const { status } = spawnSync('npm', ['install', ...flags], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    throw new Error(`npm could not install ${suite.version}`);
  }
}

/** The client scenarios that a suite lists, each with its revisions in brackets. */
function scenariosOf(suite: Scenario['suite']): readonly Scenario[] {
  const { stdout } = spawnSync(process.execPath, [binaryOf(suite), 'list'], { encoding: 'utf8' });
  const section = stdout.split('Client scenarios')[1]?.split('\n\n')[0] ?? '';
  return [...section.matchAll(/^ {2}- (\S+) \[([^\]]*)\]/gm)].flatMap(([, name = '', listed = '']): Scenario[] => {
    const revisions = listed.split(',').filter((revision) => /^\d/.test(revision));
    return revisions.length === 0
      ? [{ suite, name, revision: undefined }]
      : revisions.map((revision) => ({ suite, name, revision }));
  });
}

function run(scenario: Scenario): Promise<Result> {
  const { suite, name, revision } = scenario;
  const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--disable-warning=ExperimentalWarning'];
  const command = [process.execPath, ...flags, path.join(import.meta.dirname, 'client.ts')].join(' ');
  const version = revision === undefined ? [] : ['--spec-version', revision];
  const args = ['client', '--command', command, '--scenario', name, '--timeout', '60000', ...version];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [binaryOf(suite), ...args], { cwd: folderOf(suite) });
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('close', (code) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out of what was printed.
      const text = output.replace(/\u001b\[\d+m/g, '');
      const [, passed = '0', of = '0'] = /Passed: (\d+)\/(\d+)/.exec(text) ?? [];
      const failures = [...text.matchAll(/\[([\w-]+)\s*\] FAILURE/g)].map(([, check = '']) => check);
      const why = failures.length === 0 && code !== 0 ? [text.trim().split('\n').at(-1) ?? `ended with ${code}`] : [];
      resolve({
        ...scenario,
        passed: Number(passed),
        of: Number(of),
        isPassed: code === 0,
        failures: [...new Set([...failures, ...why])],
      });
    });
  });
}

const reasonOf = ({ suite, name, revision }: Scenario) =>
  KNOWN_FAILURES.find(
    (known) =>
      known.scenario === name &&
      (known.suite === undefined || known.suite === suite.version) &&
      (known.revision === undefined || known.revision === revision),
  )?.reason;

function resultOf({ isPassed, of }: Result): string {
  return isPassed ? (of === 0 ? 'nothing checked' : 'passed') : 'failed';
}

function report(results: readonly Result[]): string {
  const line = (result: Result) => {
    const why = result.isPassed ? '' : (reasonOf(result) ?? result.failures.join(', '));
    return `| ${result.suite.version} | ${result.name} | ${result.revision ?? 'extension'} | ${result.passed}/${result.of} | ${resultOf(result)} | ${why} |`;
  };
  const passed = results.filter(({ isPassed }) => isPassed).length;
  return `# Conformance

Written by \`npm run test:conformance\`: the client scenarios of \`@modelcontextprotocol/conformance\`, installed outside of the
project, against the product's own client with its own authorizer, but for the client credentials scenarios, which have no person in
them and run with a provider of the SDK (\`test/conformance/client.ts\`). ${passed} of ${results.length} passed.

| suite | scenario | revision | checks | result | why not |
| --- | --- | --- | --- | --- | --- |
${results.map(line).join('\n')}
`;
}

const wanted = process.argv.slice(2);
const scenarios = SUITES.flatMap((suite) => {
  install(suite);
  return scenariosOf(suite);
}).filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const results: Result[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let index = next++; index < scenarios.length; index = next++) {
      const scenario = scenarios[index];
      if (scenario !== undefined) {
        const result = await run(scenario);
        results[index] = result;
        const known = result.isPassed
          ? ''
          : ` ${result.failures.join(', ')}${reasonOf(result) === undefined ? '' : ' (known)'}`;
        say(
          `${result.isPassed ? 'ok    ' : 'FAILED'} ${result.suite.version} ${result.name} ${result.revision ?? ''} ${result.passed}/${result.of}${known}`,
        );
      }
    }
  }),
);
if (wanted.length === 0) {
  writeFileSync(path.join(root, 'docs', 'conformance.md'), report(results));
}
process.exit(results.every((result) => result.isPassed || reasonOf(result) !== undefined) ? 0 : 1);
