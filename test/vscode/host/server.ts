import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { VscodeServer } from '../../tools/lib/vscodeServer.mjs';

const startLimitMs = 60_000;
const graceMs = 3000;

/** Settings that keep the workbench still: nothing pops up, nothing asks the network, nothing moves. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  // A test answers a question faster than VS Code hands the focus on from what was there before.
  'workbench.quickOpen.closeOnFocusLost': false,
  'chat.disableAIFeatures': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.openRepositoryInParentFolders': 'never',
  'files.simpleDialog.enable': true,
  'remote.autoForwardPorts': false,
  'editor.accessibilitySupport': 'off',
};

export interface ServerOptions {
  readonly server: VscodeServer;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /**
   * Where the sockets go; a short path, since their paths are limited to about a hundred bytes. The folder is removed when
   * this process is killed while the server runs.
   */
  readonly runtimeDir: string;
  /** The port to listen on at 127.0.0.1; a free one by default. */
  readonly port?: number;
  /** Lets the address name an extension to develop and tests to run. It also hides notifications. */
  readonly hasTestDriver?: boolean;
  /** Lets VS Code ask whom to trust; else every folder is trusted. */
  readonly asksForTrust?: boolean;
  /** Reaches the extension host. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onLog?: (text: string) => void;
}

export interface RunningServer {
  /** `127.0.0.1:port`. */
  readonly authority: string;
  /** Whoever opens the page has to know it. */
  readonly token: string;
  readonly pid: number;
  /** Everything that the server has printed. */
  log(): string;
  /** Resolves when the server has ended, whyever. */
  readonly exited: Promise<void>;
  /** Ends the server and all that it started; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Writes the user's or the machine's settings of a workbench that has not run yet. */
export function writeSettings(
  userDataDir: string,
  settings: Readonly<Record<string, unknown>>,
  of: 'User' | 'Machine' = 'User',
): void {
  const folder = path.join(userDataDir, of);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

function environment(options: Pick<ServerOptions, 'runtimeDir' | 'env'>): NodeJS.ProcessEnv {
  // An empty gallery, else page and server ask the network for extensions again and again.
  const own = { EXTENSIONS_GALLERY: '{}', XDG_RUNTIME_DIR: options.runtimeDir, FAULTLINE_SCRATCH: options.runtimeDir };
  const merged = { ...process.env, ...own, ...options.env };
  // When a VS Code started us, its own variables would confuse the one that we start.
  const inherited = /^(VSCODE_(?!TEST_)|ELECTRON_|CODE_SERVER_)/;
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !inherited.test(name)));
}

function commonArgs({
  server,
  userDataDir,
  extensionsDir,
}: Pick<ServerOptions, 'server' | 'userDataDir' | 'extensionsDir'>) {
  return [
    path.join(server.root, 'out/server-main.js'),
    '--accept-server-license-terms',
    `--user-data-dir=${userDataDir}`,
    `--server-data-dir=${userDataDir}`,
    `--extensions-dir=${extensionsDir}`,
  ];
}

/** Starts VS Code's server on the loopback interface. Rejects with its output when it does not come up. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const token = randomBytes(16).toString('hex');
  const args = [
    ...['--require', path.join(import.meta.dirname, 'watchdog.cjs')],
    ...commonArgs(options),
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--connection-token', token],
    ...['--telemetry-level', 'off', '--disable-telemetry', '--disable-experiments'],
    ...(options.asksForTrust === true ? [] : ['--disable-workspace-trust']),
    ...['--disable-getting-started-override', '--force-disable-user-env'],
    ...(options.hasTestDriver === true ? ['--enable-smoke-test-driver'] : []),
  ];
  // Its own process group, so that everything that it starts can be ended with it.
  const child = spawn(options.server.node, args, { stdio: 'pipe', env: environment(options), detached: true });
  let output = '';
  const onText = (chunk: Buffer) => {
    output += chunk.toString();
    options.onLog?.(chunk.toString());
  };
  child.stdout.on('data', onText);
  child.stderr.on('data', onText);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => stopGroup(child, exited);
  try {
    const port = await listeningPort(child, () => output);
    return { authority: `127.0.0.1:${port}`, token, pid: child.pid ?? 0, log: () => output, exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listeningPort(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`the VS Code server ${what}:\n${output()}`));
    const timer = setTimeout(() => fail(`did not start in ${startLimitMs} ms`), startLimitMs);
    child.stdout?.on('data', () => {
      const port = /Extension host agent listening on (\d+)/.exec(output())?.[1];
      if (port !== undefined) {
        clearTimeout(timer);
        resolve(Number(port));
      }
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      fail(`could not be started (${error.message})`);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal}`);
    });
  });
}

async function stopGroup(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.pid === undefined) {
    return;
  }
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // Nobody is left in it.
    }
  };
  signalGroup('SIGTERM');
  const timer = setTimeout(() => signalGroup('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
  // The server is gone; an extension host that was slow to follow is not waited for.
  signalGroup('SIGKILL');
}

/** Runs the server's own command line (`--install-extension=…`, `--list-extensions`); returns its exit code and output. */
export function runServerCommand(
  options: Pick<ServerOptions, 'server' | 'userDataDir' | 'extensionsDir' | 'runtimeDir'>,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.server.node, [...commonArgs(options), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(options),
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** What the address of the workbench says: the folder to open, and for tests what to load and run. */
export interface WorkbenchTarget {
  readonly folder?: string | undefined;
  readonly developmentPaths?: readonly string[];
  readonly testsPath?: string;
  readonly isWithoutOtherExtensions?: boolean;
}

/** The address to open in a browser. It carries the token: it is a secret. */
export function workbenchUrl(
  { authority, token }: Pick<RunningServer, 'authority' | 'token'>,
  target: WorkbenchTarget,
): string {
  const remote = (file: string) => `vscode-remote://${authority}${encodeURI(path.resolve(file))}`;
  const payload = [
    ...(target.developmentPaths ?? []).map((folder) => ['extensionDevelopmentPath', remote(folder)]),
    ...(target.testsPath === undefined ? [] : [['extensionTestsPath', remote(target.testsPath)]]),
    ...(target.isWithoutOtherExtensions === true ? [['disableExtensions', 'true']] : []),
  ];
  const query = new URLSearchParams({ tkn: token });
  if (target.folder === undefined) {
    query.set('ew', 'true');
  } else {
    query.set(target.folder.endsWith('.code-workspace') ? 'workspace' : 'folder', path.resolve(target.folder));
  }
  if (payload.length > 0) {
    query.set('payload', JSON.stringify(payload));
  }
  return `http://${authority}/?${query.toString()}`;
}
