import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainWords, pseudo } from '../../tools/l10n/pseudo.ts';
import { root } from '../../tools/lib/paths.mjs';
import { openView, runCommand, until } from '../host/gestures.ts';
import { confirmDialog, outcomeCounts, playDemo, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const folder = path.join(root, 'media/demo-workspace');

describe('the native surfaces', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder, viewport: { width: 1400, height: 1000 } });
    await playDemo(workbench);
    await openView(workbench, 'Faultline');
  });

  afterAll(() => workbench?.close());

  const treeRow = (text: string | RegExp): Locator =>
    workbench.page.locator('.part.sidebar').getByRole('treeitem').filter({ hasText: text }).first();

  it('tell in the Servers view what became of the calls of each server and tool', async () => {
    const server = treeRow(/^bookshop.*\d+ failures/);
    await server.waitFor();
    await server.click();
    await treeRow(/search_books.*\d+ calls?/).waitFor();
    await treeRow(/Last failure: \w+/).waitFor();
    await workbench.screenshot('trees');
  });

  it('lead from the status bar to the failures alone', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, 'search_books').waitFor();
    // The hover of the tree's row, on which the mouse still is, may lie over the status bar.
    await workbench.page.mouse.move(700, 20);
    await workbench.page.locator('.statusbar-item', { hasText: 'MCP' }).click();
    await until(async () => {
      const rows = timeline.locator('[role="row"][data-index]');
      const shown = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-outcome')));
      return shown.length > 0 && shown.every((outcome) => outcome !== 'success' && (outcome ?? '') !== '');
    }, 'failures alone');
    expect((await outcomeCounts(timeline)).success).toBeGreaterThan(0);
    await workbench.screenshot('failures');
  });

  it('count on our icon what failed while nobody looked, until somebody does', async () => {
    const { page } = workbench;
    const badge = page
      .locator('.activitybar .action-item', { has: page.locator('[aria-label^="Faultline"]') })
      .locator('.badge-content');
    await runCommand(workbench, 'View: Close All Editors');
    await openView(workbench, 'Explorer');
    // One of them does not start on any machine.
    await runCommand(workbench, 'Faultline: Connect All');
    await confirmDialog(workbench, 'Start');
    await until(async () => Number(await badge.textContent()) > 0, 'the badge');
    await workbench.screenshot('badge');
    await openView(workbench, 'Faultline');
    await until(async () => ((await badge.count()) === 0 ? '' : await badge.textContent()) === '', 'no badge');
  });

  it('lead through five steps with pictures', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Welcome: Open Walkthrough...');
    await page
      .locator('.quick-input-list')
      .getByRole('option', { name: /See What Your MCP Servers Do/ })
      .click();
    await page.locator('.getting-started-step').first().waitFor();
    expect(await page.locator('.getting-started-step').count()).toBe(5);
    const pictures = async () => {
      const labels = page
        .frames()
        .map((frame) => frame.locator('svg[aria-label]').first().getAttribute('aria-label', { timeout: 1000 }));
      return (await Promise.allSettled(labels)).flatMap((each) =>
        each.status === 'fulfilled' && each.value !== null ? [each.value] : [],
      );
    };
    await until(async () => (await pictures()).some((label) => label.startsWith('A timeline on which')), 'the picture');
    await workbench.screenshot('walkthrough');
  });

  it('cause no error in the window', () => {
    expect(workbench.errors()).toEqual([]);
  });
});

/** The extension's own bundles of that language: pseudo for everything. */
function speakPseudo(folder: string, language: string): void {
  for (const [english, translated] of [
    ['media/l10n/bundle.l10n.json', `media/l10n/bundle.l10n.${language}.json`],
    ['package.nls.json', `package.nls.${language}.json`],
  ] as const) {
    const strings: Record<string, string> = JSON.parse(readFileSync(path.join(folder, english), 'utf8'));
    const spoken = Object.entries(strings).map(([key, text]) => [key, pseudo(text)]);
    writeFileSync(path.join(folder, translated), JSON.stringify(Object.fromEntries(spoken)));
  }
}

describe('the native surfaces in another language', () => {
  const language = 'eo';
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({
      folder,
      viewport: { width: 1400, height: 1000 },
      language,
      prepareExtension: (installed) => speakPseudo(installed, language),
    });
    await runCommand(workbench, `Faultline: ${pseudo('Run Demo')}`);
    await openView(workbench, 'Faultline');
  });

  afterAll(() => workbench?.close());

  it('have no English word in the palette and in the trees', async () => {
    const { page } = workbench;
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, 'search_books').waitFor();
    const server = page
      .locator('.part.sidebar')
      .getByRole('treeitem')
      .filter({ hasText: /^bookshop/ })
      .first();
    await server.click();
    await workbench.screenshot('pseudo-trees');
    const rows = await page.locator('.part.sidebar').getByRole('treeitem').allTextContents();
    const data = new Set(['bookshop', 'stockroom', 'python', 'http', 'stdio', 'HTTP', 'VS', 'Code']);
    expect(rows.length).toBeGreaterThan(3);
    // Names of tools have an underscore; what follows them is ours.
    expect(
      rows.map((row) => row.replace(/^[a-z]+(?:_[a-z]+)+/, '')).flatMap((row) => plainWords(row, [...data])),
    ).toEqual([]);
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input.input').fill('>Faultline:');
    // Under a translated title VS Code shows the English one.
    const offered = await page
      .locator('.quick-input-list .quick-input-list-row:first-child .label-name')
      .allTextContents();
    expect(offered.length).toBeGreaterThan(5);
    await workbench.screenshot('pseudo-palette');
    expect(offered.flatMap((row) => plainWords(row, ['Faultline', 'JSON']))).toEqual([]);
  });
});
