import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { runCommand, until } from '../host/gestures.ts';
import { answerInput, playDemo, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

/** The report's page, among the webviews that are open. */
async function reportIn({ page }: Workbench, title: RegExp): Promise<FrameLocator> {
  const frames = page.locator('iframe.webview.ready');
  let found: FrameLocator | undefined;
  await until(async () => {
    for (let index = 0; index < (await frames.count()); index += 1) {
      const frame = frames.nth(index).contentFrame().frameLocator('iframe#active-frame');
      if ((await frame.getByRole('heading', { level: 1, name: title }).count()) > 0) {
        found = frame;
        return true;
      }
    }
    return false;
  }, `the page ${title}`);
  if (found === undefined) {
    throw new Error('no report');
  }
  return found;
}

describe('the usability report', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 1000 },
      folder: path.join(root, 'media/demo-workspace'),
    });
    await playDemo(workbench);
    await runCommand(workbench, 'Faultline: Show Usability Report…');
  });

  afterAll(() => workbench?.close());

  it('shows what to fix first, with the line of the source', async () => {
    const report = await reportIn(workbench, /^MCP usability report$/);
    const first = report.locator('ol.fixes > li').first();
    await first.getByText('Failures that look like successes').waitFor();
    expect(await first.textContent()).toMatch(/get_author.*server\.(py|ts):\d+/s);
    await report.getByText(/Faultline’s own client met \d+ failures in \d+ calls/).waitFor();
    await workbench.screenshot('ui/report');
  });

  it('leads to the rows', async () => {
    const report = await reportIn(workbench, /^MCP usability report$/);
    await report.locator('ol.fixes > li').first().locator('.rows a').first().click();
    const timeline = await timelineIn(workbench, 'sidebar');
    await timeline.locator('.row.is-selected', { hasText: 'get_author' }).waitFor();
  });

  it('is written to a file by the name that is given', async () => {
    const file = path.join(workbench.folder, 'report.html');
    await runCommand(workbench, 'Faultline: Export Usability Report…');
    const input = workbench.page.locator('.quick-input-widget input.input');
    await until(async () => (await input.inputValue()).includes('faultline-report.md'), 'the proposed name');
    await answerInput(workbench, file);
    await until(() => existsSync(file), file);
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('<title>MCP usability report</title>');
    expect(html).not.toContain('command:');
  });

  it('stands beside the verdict on agents in the Findings view', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Faultline: Focus on Findings View');
    const tree = page.getByRole('treeitem', { name: /Faultline’s own client, .*silent error used as an answer/ });
    await tree.first().waitFor();
    await workbench.screenshot('ui/report-findings');
  });
});
