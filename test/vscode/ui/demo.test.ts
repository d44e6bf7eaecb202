import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OUTCOME_KINDS } from '../../../src/protocol/outcome.ts';
import { root } from '../../tools/lib/paths.mjs';
import { openView, runCommand, setTheme, until } from '../host/gestures.ts';
import { choosePolicy, confirmDialog, outcomeCounts, playDemo, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Theme, themes, type Workbench } from '../host/workbench.ts';

const folder = path.join(root, 'media/demo-workspace');

/** Wide enough for list and details side by side. */
const viewport = { width: 1600, height: 900 };

/** The editor is 1200 px wide when the sidebar is closed. */
const pictured = { width: 1252, height: 820 };

describe('the demo', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder, viewport });
    await playDemo(workbench);
  });

  afterAll(() => workbench?.close());

  it('ends calls in every outcome', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, 'search_books').waitFor();
    const counts = await outcomeCounts(timeline);
    expect(OUTCOME_KINDS.filter((kind) => kind !== 'pending' && (counts[kind] ?? 0) === 0)).toEqual([]);
  });

  it('folds the attempts of a flaky call under it, each with its own outcome', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    const chain = rowOf(timeline, /flaky_lookup.*success on 3rd/);
    await chain.click();
    await workbench.page.keyboard.press('ArrowRight');
    for (const attempt of [/1\/3.*timeout/, /2\/3.*protocol -32603/, /3\/3.*success/]) {
      await rowOf(timeline, attempt).waitFor();
    }
  });

  it('walks from failure to failure by key, and says why at each', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /get_author.*silent error/).click();
    await workbench.page.keyboard.press('Enter');
    await timeline.getByText('so the model takes this text for the answer').waitFor();
    const seen = new Set<string>();
    for (let step = 0; step < 4; step++) {
      await workbench.page.keyboard.press('F8');
      await until(async () => {
        const title = (await timeline.locator('.details-title').textContent()) ?? '';
        const outcome = (await timeline.locator('.row.is-selected').getAttribute('data-outcome')) ?? '';
        const isNew = title !== '' && outcome !== '' && outcome !== 'success' && !seen.has(`${step}`);
        if (isNew) {
          seen.add(`${step}`);
        }
        return isNew;
      }, 'the next failure');
    }
    expect(seen.size).toBe(4);
  });

  it('shows lanes and charts, whose code loads under the policy of a real webview', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await timeline.locator('#overview canvas').waitFor();
    await runCommand(workbench, 'Faultline: Toggle Lanes by Server');
    await timeline.locator('.lane', { hasText: 'bookshop-http' }).waitFor();
    await runCommand(workbench, 'Faultline: Toggle Charts');
    await timeline.locator('#chart-latency .bar').first().waitFor();
    const shown = await timeline.locator('#grid').getAttribute('aria-rowcount');
    await timeline.locator('.percentile').last().click();
    await until(
      async () => (await timeline.locator('#grid').getAttribute('aria-rowcount')) !== shown,
      'slow calls only',
    );
    await workbench.page.screenshot({ path: path.join(root, 'test/out/overview-vscode.png') });
    await timeline.locator('#filter').fill('');
    await until(async () => (await timeline.locator('#grid').getAttribute('aria-rowcount')) === shown, 'all calls');
    await timeline.locator('#toggle-lanes').click();
    await timeline.locator('#toggle-charts').click();
    await timeline.locator('.chart').first().waitFor({ state: 'detached' });
  });

  it('replays a call with progress on the timeline, linked to the original', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /get_author.*silent error/).click();
    await runCommand(workbench, 'Faultline: Replay with Backoff');
    await choosePolicy(workbench);
    // The demo server is trusted and says that this tool only reads: no question is asked.
    await timeline.locator('[role="row"][data-index] .mark-replay').first().waitFor();
    expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
  });

  it('asks before it replays an order', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /order_book.*tool error/).click();
    await runCommand(workbench, 'Faultline: Replay with Backoff');
    await choosePolicy(workbench);
    await confirmDialog(workbench, 'Cancel');
  });

  it.each(Object.keys(themes) as Theme[])('is readable in the theme %s, wide and narrow', async (theme) => {
    const name = theme.toLowerCase().replaceAll(' ', '-');
    await workbench.page.setViewportSize(pictured);
    await setTheme(workbench, theme);
    await runCommand(workbench, 'View: Close Primary Side Bar');
    await workbench.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    await rowOf(await timelineIn(workbench, 'editor'), /get_author.*silent error/).click();
    await workbench.screenshot(`editor-1200-${name}`);
    await openView(workbench, 'Faultline');
    await rowOf(await timelineIn(workbench, 'sidebar'), 'search_books').waitFor();
    await workbench.screenshot(`sidebar-300-${name}`);
  });

  it('shows no error', () => {
    expect(workbench.errors()).toEqual([]);
  });
});
