import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { openFile, openView, problem } from '../host/gestures.ts';
import { timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

/** Written by the server as soon as somebody starts it. */
const STARTED = 'started.txt';

describe('a workspace that nobody trusts', () => {
  let scratch: string;
  let workbench: Workbench;

  beforeAll(async () => {
    scratch = mkdtempSync(path.join(tmpdir(), 'faultline-untrusted-'));
    const folder = path.join(scratch, 'stranger');
    mkdirSync(path.join(folder, '.vscode'), { recursive: true });
    cpSync(path.join(root, 'media/demo-workspace/server.py'), path.join(folder, 'server.py'));
    // By its settings too, nothing of it is to be started, sent or restarted.
    const script = `require('fs').writeFileSync(process.argv[1], '')`;
    const args = ['-e', script, `\${workspaceFolder}/${STARTED}`];
    const servers = { evil: { command: process.execPath, args } };
    writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ servers }));
    const settings = {
      'faultline.servers': servers,
      'faultline.trustedServers': ['*'],
      'faultline.watch': { evil: true },
    };
    writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
    workbench = await openWorkbench({ folder, isUntrusted: true });
    await openView(workbench, 'Faultline');
  });

  afterAll(async () => {
    await workbench?.close();
    rmSync(scratch, { recursive: true });
  });

  it('has the lint, and is told why it has no more', async () => {
    const { page } = workbench;
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await (await timelineIn(workbench, 'sidebar'))
      .getByText('This workspace is not trusted: nothing is started')
      .waitFor();
    await openFile(workbench, 'server.py');
    await problem(workbench, 'FL001');
    await workbench.screenshot('untrusted');
  });

  it('starts nothing, and offers no command that would', async () => {
    const { page } = workbench;
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input.input').fill('>Faultline: ');
    const rows = page.locator('.quick-input-list').getByRole('option');
    await rows.filter({ hasText: 'Lint Workspace' }).first().waitFor();
    const labels = (await rows.allTextContents()).join('\n');
    expect(/Run Demo|Connect|Restart|Call Tool|Replay|Tap a Client|Inject/.exec(labels)?.[0]).toBeUndefined();
    await page.keyboard.press('Escape');
    expect(existsSync(path.join(workbench.folder, STARTED))).toBe(false);
  });

  it('leads to the trust of the workspace, and offers its servers once it is given', async () => {
    const { page } = workbench;
    const timeline = await timelineIn(workbench, 'sidebar');
    expect(await timeline.locator('.empty button').allInnerTexts()).toEqual(['Manage Workspace Trust']);
    await workbench.screenshot('untrusted-page');
    await timeline.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await timeline.getByRole('button', { name: 'Connect All Servers' }).waitFor();
    // A workspace that is trusted says nothing yet of the commands that are to be started.
    expect(existsSync(path.join(workbench.folder, STARTED))).toBe(false);
    expect(workbench.errors()).toEqual([]);
  });
});
