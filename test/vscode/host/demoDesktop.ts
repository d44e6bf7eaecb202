import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { findOnPath } from '../../tools/lib/chromium.mjs';
import { root } from '../../tools/lib/paths.mjs';
import { Unavailable } from '../../tools/lib/unavailable.mjs';
import { newestVscode } from '../../tools/lib/versions.mjs';
import { demoEnv, demoFolder } from './demoWorkspace.ts';

/**
 * A desktop VS Code to show the demo in: the one that FAULTLINE_CODE names, `code` of the PATH, or a download. Undefined where
 * there is no screen, or none can be had.
 */
export async function findDesktop(note: (text: string) => void): Promise<string | undefined> {
  const { FAULTLINE_CODE: named, DISPLAY, WAYLAND_DISPLAY, VSCODE_IPC_HOOK_CLI } = process.env;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) {
      throw new Unavailable(
        'a desktop VS Code',
        `FAULTLINE_CODE is ${named}, which is not there`,
        'correct or unset it',
      );
    }
    return named;
  }
  // In a terminal of a remote VS Code `code` opens files there; it cannot load an extension.
  const isRemoteTerminal = VSCODE_IPC_HOOK_CLI !== undefined;
  const hasScreen = process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
  if (isRemoteTerminal || !hasScreen) {
    return undefined;
  }
  const installed = findOnPath(process.platform === 'win32' ? ['code.cmd'] : ['code']);
  if (installed !== undefined) {
    return installed;
  }
  note(`No VS Code on the PATH: downloading ${newestVscode.vscode}`);
  try {
    return await downloadAndUnzipVSCode({ version: newestVscode.vscode });
  } catch (error) {
    note(`It cannot be downloaded (${error instanceof Error ? error.message : String(error)}); serving one instead.`);
    return undefined;
  }
}

/** Opens the demo in that VS Code, in a profile of its own; returns the exit code once its window is closed. */
export async function openDemoInDesktop(code: string, note: (text: string) => void): Promise<number> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-'));
  const folder = path.join(scratch, path.basename(demoFolder));
  cpSync(demoFolder, folder, { recursive: true });
  const userDataDir = path.join(scratch, 'user-data');
  mkdirSync(path.join(userDataDir, 'User'), { recursive: true });
  writeFileSync(path.join(userDataDir, 'User', 'settings.json'), '{ "workbench.startupEditor": "none" }\n');
  const args = [
    `--extensionDevelopmentPath=${root}`,
    // A profile of its own is also a process of its own, which the environment reaches.
    `--user-data-dir=${userDataDir}`,
    `--extensions-dir=${path.join(scratch, 'extensions')}`,
    ...['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    folder,
  ];
  note(`Opening the demo in ${code}. This command ends when its window is closed.`);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(code, args, {
        stdio: 'inherit',
        env: { ...process.env, ...demoEnv },
        shell: process.platform === 'win32',
      });
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(signal, () => child.kill(signal));
      }
      child.once('error', reject);
      child.once('close', (exitCode) => resolve(exitCode ?? 1));
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
