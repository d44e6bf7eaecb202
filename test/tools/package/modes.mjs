// @ts-check
import fs from 'node:fs';
import path from 'node:path';

/**
 * Gives everything below `folder` the mode that it has in a package on every machine: an archive keeps modes, and they depend on
 * the umask and on where a file was copied from.
 * @param {string} folder
 */
export function evenModes(folder) {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    fs.chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
