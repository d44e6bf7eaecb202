import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { accept, openView, pressFor, runAsking, runCommand, until } from '../host/gestures.ts';
import { answerInput, callTool, confirmDialog, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const npmServer = (name: string) => ({
  command: process.execPath,
  args: [path.join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')],
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the definition file
const folderVariable = '${workspaceFolder}';

const watchedSource = (version: number) =>
  `// version ${version}\nimport ${JSON.stringify(path.join(root, 'test/servers/wellBehaved.mjs'))};\n`;

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
      paid: { command: process.execPath, args: [path.join(root, 'test/servers/wantsVisit.mjs')] },
      watched: { command: process.execPath, args: ['server.mjs'], cwd: folderVariable },
      keyless: {
        command: process.execPath,
        args: ['-e', 'console.error("SHOP_API_KEY is required"); process.exit(1)'],
      },
    },
  });
  writeFileSync(path.join(folder, 'server.mjs'), watchedSource(1));
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
      settings: {
        'faultline.watch': { watched: true },
        'editor.autoClosingBrackets': 'never',
        'editor.autoClosingQuotes': 'never',
      },
    });
    await openView(workbench, 'Faultline');
    await runCommand(workbench, 'Faultline: Open Timeline in Editor');
  });

  afterAll(async () => {
    await workbench?.close();
    rmSync(path.dirname(places.folder), { recursive: true, force: true });
  });

  const server = (text: RegExp): Locator => workbench.page.getByRole('treeitem', { name: text }).first();

  /** Chooses in the list that asks `question`. */
  async function pick(question: string, name: string): Promise<void> {
    const { page } = workbench;
    await page.getByPlaceholder(question).fill(name);
    await page
      .locator('.quick-input-list')
      .getByRole('option', { name: new RegExp(`^${name}\\b`) })
      .first()
      .waitFor();
    await accept(workbench);
  }

  async function connect(name: string): Promise<void> {
    const question = 'Connect which server?';
    await runAsking(workbench, 'Faultline: Connect Server…', workbench.page.getByPlaceholder(question));
    await pick(question, name);
  }

  it('servers of other clients are listed with where they come from', async () => {
    await server(/^notes, stopped · Cursor \(project\)/).waitFor();
    await server(/^elsewhere, stopped · Claude Code/).waitFor();
    expect(await server(/^broken/).count()).toBe(0);
  });

  it('a start asks for the inputs, after consent to the exact command', async () => {
    await connect('asking');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'server-everything' }).waitFor();
    await confirmDialog(workbench, 'Start');
    await workbench.page.locator('.quick-input-message', { hasText: 'Who are you?' }).waitFor();
    await answerInput(workbench, 'Ada');
    await server(/^asking, 20\d\d-/).waitFor();
    await callTool(workbench, 'asking', 'get-env', []);
    await rowOf(await timelineIn(workbench, 'editor'), /asking.*get-env.*success/).waitFor();
  });

  it('a failed start names its cause', async () => {
    await connect('keyless');
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

  it('a page that a call needs first is opened by its whole address, and the call made again', async () => {
    const { page } = workbench;
    await connect('paid');
    await confirmDialog(workbench, 'Start');
    await server(/^paid, 20\d\d-/).waitFor();
    await callTool(workbench, 'paid', 'work', []);
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'wants you to open a page' });
    await dialog.waitFor();
    const said = (await dialog.textContent()) ?? '';
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\/pay\?order=4711/.exec(said) ?? [];
    expect(said).toContain('Pay for order 4711 first.');
    await workbench.screenshot('visit');
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: /^Open 127\.0\.0\.1/ }).click();
    // VS Code in a browser takes an address of this machine for one of its own server's.
    const popup = await opened;
    await popup.waitForURL(/\/pay\?order=4711$/);
    await popup.close();
    expect((await fetch(address)).ok).toBe(true);
    const timeline = await timelineIn(workbench, 'editor');
    await pressFor(page.getByRole('button', { name: 'Call Again' }), rowOf(timeline, /paid.*work.*success/));
    await rowOf(timeline, /paid.*work.*input required/).waitFor();
  });

  it('a server is started anew when its source changes', async () => {
    await connect('watched');
    await confirmDialog(workbench, 'Start');
    const starts = (await timelineIn(workbench, 'editor'))
      .locator('[role="row"][data-index]')
      .filter({ hasText: /watched.*connect/ });
    await starts.first().waitFor();
    const before = await starts.count();
    writeFileSync(path.join(workbench.folder, 'server.mjs'), watchedSource(2));
    await until(async () => (await starts.count()) > before, 'another start');
    await server(/^watched, 20\d\d-/).waitFor();
  });

  it('arguments that are too much for questions are written as JSON, with what the schema knows', async () => {
    const { page } = workbench;
    await runAsking(workbench, 'Faultline: Call Tool…', page.getByPlaceholder('Call a tool of which server?'));
    await pick('Call a tool of which server?', 'notes');
    await confirmDialog(workbench, 'Start');
    await pick('Which tool?', 'create_entities');
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
