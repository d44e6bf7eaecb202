import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Folders that hold other people's code or what was made from one's own. */
const skippedFolders = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'venv',
  'site-packages',
  '__pycache__',
  'coverage',
  'vendor',
]);

/**
 * Every file under `paths` that `isWanted`, folders walked in order of name. Hidden folders and those of dependencies are
 * left out, symbolic links not followed; a file that is named is given whatever it is. A path that is not there is given
 * to `onMissing`.
 */
export async function* sourceFiles(
  paths: readonly string[],
  isWanted: (file: string) => boolean,
  onMissing: (path: string) => void,
): AsyncGenerator<string> {
  for (const name of paths) {
    const kind = await stat(name).catch(() => undefined);
    if (kind === undefined) {
      onMissing(name);
    } else if (kind.isDirectory()) {
      yield* walk(name, isWanted);
    } else {
      yield name;
    }
  }
}

async function* walk(folder: string, isWanted: (file: string) => boolean): AsyncGenerator<string> {
  // A folder that may not be read is as good as empty: the rest is still worth its lint.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.') && !skippedFolders.has(entry.name)) {
      yield* walk(name, isWanted);
    } else if (entry.isFile() && isWanted(name)) {
      yield name;
    }
  }
}
