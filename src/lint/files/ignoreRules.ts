import ignore, { type Ignore } from 'ignore';

/** Folders that hold other people's code or what was made from one's own. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
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

interface Folder {
  /** Undefined when the folder has no rules of its own. */
  readonly rules: Ignore | undefined;
  readonly isIgnored: boolean;
}

/**
 * The `.gitignore` files of a tree, read as they are needed and applied as git does (gitignore(5)): a deeper file wins
 * over a higher one, and nothing inside an ignored folder comes back. No git is run for it, since a workspace that is not
 * trusted may not start one. `.git/info/exclude` counts, `core.excludesFile` does not.
 */
export class IgnoreRules {
  readonly #read: (path: string) => Promise<string | undefined>;
  readonly #folders = new Map<string, Promise<Folder>>();

  /** `read` gives a file below the root by its path, with forward slashes; undefined when there is none. */
  constructor(read: (path: string) => Promise<string | undefined>) {
    this.#read = read;
  }

  /** Whether a file, or with a slash at its end a folder, is ignored. The path is relative to the root. */
  async ignores(path: string): Promise<boolean> {
    const end = path.lastIndexOf('/', path.length - 2);
    const parent = path.slice(0, end + 1);
    return (await this.#folder(parent)).isIgnored || this.#isIgnoredByRules(path, parent);
  }

  #folder(path: string): Promise<Folder> {
    const known = this.#folders.get(path);
    if (known !== undefined) {
      return known;
    }
    const made = this.#readFolder(path);
    this.#folders.set(path, made);
    return made;
  }

  async #readFolder(path: string): Promise<Folder> {
    if (path !== '' && (await this.ignores(path))) {
      return { rules: undefined, isIgnored: true };
    }
    const files = path === '' ? ['.git/info/exclude', '.gitignore'] : [`${path}.gitignore`];
    const texts = (await Promise.all(files.map((file) => this.#read(file)))).filter((text) => text !== undefined);
    return { rules: texts.length === 0 ? undefined : ignore().add(texts.join('\n')), isIgnored: false };
  }

  async #isIgnoredByRules(path: string, parent: string): Promise<boolean> {
    for (const base of [...foldersAbove(parent), '']) {
      const { rules } = await this.#folder(base);
      if (rules === undefined) {
        continue;
      }
      const result = rules.test(path.slice(base.length));
      if (result.unignored) {
        return false;
      }
      // Its folder is not ignored, or we were not here: a rule about the folder was overruled below.
      if (result.ignored && !(parent.length > base.length && rules.ignores(parent.slice(base.length)))) {
        return true;
      }
    }
    return false;
  }
}

/** A folder and those above it, the deepest first, without the root. */
function foldersAbove(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; at !== ''; at = at.slice(0, at.lastIndexOf('/', at.length - 2) + 1)) {
    folders.push(at);
  }
  return folders;
}
