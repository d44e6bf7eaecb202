import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What clients start: the same path whatever version of the extension is installed, and whichever Node.js there is. */
export interface LauncherOptions {
  readonly state: string;
  readonly platform: NodeJS.Platform;
  /** Of the version that writes it. */
  readonly extensionFolder: string;
  /** Absolute paths of programs that run as Node.js 22.13 or later, best first; VS Code's own among them. */
  readonly runtimes: readonly string[];
}

/** Folders of the extension that the launcher looks beside for newer versions. */
export interface Whereabouts {
  readonly folders: readonly string[];
}

const SCRIPT = 'tap-launcher.cjs';
const MAX_FOLDERS = 8;

/** The words that start the launcher, or `undefined` when nothing here could run it. */
export function launcherWords({
  state,
  platform,
  runtimes,
}: LauncherOptions): readonly [string, ...string[]] | undefined {
  const [runtime] = runtimes;
  if (runtime === undefined) {
    return undefined;
  }
  // A client on Windows cannot start a script without a shell, and its entry's environment is not ours to change.
  return platform === 'win32' ? [runtime, path.join(state, SCRIPT)] : [path.join(state, 'tap')];
}

/** Writes the launcher, or brings it up to date. Rejects when the state folder cannot be written. */
export async function installLauncher(options: LauncherOptions): Promise<void> {
  const { state, platform, extensionFolder, runtimes } = options;
  await mkdir(state, { recursive: true, mode: 0o700 });
  const known = await readWhereabouts(state);
  const folders = [extensionFolder, ...known.folders.filter((folder) => folder !== extensionFolder)];
  await replaceFile(state, 'where.json', async (file) => {
    await writeFile(file, `${JSON.stringify({ folders: folders.slice(0, MAX_FOLDERS) })}\n`);
  });
  await replaceFile(state, SCRIPT, (file) => copyFile(path.join(extensionFolder, 'dist', 'tap-launcher.js'), file));
  if (platform !== 'win32') {
    await replaceFile(state, 'tap', async (file) => {
      await writeFile(file, shellScript(runtimes));
      await chmod(file, 0o755);
    });
  }
}

/** Whether the launcher that is there was written by this version. Never rejects. */
export async function isInstalledFrom(state: string, extensionFolder: string): Promise<boolean> {
  return (await readWhereabouts(state)).folders[0] === extensionFolder;
}

/**
 * Runs the launcher by the first runtime that is still there. When there is none, the server is started without a tap: a client
 * must never lose its server because an editor has gone.
 */
export function shellScript(runtimes: readonly string[]): string {
  return `#!/bin/sh
# Written by the Faultline extension: starts an MCP server behind a tap. "faultline untap --all" takes all taps out again.
here=$(dirname "$0")
for runtime in ${runtimes.map(quoted).join(' ')} "$(command -v node)"; do
  if [ -x "$runtime" ] && [ -f "$here/${SCRIPT}" ]; then
    ELECTRON_RUN_AS_NODE=1 exec "$runtime" "$here/${SCRIPT}" "$@"
  fi
done
while [ $# -gt 0 ] && [ "$1" != "--" ]; do shift; done
if [ $# -lt 2 ]; then
  echo "faultline: nothing to start" >&2
  exit 127
fi
shift
exec "$@"
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

async function readWhereabouts(state: string): Promise<Whereabouts> {
  try {
    const read: unknown = JSON.parse(await readFile(path.join(state, 'where.json'), 'utf8'));
    const folders = (read as Partial<Whereabouts> | null)?.folders;
    return { folders: Array.isArray(folders) ? folders.filter((each) => typeof each === 'string') : [] };
  } catch {
    return { folders: [] };
  }
}

/** A client may be starting the launcher at this moment. */
async function replaceFile(folder: string, name: string, write: (file: string) => Promise<void>): Promise<void> {
  const temporary = path.join(folder, `.${name}.${process.pid}`);
  await write(temporary);
  await rename(temporary, path.join(folder, name));
}
