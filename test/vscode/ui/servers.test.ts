import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { applyQuickFix, openFile, openView, problem, runCommand, saveFile } from '../host/gestures.ts';
import { callTool, choosePolicy, confirmDialog, rowOf, rowTexts, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const demo = path.join(root, 'media/demo-workspace');
const server = (name: string) => path.join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');

/** A workspace with three servers from npm, one that does not exist and one whose definition is wrong. */
function prepareFolder(closedPort: number): string {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'faultline-ws-')), 'shop');
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  for (const file of ['server.py', 'server.ts']) {
    copyFileSync(path.join(demo, file), path.join(folder, file));
  }
  writeFileSync(path.join(folder, 'shelf.txt'), 'Dune\n');
  const node = (name: string, ...args: string[]) => ({ command: process.execPath, args: [server(name), ...args] });
  const servers = {
    everything: node('server-everything'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the definition file
    files: node('server-filesystem', '${workspaceFolder}'),
    memory: node('server-memory'),
    missing: { command: 'faultline-no-such-command', args: ['--help'] },
    dying: { command: process.execPath, args: ['-e', 'console.error("no database at port 5432"); process.exit(7)'] },
    refused: { type: 'http', url: `http://127.0.0.1:${closedPort}/mcp` },
    wrong: { command: 7 },
  };
  writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ servers }, undefined, 2));
  return folder;
}

/** A port that was free a moment ago, so that connecting to it is refused. */
async function portOfNobody(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

describe('the servers of a workspace', () => {
  let workbench: Workbench;
  let folder: string;
  let closedPort: number;

  beforeAll(async () => {
    closedPort = await portOfNobody();
    folder = prepareFolder(closedPort);
    workbench = await openWorkbench({ folder, viewport: { width: 1600, height: 1000 } });
    await openView(workbench, 'Faultline');
    await runCommand(workbench, 'Faultline: Connect All');
    await confirmDialog(workbench, 'Start');
    await runCommand(workbench, 'Faultline: Open Timeline in Editor');
  });

  afterAll(async () => {
    await workbench?.close();
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });

  it('connect, each on its own: the healthy ones list their tools, the others say why not', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    for (const name of ['everything', 'files', 'memory']) {
      await rowOf(timeline, new RegExp(`${name}.*tools/list.*success`)).waitFor();
    }
    expect(await rowTexts(timeline, /missing.*did not start/)).toContain('faultline-no-such-command');
    expect(await rowTexts(timeline, /dying.*exit 7/)).toContain('no database at port 5432');
    expect(await rowTexts(timeline, /refused.*connection refused/)).toContain(`127.0.0.1:${closedPort}`);
    await workbench.screenshot('servers');
  });

  it('show a wrong definition at its place in the file', async () => {
    await (await problem(workbench, 'command must be a string')).dblclick();
    await workbench.page.getByRole('tab', { name: /^mcp\.json/ }).waitFor();
    await workbench.screenshot('definition-problem');
  });

  it.each([
    {
      from: 'everything',
      tool: 'echo',
      answers: [{ of: 'message', value: 'hello' }],
      row: /everything.*echo.*success/,
    },
    {
      from: 'files',
      tool: 'read_text_file',
      answers: [{ of: 'path', value: 'no-such-file.txt' }],
      row: /files.*read_text_file.*tool error/,
    },
    {
      from: 'everything',
      tool: 'get-annotated-message',
      answers: [{ of: 'messageType', value: 'error' }],
      row: /everything.*get-annotated-message.*silent error/,
    },
    { from: 'memory', tool: 'read_graph', answers: [], row: /memory.*read_graph.*success/ },
  ])('answer a call of $tool with an outcome on the timeline', async ({ from, tool, answers, row }) => {
    await callTool(workbench, from, tool, answers);
    await runCommand(workbench, 'Faultline: Open Timeline in Editor');
    await rowOf(await timelineIn(workbench, 'editor'), row).waitFor();
  });

  it('replay a call that nothing says is safe only after a question, linked to the original', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    const original = rowOf(timeline, /get-annotated-message.*silent error/);
    await original.click();
    await workbench.page.keyboard.press('Enter');
    await timeline.getByRole('button', { name: 'Replay with Backoff' }).click();
    await choosePolicy(workbench);
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    await workbench.screenshot('replay-question');
    await confirmDialog(workbench, 'Replay');
    await timeline.locator('[role="row"][data-index] .mark-replay').waitFor();
    await workbench.screenshot('replayed');
  });

  it.each([
    {
      file: 'server.py',
      text: 'no book titled',
      fix: 'raise ToolError',
      becomes: /raise ToolError\(f"Error: no book titled/,
    },
    { file: 'server.ts', text: 'no book titled', fix: 'isError: true', becomes: /no book titled[^\n]*isError: true/ },
  ])('have their source mended by a quick fix in $file', async ({ file, fix, becomes }) => {
    await openFile(workbench, file);
    const before = readFileSync(path.join(workbench.folder, file), 'utf8');
    await applyQuickFix(workbench, 'get_author', fix);
    await saveFile(workbench, file, (text) => text !== before && becomes.test(text.replaceAll(/\s+/g, ' ')));
    await workbench.screenshot(`fixed-${path.extname(file).slice(1)}`);
  });

  it('keep working in memory, and say so once, when the log was written by a newer version', async () => {
    const { page, userDataDir } = workbench;
    const storage = path.join(userDataDir, 'User/workspaceStorage');
    const [log] = readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.sqlite'),
    );
    const database = new DatabaseSync(path.join(storage, log ?? 'no log'));
    database.exec('PRAGMA user_version = 9999');
    database.close();
    await page.reload({ waitUntil: 'commit' });
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await runCommand(workbench, 'Faultline: Open Timeline');
    const toast = page.locator('.notification-toast', { hasText: 'kept in memory' });
    await toast.waitFor();
    expect(await toast.count()).toBe(1);
    await (await timelineIn(workbench, 'sidebar')).locator('.footer-memory').waitFor();
    await runCommand(workbench, 'Faultline: Connect All');
    await rowOf(await timelineIn(workbench, 'sidebar'), /tools\/list/).waitFor();
  });

  it('cause no error in the window', () => {
    expect(workbench.errors()).toEqual([]);
  });
});
