import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stateFolder } from '../core/passthrough/config/stateFolder.ts';

/** Folders of editors that run the extension, by the name of their settings. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
/** Folders that remote hosts of editors keep theirs in, within the home folder. */
const REMOTES = ['.vscode-server', '.vscode-server-insiders', '.vscode-remote', '.cursor-server', '.windsurf-server'];
/** Where the extension keeps its log in a workspace's storage: `<publisher>.<name>`. */
const LOG = path.join('faultline.faultline', 'faultline.sqlite');

/** Where this machine keeps things, injected so that a test can have a machine of its own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function thisMachine(): Machine {
  return { platform: process.platform, home: os.homedir(), env: process.env };
}

/**
 * The log that the extension writes for the workspace that `folder` is in: of several editors, the one written last.
 * `undefined` when there is none. Never throws.
 */
export function findExtensionLog(folder: string, machine: Machine): string | undefined {
  const logs = storageFolders(machine)
    .flatMap((storage) => namesIn(storage).map((name) => path.join(storage, name)))
    .filter((workspace) => existsSync(path.join(workspace, LOG)))
    .flatMap((workspace) => {
      const opened = folderOf(workspace, machine.platform);
      return opened !== undefined && isWithin(folder, opened, machine.platform)
        ? [{ log: path.join(workspace, LOG), opened }]
        : [];
    });
  // The innermost workspace, and of the same one the newest.
  const [best] = logs.sort((a, b) => b.opened.length - a.opened.length || modified(b.log) - modified(a.log));
  return best?.log;
}

/**
 * The log of whoever records where no extension does, one for each user: MCP clients start servers in folders of no workspace.
 */
export function ownLogPath(machine: Machine): string {
  return path.join(stateFolder(machine), 'tap.sqlite');
}

function storageFolders({ platform, home, env }: Machine): readonly string[] {
  const settings =
    platform === 'win32'
      ? (env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? path.join(home, 'Library', 'Application Support')
        : env['XDG_CONFIG_HOME'] || path.join(home, '.config');
  return [
    ...EDITORS.map((editor) => path.join(settings, editor, 'User', 'workspaceStorage')),
    ...REMOTES.map((remote) => path.join(home, remote, 'data', 'User', 'workspaceStorage')),
  ];
}

/** The folder that a workspace's storage belongs to; `undefined` for a workspace of several, or one that is elsewhere. */
function folderOf(workspace: string, platform: NodeJS.Platform): string | undefined {
  try {
    const { folder } = JSON.parse(readFileSync(path.join(workspace, 'workspace.json'), 'utf8')) as { folder?: unknown };
    return typeof folder === 'string' ? localPath(folder, platform) : undefined;
  } catch {
    return undefined;
  }
}

/** A file's path; a remote folder's address holds the path on the remote host, which is where this runs. */
function localPath(uri: string, platform: NodeJS.Platform): string | undefined {
  const url = new URL(uri);
  return url.protocol === 'file:'
    ? fileURLToPath(url, { windows: platform === 'win32' })
    : url.protocol === 'vscode-remote:'
      ? decodeURIComponent(url.pathname)
      : undefined;
}

/** Drives and names of Windows are the same in either case, and another drive is never within. */
function isWithin(folder: string, parent: string, platform: NodeJS.Platform): boolean {
  const { relative, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const way = relative(parent, folder);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
