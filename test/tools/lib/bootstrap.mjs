// @ts-check
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withLock } from './cache.mjs';
import { hostNode } from './nodeRuntime.mjs';
import { inRoot, root } from './paths.mjs';
import { run } from './processes.mjs';
import { StepFailed, Unavailable } from './unavailable.mjs';

const oldestMajor = 20;
const hostMajor = 22;

/** Node.js flags for everything below: TypeScript is run as it is, and dies with its parent. */
export const nodeFlags = [
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  `--import=${new URL('./dieWithParent.mjs', import.meta.url).href}`,
];

/** @param {string} text */
export const say = (text) => process.stderr.write(`${text}\n`);

/**
 * Runs `main` once the project's dependencies are there, in the Node.js that the extension host has: the script is started
 * again in that one when the machine's own is another. Sets the exit code; errors are printed, those about something
 * that could not be had without a stack.
 * @param {string} script absolute path of the calling script
 * @param {(args: readonly string[]) => Promise<number>} main returns the exit code
 */
export async function bootstrap(script, main) {
  try {
    if (majorOf(process.versions.node) < oldestMajor) {
      throw new Unavailable('a Node.js', `this is ${process.versions.node}`, `install Node.js ${oldestMajor} or later`);
    }
    await ensureDependencies();
    const node = hostNode();
    if (node !== undefined && !isRestarted(node)) {
      process.exitCode = await restart(node, script);
      return;
    }
    if (node === undefined && majorOf(process.versions.node) < hostMajor) {
      throw new Unavailable(
        `Node.js ${hostMajor} for the extension host`,
        "the npm package 'node' is installed, but its install script did not run",
        `allow it ('npm config get ignore-scripts' should say false) and delete node_modules, or start this with Node.js ${hostMajor}`,
      );
    }
    const { PATH = '' } = process.env;
    Object.assign(process.env, { PATH: [inRoot('node_modules', '.bin'), PATH].join(path.delimiter) });
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    const isTold = error instanceof Unavailable || error instanceof StepFailed;
    say(isTold ? `\n${error.message}` : String(error instanceof Error ? error.stack : error));
    process.exitCode = 1;
  }
}

/**
 * Whether this is that Node.js with the flags that it needs. `npm` puts node_modules/.bin on the PATH, so that it may be the
 * right one from the start, but without them.
 * @param {string} node
 */
function isRestarted(node) {
  const isSame = fs.realpathSync(node) === fs.realpathSync(process.execPath);
  return isSame && nodeFlags.every((flag) => process.execArgv.includes(flag));
}

/** @param {string} version */
const majorOf = (version) => Number(version.split('.')[0]);

async function ensureDependencies() {
  if (!areDependenciesStale()) {
    return;
  }
  await withLock('npm-ci', say, async () => {
    if (!areDependenciesStale()) {
      return;
    }
    say('Installing the dependencies (npm ci) …');
    const code = await run('npm', ['ci', '--prefer-offline'], { cwd: root });
    if (code !== 0) {
      throw new Unavailable(
        "the project's dependencies",
        `npm ci ended with ${code}, see above`,
        'make the npm registry reachable (npm config get registry) and try again',
      );
    }
  });
}

/** Whether node_modules is absent, half-made, or not what package-lock.json asks for. */
function areDependenciesStale() {
  const wanted = readLock(inRoot('package-lock.json'));
  // npm writes this one last.
  const installed = readLock(inRoot('node_modules', '.package-lock.json'));
  return Object.entries(wanted).some(
    ([name, entry]) => name !== '' && entry.optional !== true && installed[name]?.version !== entry.version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function readLock(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * @param {string} node
 * @param {string} script
 * @returns {Promise<number>}
 */
function restart(node, script) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [...nodeFlags, script, ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
