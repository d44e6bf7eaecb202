// @ts-check
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** Everything that is fetched for the tests lives here: git-ignored, and the same folder that @vscode/test-electron uses. */
export const cacheRoot = path.join(root, '.vscode-test');

/** What a run leaves to look at: bundles, results, screenshots and logs of failures. */
export const outRoot = path.join(root, 'test', 'out');

/** @param {string[]} parts */
export const inRoot = (...parts) => path.join(root, ...parts);
