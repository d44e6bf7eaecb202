import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { runAsking, runCommand, until } from '../host/gestures.ts';
import { answerInput, confirmDialog, outcomeCounts, playDemo, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const recorded = path.join(root, 'test/fixtures/golden/sessions/demo.faultline.jsonl');

describe('a session file', () => {
  let workbench: Workbench;
  let folder: string;

  beforeAll(async () => {
    folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'faultline-sessions-')), 'sessions');
    mkdirSync(folder);
    cpSync(recorded, path.join(folder, 'demo.faultline.jsonl'));
    writeFileSync(path.join(folder, 'cut.faultline.jsonl'), readFileSync(recorded, 'utf8').slice(0, 20_000));
    writeFileSync(path.join(folder, 'newer.faultline.jsonl'), '{"faultlineSession":99}\n');
    workbench = await openWorkbench({ viewport: { width: 1280, height: 1100 }, folder });
    // A file that is opened before VS Code knows of our editor opens as text.
    await workbench.page
      .getByRole('tab', { name: /^Faultline/ })
      .first()
      .waitFor();
  });

  afterAll(async () => {
    await workbench?.close();
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });

  /** Opens a file from the explorer, where a name is not taken for a command. */
  async function open(name: string): Promise<void> {
    const { page } = workbench;
    await runCommand(workbench, 'View: Close All Editors');
    await page.locator('iframe.webview').waitFor({ state: 'detached' });
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    await runCommand(workbench, 'View: Show Explorer');
    await page.locator('.explorer-folders-view').getByText(name, { exact: true }).dblclick();
    await page.locator('.tab.active', { hasText: name }).waitFor();
  }

  /** Answers the question where to save once it has made its proposal, which would come over what is typed before. */
  async function saveAs(file: string, proposal: string): Promise<void> {
    const input = workbench.page.locator('.quick-input-widget input.input');
    await until(async () => (await input.inputValue()).includes(proposal), 'the proposed name');
    await answerInput(workbench, file);
    await until(() => existsSync(file), file);
  }

  it('opens in the timeline with the outcomes that were recorded', async () => {
    await open('demo.faultline.jsonl');
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /get_author.*silent error/).waitFor();
    expect(await outcomeCounts(timeline)).toMatchObject({ silent_error: 1, input_required: 1, task_pending: 1 });
    await timeline.getByText('session file, read only').waitFor();
    await workbench.screenshot('ui/session');
  });

  it('says why a call failed, walks from failure to failure, and offers a replay', async () => {
    const { page } = workbench;
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /get_author.*silent error/).click();
    await page.keyboard.press('Enter');
    await timeline.getByText('so the model takes this text for the answer').waitFor();
    const replay = timeline.getByRole('button', { name: 'Replay with Backoff' });
    expect(await replay.getAttribute('aria-disabled')).toBe('false');
    await page.keyboard.press('F8');
    await timeline.locator('.row.is-selected', { hasText: 'order_book' }).waitFor();
  });

  it('is exported as HAR by the name that is given', async () => {
    const file = path.join(workbench.folder, 'out.har');
    await runCommand(workbench, 'Faultline: Export Session…');
    await saveAs(file, 'demo.faultline.jsonl');
    expect(JSON.parse(readFileSync(file, 'utf8')).log.entries.length).toBeGreaterThan(5);
  });

  it('is the ground of a bug report of two files', async () => {
    const { page } = workbench;
    const file = path.join(workbench.folder, 'bug.html');
    const choice = page.locator('.quick-input-list').getByRole('option', { name: /^All Failures/ });
    await runAsking(workbench, 'Faultline: Export Bug Report…', choice);
    await choice.click();
    await saveAs(file, 'faultline-bug-report.html');
    expect(readFileSync(file, 'utf8')).toMatch(/silent error<\/b> <code>#\d+<\/code>/);
    expect(readFileSync(path.join(workbench.folder, 'bug.faultline.jsonl'), 'utf8')).toContain('"redacted":true');
  });

  it('that was cut is shown as far as it goes, and that is told', async () => {
    await open('cut.faultline.jsonl');
    await workbench.page.locator('.notification-toast', { hasText: 'is shown as far as it can be read' }).waitFor();
    await rowOf(await timelineIn(workbench, 'editor'), 'search_books').waitFor();
  });

  it('of a newer version is refused with the reason', async () => {
    await open('newer.faultline.jsonl');
    await workbench.page.getByText('This session was written in version 99 of the format').first().waitFor();
  });
});

describe('what this window has recorded', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder: path.join(root, 'media/demo-workspace') });
    await playDemo(workbench);
  });

  afterAll(() => workbench?.close());

  /** Opens the list of sessions, which holds the one of this window. */
  async function listSessions() {
    const session = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'recording now' });
    await runAsking(workbench, 'Faultline: Delete Recorded Sessions…', session);
    return session;
  }

  it('can be named and pinned in the list of sessions', async () => {
    const { page } = workbench;
    let session = await listSessions();
    await session.hover();
    await session.getByRole('button', { name: 'Name', exact: true }).click();
    await page.locator('.quick-input-title', { hasText: 'Name of the Session' }).waitFor();
    await answerInput(workbench, 'the bad day');
    session = page.locator('.quick-input-list .monaco-list-row', { hasText: 'the bad day' });
    await session.hover();
    await session.getByRole('button', { name: 'Pin', exact: true }).click();
    await session.getByRole('button', { name: 'Unpin', exact: true }).waitFor();
    await workbench.screenshot('ui/session-list');
    await page.keyboard.press('Escape');
  });

  it('is deleted from the log and from the timeline once that is confirmed', async () => {
    const { page } = workbench;
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, 'search_books').waitFor();
    const session = await listSessions();
    await session.locator('input[type="checkbox"], .monaco-checkbox').first().click();
    await page.locator('.quick-input-widget').getByRole('button', { name: 'OK', exact: true }).click();
    await confirmDialog(workbench, 'Delete');
    await rowOf(timeline, 'search_books').waitFor({ state: 'detached' });
  });
});
