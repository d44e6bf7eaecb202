// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { nodeFlags, say } from './bootstrap.mjs';
import { ensureBuild } from './build.mjs';
import { findOnPath } from './chromium.mjs';
import { inRoot, outRoot, root } from './paths.mjs';
import { run } from './processes.mjs';

/**
 * How a stage ended. `tests` is missing for a stage that is not made of tests.
 * @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Counts
 * @typedef {{ readonly name: string, readonly isPassed: boolean, readonly ms: number, readonly tests?: Counts, readonly why?: string }} StageResult
 * @typedef {{ readonly code: number, readonly tests?: Counts | undefined }} StageEnd
 * @typedef {{ readonly name: string, readonly needsVscode?: boolean, readonly hasTests?: boolean, readonly run: () => Promise<StageEnd> }} Stage
 */

/**
 * @param {string} script
 * @param {readonly string[]} args
 */
const runNode = (script, args) => run(process.execPath, [...nodeFlags, inRoot(script), ...args], { cwd: root });

/** A desktop VS Code needs a screen; where there is none, xvfb-run has one. */
function runApi() {
  const { FAULTLINE_CODE, FAULTLINE_DESKTOP, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const isDesktop = FAULTLINE_CODE !== undefined || FAULTLINE_DESKTOP === '1';
  const hasScreen = process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
  const xvfb = isDesktop && !hasScreen ? findOnPath(['xvfb-run']) : undefined;
  const command = [process.execPath, ...nodeFlags, inRoot('test/vscode/runApi.ts')];
  const [program = '', ...args] = xvfb === undefined ? command : [xvfb, '-a', ...command];
  return run(program, args, { cwd: root });
}

/**
 * A stage that is an entry of `scripts` in package.json.
 * @param {string} name
 * @returns {Stage}
 */
const scriptStage = (name) => ({
  name,
  run: async () => ({ code: await run(process.execPath, ['--run', name], { cwd: root }) }),
});

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Stage}
 */
const vitestStage = (name, args) => ({
  name,
  hasTests: true,
  run: async () => {
    const file = freshResult(name);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await runNode('node_modules/vitest/vitest.mjs', ['run', '--passWithNoTests', ...args, ...reporters]);
    const report = readJson(file);
    const tests = report && {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    };
    return { code, tests };
  },
});

/** Everything that `npm test` runs, in order: what fails soonest comes first. @type {readonly Stage[]} */
export const stages = [
  { name: 'build', run: () => ensureBuild(say).then(() => ({ code: 0 })) },
  scriptStage('lint'),
  scriptStage('types'),
  vitestStage('unit', ['--project', 'unit']),
  vitestStage('golden', ['--project', 'golden']),
  // One file more at a time than cores: these wait for processes, sockets and limits of time for a third of their time.
  vitestStage('integration', [
    '--project',
    'integration',
    `--maxWorkers=${Math.max(2, os.availableParallelism()) + 1}`,
  ]),
  { ...vitestStage('page', ['--config', 'test/vscode/page/vitest.config.mts']), needsVscode: true },
  {
    name: 'api',
    needsVscode: true,
    hasTests: true,
    run: async () => {
      const file = freshResult('api');
      const code = await runApi();
      return { code, tests: readJson(file) };
    },
  },
  { ...vitestStage('ui', ['--config', 'test/vscode/vitest.ui.config.mts']), needsVscode: true },
];

/**
 * Runs one stage; never rejects.
 * @param {Stage} stage
 * @returns {Promise<StageResult>}
 */
export async function runStage({ name, hasTests, run: runIt }) {
  const begun = Date.now();
  try {
    const { code, tests } = await runIt();
    return { ...judge(code, hasTests === true, tests), name, ms: Date.now() - begun };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, isPassed: false, why, ms: Date.now() - begun };
  }
}

/**
 * @param {number} code
 * @param {boolean} hasTests
 * @param {Counts | undefined} tests
 * @returns {Pick<StageResult, 'isPassed' | 'tests' | 'why'>}
 */
export function judge(code, hasTests, tests) {
  if (!hasTests) {
    return code === 0 ? { isPassed: true } : { isPassed: false, why: `ended with ${code}` };
  }
  if (tests === undefined) {
    return { isPassed: false, why: `ended with ${code} and no result` };
  }
  if (tests.passed + tests.failed === 0) {
    return { isPassed: false, tests, why: 'no test ran' };
  }
  if (tests.failed > 0) {
    return { isPassed: false, tests, why: 'tests failed' };
  }
  return code === 0 ? { isPassed: true, tests } : { isPassed: false, tests, why: `ended with ${code}` };
}

/**
 * The lines that close a run: one a stage, then the sum of all tests. A stage that failed without a failed test counts as
 * one, so that the sum never looks better than the run.
 * @param {readonly StageResult[]} results
 */
export function summary(results) {
  const lines = results.map(({ name, isPassed, ms, tests, why }) => {
    const counts = tests === undefined ? '' : countsText(tests);
    const notes = [counts, isPassed ? '' : `(${why ?? 'failed'})`].filter((text) => text !== '').join(' ');
    return `${isPassed ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${notes}`.trimEnd();
  });
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { isPassed, tests } of results) {
    const failed = tests?.failed ?? 0;
    total.passed += tests?.passed ?? 0;
    total.failed += isPassed ? failed : Math.max(1, failed);
    total.skipped += tests?.skipped ?? 0;
  }
  return [...lines, '', countsText(total)].join('\n');
}

/** @param {Counts} counts */
function countsText({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Where a stage writes its result; an older one is removed, so that it cannot be taken for the new one.
 * @param {string} name
 */
function freshResult(name) {
  const file = path.join(outRoot, `${name}.json`);
  fs.mkdirSync(outRoot, { recursive: true });
  fs.rmSync(file, { force: true });
  return file;
}

/** @param {string} file */
function readJson(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
}
