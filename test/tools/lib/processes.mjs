// @ts-check
import { spawn } from 'node:child_process';
import process from 'node:process';
import { StepFailed } from './unavailable.mjs';

/** How long a child may take to clean up after a polite signal. */
const graceMs = 8000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const active = new Set();
let isStopping = false;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to this process's own
 * @property {(text: string) => void} [onOutput] collects the output instead of streaming it to this process's own
 */

/**
 * Runs a program to its end and returns its exit code (128 + 15 when a signal ended it). Rejects only when it cannot be
 * started. The program is stopped when this process is told to stop (see {@link stopChildrenOnSignals}).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { cwd, env, onOutput } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: onOutput === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      // npm and code are .cmd files on Windows, which only a shell starts.
      shell: process.platform === 'win32' && !/\.exe$/i.test(command),
    });
    active.add(child);
    child.stdout?.on('data', (chunk) => onOutput?.(String(chunk)));
    child.stderr?.on('data', (chunk) => onOutput?.(String(chunk)));
    child.once('error', (error) => {
      active.delete(child);
      reject(error);
    });
    child.once('close', (code) => {
      active.delete(child);
      resolve(code ?? 143);
    });
    if (isStopping) {
      child.kill('SIGTERM');
    }
  });
}

/**
 * Runs a program quietly. Returns its standard output and error, or rejects with them when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Omit<RunOptions, 'onOutput'>} [options]
 */
export async function capture(command, args, options) {
  let output = '';
  const code = await run(command, args, { ...options, onOutput: (text) => (output += text) });
  if (code !== 0) {
    throw new StepFailed(`${command} ${args.slice(0, 2).join(' ')} ended with ${code}: ${output.trim().slice(-2000)}`);
  }
  return output;
}

/**
 * From now on a signal that asks this process to end is passed on to its children, which get a grace period. Children
 * that outlive it are killed. Then `cleanUp` runs and the process exits with 128 + the signal's number.
 * @param {() => void | Promise<void>} [cleanUp]
 */
export function stopChildrenOnSignals(cleanUp = () => undefined) {
  for (const [signal, number] of /** @type {const} */ ([
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ])) {
    process.on(signal, async () => {
      if (isStopping) {
        return;
      }
      isStopping = true;
      process.exitCode = 128 + number;
      await stopChildren(signal);
      await cleanUp();
      process.exit(128 + number);
    });
  }
}

/** Whether a signal has asked this process to end (see {@link stopChildrenOnSignals}). */
export const isInterrupted = () => isStopping;

/** @param {NodeJS.Signals} signal */
async function stopChildren(signal) {
  const children = [...active];
  const ended = Promise.all(children.map((child) => new Promise((resolve) => child.once('close', resolve))));
  for (const child of children) {
    child.kill(signal);
  }
  const killer = setTimeout(() => {
    for (const child of children) {
      child.kill('SIGKILL');
    }
  }, graceMs);
  await ended;
  clearTimeout(killer);
}
