import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { openView, runAsking, runCommand, until } from '../host/gestures.ts';
import { rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const server = path.join(root, 'test/servers/wellBehaved.mjs');
const original = `// mine
{
\t"mcpServers": {
\t\t"shelf": {
\t\t\t"command": ${JSON.stringify(process.execPath)}, // of the machine
\t\t\t"args": [ ${JSON.stringify(server)} ]
\t\t}
\t}
}`;

describe('a client’s server', () => {
  let workbench: Workbench;
  let scratch: string;
  let client: ChildProcess | undefined;

  beforeAll(async () => {
    scratch = mkdtempSync(path.join(os.tmpdir(), 'faultline-taps-'));
    const folder = path.join(scratch, 'shop');
    mkdirSync(path.join(folder, '.cursor'), { recursive: true });
    writeFileSync(path.join(folder, '.cursor', 'mcp.json'), original);
    workbench = await openWorkbench({
      folder,
      viewport: { width: 1500, height: 950 },
      settings: { 'faultline.tap.offerToAgent': ['shelf'], 'chat.disableAIFeatures': false },
      env: { XDG_STATE_HOME: path.join(scratch, 'state') },
    });
    await openView(workbench, 'Faultline');
  });

  afterAll(async () => {
    client?.kill('SIGKILL');
    await workbench?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  const configuration = () => readFileSync(path.join(workbench.folder, '.cursor', 'mcp.json'), 'utf8');
  const option = (name: RegExp) => workbench.page.locator('.quick-input-list').getByRole('option', { name });

  it('is tapped after its edit was seen', async () => {
    await runCommand(workbench, "Faultline: Tap a Client's Server…");
    await option(/^shelf/).click();
    await option(/Leave It as It Is/).waitFor();
    await workbench.page.locator('.monaco-diff-editor .view-line').getByText('--tapped=').first().waitFor();
    await workbench.screenshot('ui/tap-preview');
    expect(configuration()).toBe(original);
    await option(/Tap, Cursor/).click();
    await until(() => configuration() !== original, 'the edit');
  });

  it('is seen live in the timeline and in the Servers view, by its client’s name, until it ends', async () => {
    const { mcpServers } = JSON.parse(configuration().replace(/(^|, )\/\/.*$/gm, '$1'));
    const { command, args } = mcpServers.shelf;
    client = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
    const clientInfo = { name: 'somebody', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    client.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
    await runCommand(workbench, 'Faultline: Open Timeline in Editor');
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /shelf · somebody.*initialize.*success/).waitFor();
    const item = (text: RegExp) => workbench.page.getByRole('treeitem', { name: text });
    await item(/^Seen through taps/).waitFor();
    await item(/shelf, somebody · connected/).waitFor();
    await workbench.screenshot('ui/tap-live');
    client.stdin?.end();
    await item(/shelf, somebody · ended/).waitFor();
  });

  it('is listed by VS Code as one that its agent may use', async () => {
    await runCommand(workbench, 'MCP: List Servers');
    await option(/shelf \(tapped\)/).waitFor();
    await workbench.screenshot('ui/tap-agent');
    await workbench.page.keyboard.press('Escape');
  });

  it('is untapped exactly', async () => {
    await runAsking(workbench, 'Faultline: Remove Tap…', option(/^shelf/));
    await option(/^shelf/).click();
    await option(/Remove Tap, /).click();
    await until(() => configuration() === original, 'the text before');
  });
});
