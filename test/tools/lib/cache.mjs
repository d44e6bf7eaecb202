// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { cacheRoot } from './paths.mjs';

const beatMs = 2000;
const staleMs = 20_000;
const pollMs = 250;
const stampName = '.complete';

/** @typedef {(text: string) => void} Note says what is going on, one line without an end of line */

/**
 * Returns the folder `<name>` of the cache, filling it by `fill` when it is not there yet. It is filled beside its place and
 * renamed, with a stamp, so that an interrupted or concurrent run never leaves or sees half of it. `name` carries
 * the version and must change whenever `fill` would make something else.
 * @param {string} name
 * @param {Note} note
 * @param {(folder: string) => Promise<void>} fill
 * @param {string} [cache] the folder of all; `.vscode-test` by default
 */
export async function cached(name, note, fill, cache = cacheRoot) {
  const folder = path.join(cache, name);
  const isComplete = () => fs.existsSync(path.join(folder, stampName));
  if (isComplete()) {
    return folder;
  }
  const fillUnlessFilled = async () => {
    if (isComplete()) {
      return folder;
    }
    const temporary = `${folder}.tmp-`;
    for (const entry of fs.readdirSync(cache)) {
      if (path.join(cache, entry).startsWith(temporary)) {
        fs.rmSync(path.join(cache, entry), { recursive: true, force: true });
      }
    }
    const filling = fs.mkdtempSync(temporary);
    try {
      await fill(filling);
      fs.chmodSync(filling, 0o755);
      fs.writeFileSync(path.join(filling, stampName), `${name}\n`);
      fs.rmSync(folder, { recursive: true, force: true });
      fs.renameSync(filling, folder);
    } finally {
      fs.rmSync(filling, { recursive: true, force: true });
    }
    return folder;
  };
  return withLock(name, note, fillUnlessFilled, cache);
}

/**
 * Runs `action` while no other process holds the lock of that name. The holder touches the lock file all the time, so that a
 * lock whose holder was killed, even in another container, is soon seen to be stale.
 * @template T
 * @param {string} name
 * @param {Note} note
 * @param {() => Promise<T>} action
 * @param {string} [cache]
 * @returns {Promise<T>}
 */
export async function withLock(name, note, action, cache = cacheRoot) {
  fs.mkdirSync(cache, { recursive: true });
  const file = path.join(cache, `${name}.lock`);
  const mine = JSON.stringify({ pid: process.pid, host: os.hostname() });
  for (let tries = 0; !take(file, mine); tries++) {
    if (tries === 0) {
      note(`another run is at ${name}, waiting for it`);
    }
    await wait(pollMs);
  }
  const beat = setInterval(() => {
    try {
      fs.utimesSync(file, new Date(), new Date());
    } catch {
      // The cache was deleted under us; the rename at the end will say so.
    }
  }, beatMs);
  beat.unref();
  const release = () => fs.rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await action();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

/**
 * @param {string} file
 * @param {string} mine
 */
function take(file, mine) {
  try {
    fs.writeFileSync(file, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') {
      throw error;
    }
  }
  if (isStale(file)) {
    fs.rmSync(file, { force: true });
  }
  return false;
}

/** @param {string} file */
function isStale(file) {
  try {
    const { pid, host } = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (Date.now() - fs.statSync(file).mtimeMs > staleMs) {
      return true;
    }
    if (host === os.hostname()) {
      process.kill(pid, 0);
    }
    return false;
  } catch (error) {
    // No such process: stale. Half-written or already gone: the next look decides.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}
