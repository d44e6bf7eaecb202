import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { searchPathOf } from '../../core/transport/environment.ts';

/** `node:sqlite` without a flag. */
export const OLDEST_NODE = '22.13';
const ANSWER_MS = 5000;

/**
 * What can run the tap when a client starts it, best first: the Node.js of the `PATH`, if it is recent enough, since its place
 * is the user's own; then what runs this, which is VS Code itself or the Node.js of its server. Absolute paths.
 */
export async function findRuntimes(): Promise<readonly string[]> {
  const names = process.platform === 'win32' ? ['node.exe'] : ['node'];
  const found = searchPathOf(process.env)
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file));
  const own = isPlainNode() || process.platform !== 'win32' ? [process.execPath] : [];
  const isUsable = found !== undefined && found !== process.execPath && isRecent(await versionOf(found));
  return isUsable ? [found, ...own] : own;
}

/** On Windows only what needs no variable can stand in a configuration. */
function isPlainNode(): boolean {
  return process.versions['electron'] === undefined;
}

function versionOf(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, ['--version'], { timeout: ANSWER_MS, windowsHide: true }, (error, stdout) => {
      resolve(error === null ? stdout.trim() : '');
    });
  });
}

/** `v22.13.0` or later. */
export function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
