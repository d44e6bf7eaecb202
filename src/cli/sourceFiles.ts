import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { IgnoreRules, SKIPPED_FOLDERS } from '../lint/files/ignoreRules.ts';

/**
 * Every file under `paths` (absolute) that `isWanted`, folders walked in order of name. Hidden folders, those of
 * dependencies and what `.gitignore` says are left out, symbolic links not followed; a file that is named is given
 * whatever it is, and so is a folder. A path that is not there is given to `onMissing`.
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
      yield* walk(name, isWanted, await ignoredBelow(name));
    } else {
      yield name;
    }
  }
}

type IsIgnored = (path: string, isFolder: boolean) => Promise<boolean>;

async function* walk(
  folder: string,
  isWanted: (file: string) => boolean,
  isIgnored: IsIgnored,
): AsyncGenerator<string> {
  // A folder that may not be read is as good as empty: the rest is still worth its lint.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      const isSkipped = entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name);
      if (!isSkipped && !(await isIgnored(name, true))) {
        yield* walk(name, isWanted, isIgnored);
      }
    } else if (entry.isFile() && isWanted(name) && !(await isIgnored(name, false))) {
      yield name;
    }
  }
}

/** What git ignores below a folder, from its repository's root on. A folder that is ignored itself was asked for. */
async function ignoredBelow(folder: string): Promise<IsIgnored> {
  const root = await repositoryOf(folder);
  const rules = new IgnoreRules((file) => readFile(path.join(root, file), 'utf8').catch(() => undefined));
  const relative = (name: string) => path.relative(root, name).split(path.sep).join('/');
  return folder !== root && (await rules.ignores(`${relative(folder)}/`))
    ? () => Promise.resolve(false)
    : (name, isFolder) => rules.ignores(isFolder ? `${relative(name)}/` : relative(name));
}

/** The nearest folder above with a `.git`; the folder itself when there is none. */
async function repositoryOf(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    if ((await stat(path.join(at, '.git')).catch(() => undefined)) !== undefined) {
      return at;
    }
    if (path.dirname(at) === at) {
      return folder;
    }
  }
}
