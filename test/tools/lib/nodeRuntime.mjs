// @ts-check
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { cached } from './cache.mjs';
import { unpackPackage } from './npm.mjs';
import { inRoot } from './paths.mjs';
import { Unavailable } from './unavailable.mjs';

/**
 * Path of the Node.js that `npm ci` puts into node_modules: the version of the extension host. Undefined where it is missing.
 * @returns {string | undefined}
 */
export function hostNode() {
  return ['node', 'node.exe']
    .map((file) => inRoot('node_modules', 'node', 'bin', file))
    .find((file) => fs.existsSync(file) && fs.statSync(file).size > 1_000_000);
}

/**
 * Path of a Node.js of the same major version as `version`: this process's own where it fits, else from the npm registry.
 * @param {string} version
 * @param {import('./cache.mjs').Note} note
 */
export async function nodeRuntime(version, note) {
  const major = version.split('.')[0];
  if (process.versions.node.split('.')[0] === major) {
    return process.execPath;
  }
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const spec = `${prefix}-${platform}-${process.arch}@${version}`;
  try {
    const folder = await cached(`node-${version}`, note, async (filling) => {
      note(`fetching Node.js ${version}`);
      await unpackPackage(spec, filling);
    });
    return path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch (error) {
    throw new Unavailable(
      `Node.js ${version} (npm package ${spec})`,
      error,
      `make the npm registry reachable, or start this with a Node.js ${major}`,
    );
  }
}
