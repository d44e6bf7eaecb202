import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { openView, runCommand } from '../host/gestures.ts';
import { answerInput, callTool, confirmDialog, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const npmServer = (name: string) => ({
  command: process.execPath,
  args: [path.join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')],
});

/** A home with what other clients are configured with, and a workspace whose servers want an answer or fail for a cause. */
function prepare(): { readonly folder: string; readonly home: string } {
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-ws-'));
  const folder = path.join(scratch, 'shop');
  const home = path.join(scratch, 'home');
  const write = (file: string, value: unknown) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value, undefined, 2));
  };
  write(path.join(folder, '.vscode/mcp.json'), {
    inputs: [{ type: 'promptString', id: 'who', description: 'Who are you?' }],
    servers: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the definition file
      asking: { ...npmServer('server-everything'), env: { SHOP_USER: '${input:who}' } },
      keyless: {
        command: process.execPath,
        args: ['-e', 'console.error("SHOP_API_KEY is required"); process.exit(1)'],
      },
    },
  });
  write(path.join(folder, '.cursor/mcp.json'), { mcpServers: { notes: npmServer('server-memory') } });
  write(path.join(home, '.claude.json'), { mcpServers: { elsewhere: { command: 'faultline-no-such-command' } } });
  write(path.join(home, '.codeium/windsurf/mcp_config.json'), { mcpServers: { broken: { command: 7 } } });
  return { folder, home };
}

describe('by hand', () => {
  let workbench: Workbench;
  let places: ReturnType<typeof prepare>;

  beforeAll(async () => {
    places = prepare();
    workbench = await openWorkbench({
      folder: places.folder,
      viewport: { width: 1600, height: 1000 },
      env: { HOME: places.home },
      settings: { 'editor.autoClosingBrackets': 'never', 'editor.autoClosingQuotes': 'never' },
    });
    await openView(workbench, 'Faultline');
    await runCommand(workbench, 'Faultline: Open Timeline in Editor');
  });

  afterAll(async () => {
    await workbench?.close();
    rmSync(path.dirname(places.folder), { recursive: true, force: true });
  });

  const server = (text: RegExp): Locator => workbench.page.getByRole('treeitem', { name: text }).first();

  async function pick(name: string): Promise<void> {
    const row = workbench.page.locator('.quick-input-list').getByRole('option', { name: new RegExp(`^${name}\\b`) });
    await row.first().click();
  }

  it('servers of other clients are listed with where they come from', async () => {
    await server(/^notes, stopped · Cursor \(project\)/).waitFor();
    await server(/^elsewhere, stopped · Claude Code/).waitFor();
    expect(await server(/^broken/).count()).toBe(0);
  });

  it('a start asks for the inputs, after consent to the exact command', async () => {
    await runCommand(workbench, 'Faultline: Connect Server…');
    await pick('asking');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'server-everything' }).waitFor();
    await confirmDialog(workbench, 'Start');
    await workbench.page.locator('.quick-input-message', { hasText: 'Who are you?' }).waitFor();
    await answerInput(workbench, 'Ada');
    await server(/^asking, 20\d\d-/).waitFor();
    await callTool(workbench, 'asking', 'get-env', []);
    await rowOf(await timelineIn(workbench, 'editor'), /asking.*get-env.*success/).waitFor();
  });

  it('a failed start names its cause', async () => {
    await runCommand(workbench, 'Faultline: Connect Server…');
    await pick('keyless');
    await confirmDialog(workbench, 'Start');
    await server(/^keyless, The server wants the environment variable SHOP_API_KEY/).waitFor();
    await workbench.screenshot('causes');
  });

  it('a question of a server is answered by a person', async () => {
    await callTool(workbench, 'asking', 'trigger-elicitation-request', []);
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'asks you something' }).waitFor();
    await workbench.screenshot('elicitation');
    await confirmDialog(workbench, 'Decline');
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /asking.*elicitation\/create/).waitFor();
    await rowOf(timeline, /asking.*trigger-elicitation-request.*success/).waitFor();
  });

  it('arguments that are too much for questions are written as JSON, with what the schema knows', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Faultline: Call Tool…');
    await pick('notes');
    await confirmDialog(workbench, 'Start');
    await page.getByPlaceholder('Which tool?').fill('create_entities');
    await pick('create_entities');
    await page.getByRole('tab', { name: /^create_entities\.json/ }).waitFor();
    const editor = page.locator('.editor-instance .monaco-editor.focused');
    await editor.waitFor();
    const schema = /"\$schema":\s"[^"]+"/
      .exec((await editor.locator('.view-lines').textContent()) ?? '')?.[0]
      ?.replace(/\s/, '');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(`{ ${schema}, "entities": [{ "name": "Dune", "entityType": "book" }] }`);
    await page.keyboard.press('Control+Shift+M');
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'Missing property "observations"' }).waitFor();
    await page.getByRole('tab', { name: /^create_entities\.json/ }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(
      `{ ${schema}, "entities": [{ "name": "Dune", "entityType": "book", "observations": [] }] }`,
    );
    await workbench.screenshot('arguments');
    await page.locator('.codelens-decoration a', { hasText: 'Send' }).click();
    await rowOf(await timelineIn(workbench, 'editor'), /notes.*create_entities.*success/).waitFor();
    await page.getByRole('tab', { name: /^create_entities\.json/ }).waitFor({ state: 'detached' });
  });

  it('cause no error in the window', () => {
    expect(workbench.errors()).toEqual([]);
  });
});
