import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { vsixFile } from '../../tools/lib/build.mjs';
import { outRoot } from '../../tools/lib/paths.mjs';
import { releaseOf } from '../../tools/lib/versions.mjs';
import { ensureVscodeServer } from '../../tools/lib/vscodeServer.mjs';
import { isolatedContext, launchBrowser } from './browser.ts';
import {
  quietSettings,
  type RunningServer,
  runServerCommand,
  type ServerOptions,
  startServer,
  workbenchUrl,
  writeSettings,
} from './server.ts';

/** VS Code's own themes, one of each kind: what the setting calls it, and a class that the workbench then has. */
export const themes = {
  'Dark Modern': { id: 'Default Dark Modern', className: 'vscode-theme-defaults-themes-dark_modern-json' },
  'Light Modern': { id: 'Default Light Modern', className: 'vscode-theme-defaults-themes-light_modern-json' },
  'Dark High Contrast': { id: 'Default High Contrast', className: 'hc-black' },
  'Light High Contrast': { id: 'Default High Contrast Light', className: 'hc-light' },
} as const;

export type Theme = keyof typeof themes;

export interface WorkbenchOptions {
  /** Folder to open. A copy of it is opened, so tests may write to it. */
  readonly folder: string;
  /** A version of `vscodeReleases`; the newest by default. */
  readonly version?: string;
  readonly theme?: Theme;
  /** Opens the folder as one that nobody trusts. */
  readonly isUntrusted?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** User settings beside the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of the scope `machine`, which a remote extension host takes from the machine alone. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Reaches the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** The extension to install; the packed one by default. */
  readonly vsix?: string;
  /** VS Code's display language: what an extension's strings are looked up by. English by default. */
  readonly language?: string;
  /** Called with the folder of the installed extension before VS Code starts. */
  readonly prepareExtension?: (folder: string) => void;
}

/** A VS Code with the packed extension installed, open in a browser. */
export interface Workbench {
  readonly page: Page;
  readonly server: RunningServer;
  /** The copy of the folder that is open. */
  readonly folder: string;
  readonly userDataDir: string;
  /** Exceptions that the page did not catch and requests that failed, without those that every VS Code in a browser has. */
  errors(): readonly string[];
  /** Saves what the page shows as test/out/<name>.png and returns the path. */
  screenshot(name: string): Promise<string>;
  close(): Promise<void>;
}

/** Where a workbench lives that no test has touched: temporary folders, with the extension installed. */
export interface Home {
  readonly scratch: string;
  readonly folder: string;
  readonly serverOptions: ServerOptions;
}

/** Those that are open now. */
export const openWorkbenches = new Set<Workbench>();

const pageLimitMs = 30_000;

/** Things that a VS Code served without its proprietary parts always says. */
const harmless = [/vsda/, /fake\.html/, /\[Service Worker\]/, /net::ERR_ABORTED/];

/** Makes the folders of a fresh VS Code and installs the packed extension there. The caller removes `scratch`. */
export async function prepareHome(options: WorkbenchOptions): Promise<Home> {
  const note = (text: string) => process.stderr.write(`${text}\n`);
  const installed = await ensureVscodeServer(releaseOf(options.version), note);
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-'));
  const folder = path.join(scratch, path.basename(options.folder));
  cpSync(options.folder, folder, { recursive: true });
  const userDataDir = path.join(scratch, 'user-data');
  const theme = {
    'workbench.colorTheme': themes[options.theme ?? 'Dark Modern'].id,
    'window.autoDetectHighContrast': false,
  };
  // Without a question, the folder is opened in restricted mode.
  const trust = options.isUntrusted === true ? { 'security.workspace.trust.startupPrompt': 'never' } : {};
  writeSettings(userDataDir, { ...quietSettings, ...theme, ...trust, ...options.settings });
  writeSettings(userDataDir, options.machineSettings ?? {}, 'Machine');
  const serverOptions: ServerOptions = {
    server: installed,
    userDataDir,
    extensionsDir: path.join(scratch, 'extensions'),
    runtimeDir: scratch,
    asksForTrust: options.isUntrusted === true,
    env: options.env ?? {},
  };
  const { code, output } = await runServerCommand(serverOptions, [`--install-extension=${options.vsix ?? vsixFile}`]);
  if (code !== 0) {
    rmSync(scratch, { recursive: true, force: true });
    throw new Error(`the extension could not be installed:\n${output}`);
  }
  const installedAs = readdirSync(serverOptions.extensionsDir).find((name) => name.startsWith('faultline.'));
  options.prepareExtension?.(path.join(serverOptions.extensionsDir, installedAs ?? ''));
  return { scratch, folder, serverOptions };
}

/** Opens a fresh VS Code; resolves when its workbench is shown. Nothing is left of it after `close()`. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const home = await prepareHome(options);
  const removeHome = () => rmSync(home.scratch, { recursive: true, force: true, maxRetries: 3 });
  try {
    const workbench = await openHome(home, options);
    const close = async () => {
      await workbench.close();
      removeHome();
    };
    return { ...workbench, close };
  } catch (error) {
    removeHome();
    throw error;
  }
}

/** Opens VS Code where it has been before, or has been prepared to be; the home is left as it is by `close()`. */
export async function openHome(
  home: Home,
  options: Pick<WorkbenchOptions, 'viewport' | 'language'> = {},
): Promise<Workbench> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) {
      await closer();
    }
  };
  try {
    const server = await startServer(home.serverOptions);
    closers.push(() => server.stop());
    const browser = await launchBrowser((text) => process.stderr.write(`${text}\n`));
    closers.push(() => browser.close());
    const seen: string[] = [];
    const context = await isolatedContext(browser, server.authority, () => undefined, {
      viewport: options.viewport ?? { width: 1280, height: 800 },
    });
    const page = await context.newPage();
    if (options.language !== undefined) {
      // A language pack would set it; its own words stay English without one.
      await page.addInitScript((language) => {
        Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set: () => undefined });
      }, options.language);
    }
    page.setDefaultTimeout(pageLimitMs);
    page.on('pageerror', (error) => seen.push(error.message));
    page.on('requestfailed', (request) => seen.push(`${request.url()} ${request.failure()?.errorText ?? ''}`));
    page.on('crash', () => seen.push('the page crashed'));
    await page.goto(workbenchUrl(server, { folder: home.folder }), { waitUntil: 'commit' });
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    const workbench: Workbench = {
      page,
      server,
      folder: home.folder,
      userDataDir: home.serverOptions.userDataDir,
      errors: () => seen.filter((text) => !harmless.some((pattern) => pattern.test(text))),
      screenshot: (name) => screenshot(page, name),
      close,
    };
    openWorkbenches.add(workbench);
    closers.push(() => openWorkbenches.delete(workbench));
    return workbench;
  } catch (error) {
    await close();
    throw error;
  }
}

async function screenshot(page: Page, name: string): Promise<string> {
  const file = path.join(outRoot, `${name}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  return file;
}
