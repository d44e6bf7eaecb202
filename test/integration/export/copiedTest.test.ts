import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CopySource } from '../../../src/core/export/copyAs/copySource.ts';
import { copyAsVitest } from '../../../src/core/export/copyAs/vitestTest.ts';
import { serverPath } from '../demo/rawClient.ts';

const root = path.resolve(import.meta.dirname, '../../..');
/** Within the project, so that the generated tests find the SDK and vitest as a user's own would. */
const folder = path.join(root, `test/out/copied-${process.pid}`);

const base: CopySource = {
  server: {
    name: 'bookshop',
    isInMcpJson: false,
    transport: { type: 'stdio', command: process.execPath, args: [serverPath], env: {} },
  },
  initiator: 'client',
  method: 'tools/call',
  outcome: 'success',
  isVolatile: () => false,
};

const content = (text: string) => ({ content: [{ type: 'text', text }] });

/** What was recorded of the demo server, each kind of end once. */
const recorded: Readonly<Record<string, CopySource>> = {
  success: { ...base, params: { name: 'get_author', arguments: { title: 'dune' } }, result: content('Frank Herbert') },
  silent: {
    ...base,
    params: { name: 'get_author', arguments: { title: 'Dun' } },
    outcome: 'silent_error',
    result: content("Error: no book titled 'Dun'"),
  },
  toolError: {
    ...base,
    params: { name: 'get_book', arguments: { isbn: '1' } },
    outcome: 'tool_error',
    result: { ...content('No book has ISBN 1. Use search_books to find it.'), isError: true },
  },
  refused: {
    ...base,
    method: 'resources/read',
    params: { uri: 'nothing://here' },
    outcome: 'protocol_error',
    error: { code: -32601, message: 'Method not found' },
  },
  crash: { ...base, params: { name: 'reindex_catalogue', arguments: {} }, outcome: 'transport_error' },
};

/** Runs the generated tests in a vitest of their own: the names of those that pass, and all that it said. */
async function run(): Promise<{ readonly passed: readonly string[]; readonly output: string }> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const file = path.join(folder, 'report.json');
  const args = [vitest, 'run', '--root', folder, '--reporter', 'json', '--outputFile', file];
  // One of them fails on purpose, and with it the run.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const report = JSON.parse(await readFile(file, 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly status: string; readonly message: string }[];
  };
  const passed = report.testResults.filter(({ status }) => status === 'passed').map(({ name }) => path.basename(name));
  return { passed: passed.sort(), output: `${stdout}${stderr}${JSON.stringify(report.testResults, undefined, 2)}` };
}

describe('a test copied from an exchange', () => {
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'vitest.config.mjs'), 'export default {};\n');
    await Promise.all(
      Object.entries(recorded).map(async ([name, source]) => {
        const copied = copyAsVitest(source);
        await writeFile(path.join(folder, `${name}.test.ts`), 'text' in copied ? copied.text : copied.refusal);
      }),
    );
    const other = copyAsVitest({ ...base, params: recorded['success']?.params ?? {}, result: content('Jane Austen') });
    await writeFile(path.join(folder, 'other.test.ts'), 'text' in other ? other.text : other.refusal);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('passes as long as the server does what was recorded, and fails when it does not', async () => {
    const { passed, output } = await run();
    expect(passed, output).toEqual(
      Object.keys(recorded)
        .map((name) => `${name}.test.ts`)
        .sort(),
    );
  });
});
