import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { CDPSession, Frame } from 'playwright-core';
import { systemClock } from '../../../src/base/systemClock.ts';
import { openEventLog } from '../../../src/core/log/eventLog.ts';
import { freePort } from '../../tools/lib/freePort.mjs';
import { openView, until } from '../../vscode/host/gestures.ts';
import { timelineIn } from '../../vscode/host/timeline.ts';
import { type Home, openHome, prepareHome, type Workbench } from '../../vscode/host/workbench.ts';
import { fillLog } from '../millionEvents.ts';

/** As a person has it on a laptop. */
export const VIEWPORT = { width: 1600, height: 900 };

/** The burst server as a workspace defines it. */
function workspace(): string {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'faultline-bench-ui-')), 'shop');
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  const burst = { command: process.execPath, args: [path.join(import.meta.dirname, 'burstServer.mjs')] };
  writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ servers: { burst } }));
  return folder;
}

/** A VS Code that was used before, whose log of that workspace holds so many events. The caller removes `scratch`. */
export async function preparedHome(events: number): Promise<Home> {
  const folder = workspace();
  const fresh = await prepareHome({ folder });
  const settings = path.join(fresh.serverOptions.userDataDir, 'Machine/settings.json');
  mkdirSync(path.dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ 'faultline.log.maxSizeMb': 65_536 }));
  rmSync(path.dirname(folder), { recursive: true, force: true });
  // VS Code decides where the log is, by the address of the folder, which names the port.
  const home = { ...fresh, serverOptions: { ...fresh.serverOptions, port: await freePort() } };
  const workbench = await openHome(home, { viewport: VIEWPORT });
  await openView(workbench, 'Faultline');
  await (await timelineIn(workbench, 'sidebar')).locator('.empty').waitFor();
  await workbench.close();
  const [found] = globSync('**/faultline.sqlite', { cwd: home.serverOptions.userDataDir });
  if (found === undefined) {
    throw new Error('the extension has written no log');
  }
  const file = path.join(home.serverOptions.userDataDir, found);
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    rmSync(each, { force: true });
  }
  openEventLog({ path: file, clock: systemClock }).dispose();
  // The last of them has just come.
  fillLog(file, events, Math.round(systemClock.wallUs()) - events * 500);
  return home;
}

/** The frame of the one webview that is open. */
export async function pageFrame({ page }: Workbench): Promise<Frame> {
  let found: Frame | undefined;
  await until(async () => {
    for (const frame of page.frames()) {
      const isOurs = await frame.evaluate(() => document.body?.hasAttribute('data-placement')).catch(() => false);
      if (isOurs) {
        found = frame;
      }
    }
    return found !== undefined;
  }, 'the frame of the page');
  // `until` has just found it.
  return found as Frame;
}

interface FrameNode {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: readonly FrameNode[];
}

/** The browser's own id of that frame: the one within VS Code's frame of a webview. */
export async function frameIdOf(session: CDPSession): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const all = (node: FrameNode): readonly FrameNode[] => [node, ...(node.childFrames ?? []).flatMap(all)];
  const around = all(frameTree as FrameNode).find(({ frame }) => frame.url.includes('/webview/browser/pre/index.html'));
  const id = around?.childFrames?.[0]?.frame.id;
  if (id === undefined) {
    throw new Error('the browser does not know the frame of the page');
  }
  return id;
}
