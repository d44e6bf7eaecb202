import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { capture } from '../../tools/lib/processes.mjs';
import { launchBrowser } from '../../vscode/host/browser.ts';
import { until } from '../../vscode/host/gestures.ts';
import { progress } from '../bench.ts';
import { type Tasks, tasksDuring } from './longestTask.ts';

/** What the comparison is with. */
const VERSION = '2.12.0';

/** Outside of the project, and kept for the next time. */
const cache = path.join(tmpdir(), `faultline-bench-inspector-${VERSION}`);

const PORTS = { CLIENT_PORT: '46274', SERVER_PORT: '46277' } as const;
/** It stands still for long: a click that brings a thousand messages comes back when it has drawn them. */
const LIMIT_MS = 240_000;

/** The launcher of the official Inspector; installed from npm where it is not yet. */
async function launcher(): Promise<string> {
  const file = path.join(cache, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  if (!existsSync(file)) {
    progress(`installing the Inspector ${VERSION} into ${cache}`);
    mkdirSync(cache, { recursive: true });
    const args = [
      'install',
      '--prefix',
      cache,
      '--no-audit',
      '--no-fund',
      `@modelcontextprotocol/inspector@${VERSION}`,
    ];
    await capture('npm', args, { cwd: cache });
  }
  return file;
}

async function startInspector(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const server = [process.execPath, path.join(import.meta.dirname, 'burstServer.mjs')];
  const child = spawn(process.execPath, [await launcher(), '--web', ...server], {
    env: { ...process.env, ...PORTS, MCP_AUTO_OPEN_ENABLED: 'false', DANGEROUSLY_OMIT_AUTH: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  await until(() => output.includes('up and running') || child.exitCode !== null, 'the Inspector');
  return { url: `http://127.0.0.1:${PORTS.CLIENT_PORT}`, child };
}

/** So many notifications in the Inspector, until its log shows the last of them. */
export async function inspectorBurst(count: number): Promise<Tasks & { readonly shownMs: number }> {
  const { url, child } = await startInspector();
  const browser = await launchBrowser(progress);
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    await page.goto(url);
    await chooseTool(page, count);
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    let [begunMs, shownMs] = [0, 0];
    const tasks = await tasksDuring(page, frameTree.frame.id, async () => {
      begunMs = Date.now();
      await page
        .getByRole('button', { name: /^(Run|Execute|Call)( Tool)?$/ })
        .first()
        .click({ timeout: LIMIT_MS });
      await page.getByText(`message ${count} of ${count}`).first().waitFor({ timeout: LIMIT_MS });
      shownMs = Date.now();
    });
    return { ...tasks, shownMs: shownMs - begunMs };
  } finally {
    await browser.close();
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, 'SIGKILL');
    }
  }
}

async function chooseTool(page: Page, count: number): Promise<void> {
  await page.getByRole('switch', { name: /^Connect/ }).evaluate((toggle: HTMLElement) => toggle.click());
  await page
    .getByText(/^Connected/)
    .first()
    .waitFor();
  await page.getByText('Tools', { exact: true }).first().click();
  await page.getByText(`burst_${count}`, { exact: true }).first().click();
}
