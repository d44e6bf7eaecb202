import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { runCommand } from '../host/gestures.ts';
import { playDemo, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

describe('the details of a call, in the real window', () => {
  let workbench: Workbench;
  let timeline: FrameLocator;

  beforeAll(async () => {
    workbench = await openWorkbench({
      folder: path.join(root, 'media/demo-workspace'),
      viewport: { width: 1600, height: 900 },
    });
    await playDemo(workbench);
    timeline = await timelineIn(workbench, 'editor');
  });

  afterAll(() => workbench?.close());

  const statusBar = (text: RegExp) => workbench.page.locator('.statusbar-item', { hasText: text }).waitFor();

  it('goes from the reason to the place in the answer, whose code loads under the policy of a real webview', async () => {
    await rowOf(timeline, /get_author.*silent error/).click();
    await timeline.locator('.signal .link', { hasText: '/result/content/0/text' }).first().click();
    await timeline.locator('.tree-row.is-marked.is-active', { hasText: 'Error: no book titled' }).waitFor();
    await workbench.screenshot('details-tree');
  });

  it('copies the call as a test, from its menu and by the palette', async () => {
    await timeline.locator('.menu-copy .menu-button').click();
    await timeline.getByRole('menuitem', { name: 'vitest Test' }).click();
    await statusBar(/Copied get_author as vitest Test/);
    await runCommand(workbench, 'Faultline: Copy Exchange as pytest Test');
    await statusBar(/Copied get_author as pytest Test/);
  });

  it('opens a message as it came in an editor', async () => {
    await rowOf(timeline, /get_author.*silent error/).click();
    await timeline.locator('#tab-response').click();
    await timeline.locator('.segment', { hasText: 'Raw' }).click();
    await timeline.locator('.link.is-document').click();
    await workbench.page.locator('.tab', { hasText: /message-\d+\.raw\.txt/ }).waitFor();
    await workbench.page.locator('.view-lines', { hasText: 'no book titled' }).first().waitFor();
    // Beside an editor the page is narrow, where the details cover the rows.
    await runCommand(workbench, 'View: Close Editor');
    await timeline.locator('.segment', { hasText: 'Tree' }).click();
  });

  it('compares two calls on the page and in the diff editor', async () => {
    await rowOf(timeline, /get_author.*silent error/).click();
    await runCommand(workbench, 'Faultline: Select for Compare');
    await rowOf(timeline, /search_books.*success/).click();
    await runCommand(workbench, 'Faultline: Compare with Selected');
    await timeline.locator('.diff-sentence').waitFor();
    await timeline.locator('.change code', { hasText: '/result/content/0/text' }).waitFor();
    await workbench.screenshot('details-compare');
    await timeline.getByRole('button', { name: 'Open as Text Diff' }).click();
    await workbench.page.locator('.monaco-diff-editor').first().waitFor();
  });

  it('shows no error', () => {
    expect(workbench.errors()).toEqual([]);
  });
});
