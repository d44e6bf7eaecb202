import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Locator, Page } from 'playwright-core';
import { freePort } from '../../tools/lib/freePort.mjs';
import { launchBrowser } from '../../vscode/host/browser.ts';
import { until } from '../../vscode/host/gestures.ts';
import { progress } from '../bench.ts';
import { endsWithUs } from '../peers/endsWithUs.ts';
import { inspectorLauncher, installPeers, peersHome } from '../peers/install.ts';
import { type Tasks, tasksDuring } from './longestTask.ts';

/** It stands still for long: a click that brings a thousand messages comes back when it has drawn them. */
const LIMIT_MS = 240_000;

/** The page of the official Inspector in a browser of its own, connected to a server. */
export interface Inspector {
  readonly page: Page;
  /** Of its own process, which holds the connection. */
  readonly pid: number;
  close(): Promise<void>;
}

/** Starts the Inspector for the server that so many words start, or that is at a URL, and connects. It keeps its list in `home`. */
export async function openInspector(target: readonly string[], home = peersHome): Promise<Inspector> {
  if (!installPeers()) {
    throw new Error('npm could not install the Inspector');
  }
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [inspectorLauncher(), '--web', ...target], {
    env: {
      ...process.env,
      CLIENT_PORT: String(port),
      SERVER_PORT: String(sandboxPort),
      MCP_AUTO_OPEN_ENABLED: 'false',
      DANGEROUSLY_OMIT_AUTH: 'true',
      HOME: home,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const kill = endsWithUs(child);
  try {
    await until(() => output.includes('up and running') || child.exitCode !== null, 'the Inspector', 60_000);
    if (child.exitCode !== null) {
      throw new Error(`the Inspector has ended: ${output}`);
    }
    const browser = await launchBrowser(progress);
    const close = async () => {
      await browser.close();
      kill();
    };
    try {
      const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
      await page.goto(`http://127.0.0.1:${port}`);
      await page.getByRole('switch', { name: /^Connect/ }).evaluate((toggle: HTMLElement) => toggle.click());
      await page
        .getByText(/^Connected/)
        .first()
        .waitFor({ timeout: 90_000 });
      return { page, pid: child.pid ?? 0, close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    kill();
    throw error;
  }
}

/** The button that calls the tool of that name, which is chosen. */
export async function chooseTool(page: Page, name: string): Promise<Locator> {
  await page.getByText('Tools', { exact: true }).first().click();
  await page.getByText(name, { exact: true }).first().click();
  return page.getByRole('button', { name: /^(Run|Execute|Call)( Tool)?$/ }).first();
}

/** So many notifications in the Inspector, until its log shows the last of them. */
export async function inspectorBurst(count: number): Promise<Tasks & { readonly shownMs: number }> {
  const { page, close } = await openInspector([process.execPath, burstServer]);
  try {
    const button = await chooseTool(page, `burst_${count}`);
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    let [begunMs, shownMs] = [0, 0];
    const tasks = await tasksDuring(page, frameTree.frame.id, async () => {
      begunMs = Date.now();
      await button.click({ timeout: LIMIT_MS });
      await page.getByText(`message ${count} of ${count}`).first().waitFor({ timeout: LIMIT_MS });
      shownMs = Date.now();
    });
    return { ...tasks, shownMs: shownMs - begunMs };
  } finally {
    await close();
  }
}

/** The server of a burst. */
export const burstServer = path.join(import.meta.dirname, 'burstServer.mjs');
