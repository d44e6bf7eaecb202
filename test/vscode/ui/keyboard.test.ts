import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { vscodeReleases } from '../../tools/lib/versions.mjs';
import { runAsking, until } from '../host/gestures.ts';
import { playDemo, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const folder = path.join(root, 'media/demo-workspace');

/** Its `aria-rowindex`: the header is the first. */
const FIRST_ROW = 2;

/** The main road, by keys alone, in the newest VS Code and in the oldest that package.json allows. */
describe.each(vscodeReleases.map(({ vscode }) => vscode))('by keyboard alone in VS Code %s', (version) => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder, version, viewport: { width: 1600, height: 900 } });
    await playDemo(workbench);
  });

  afterAll(() => workbench?.close());

  const press = (key: string) => workbench.page.keyboard.press(key);
  const page = () => timelineIn(workbench, 'editor');

  async function leaveField(): Promise<void> {
    const grid = (await page()).locator('#grid');
    for (let step = 0; step < 3 && !(await grid.evaluate((each) => each === document.activeElement)); step += 1) {
      await press('Escape');
    }
    await (await page()).locator('#grid:focus').waitFor();
  }

  /** Text of the row that a screen reader is told of, by what the grid says of itself. */
  async function activeRow() {
    const timeline = await page();
    const grid = timeline.locator('#grid');
    const id = await grid.getAttribute('aria-activedescendant');
    const row = timeline.locator(`[id="${id}"]`);
    return { text: (await row.textContent()) ?? '', index: Number(await row.getAttribute('aria-rowindex')) };
  }

  it('filters, goes from error to error, reads why, and comes back', async () => {
    const timeline = await page();
    await rowOf(timeline, 'search_books').waitFor();
    await runAsking(workbench, 'Faultline: Filter Timeline…', timeline.locator('#filter:focus'));
    await workbench.page.keyboard.type('server:bookshop outcome:tool_error,silent_error ');
    const grid = timeline.locator('#grid');
    // "3 of 38", and an ellipsis while messages are searched for the words that were typed on the way.
    const all = Number(/of (\d+)/.exec((await timeline.locator('.shown-of').textContent()) ?? '')?.[1]);
    await until(async () => Number(await grid.getAttribute('aria-rowcount')) - 1 < all, 'fewer rows');
    // The field's suggestions are left first, where some are open.
    await leaveField();
    await until(async () => (await grid.getAttribute('aria-activedescendant')) !== null, 'a row to stand on');

    await press('Home');
    // All rows are errors now, so that each key has to have moved before the next one is pressed.
    await until(async () => (await activeRow()).index === FIRST_ROW, 'the first row');
    await press('F8');
    await until(async () => (await activeRow()).index !== FIRST_ROW, 'an error after it');
    const first = await activeRow();
    expect(first.text).toMatch(/tool error|silent error/);
    await press('F8');
    await until(async () => (await activeRow()).index !== first.index, 'the next error');
    await press('Shift+F8');
    await until(async () => (await activeRow()).index === first.index, 'the error before');

    await press('Enter');
    await timeline.locator('#details:focus').waitFor();
    await timeline.locator('#tab-why[aria-selected=true]').waitFor();
    const tab = timeline.locator('[role=tab][aria-selected=true]');
    for (let step = 0; step < 15 && !(await tab.evaluate((each) => each === document.activeElement)); step += 1) {
      await press('Tab');
    }
    await press('ArrowRight');
    await timeline.locator('#tab-request[aria-selected=true]:focus').waitFor();
    await press('ArrowRight');
    await timeline.locator('#tab-response[aria-selected=true]:focus').waitFor();
    await press('Escape');
    await timeline.locator('.details').waitFor({ state: 'detached' });
    await timeline.locator('#grid:focus').waitFor();
    expect((await activeRow()).index).toBe(first.index);
    expect(await timeline.locator('[aria-live]').count()).toBe(1);
    await press('/');
    await timeline.locator('#filter:focus').waitFor();
    await press('Control+A');
    await press('Delete');
    await until(async () => Number(await grid.getAttribute('aria-rowcount')) - 1 >= all, 'all rows again');
    await leaveField();
  });

  it('replays a call and goes to what came of it', async () => {
    const timeline = await page();
    await rowOf(timeline, /get_author.*silent error/).waitFor();
    await runAsking(workbench, 'Faultline: Filter Timeline…', timeline.locator('#filter:focus'));
    await press('Control+A');
    await workbench.page.keyboard.type('tool:get_author outcome:silent_error');
    await until(
      async () => !/search_books/.test((await timeline.locator('.rows').textContent()) ?? ''),
      'the rows of one tool',
    );
    await leaveField();
    await press('Home');
    const before = Number(await timeline.locator('#grid').getAttribute('aria-rowcount'));
    await press('r');
    await workbench.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'As Configured' }).waitFor();
    // A key that comes while VS Code still moves the focus is lost.
    await until(async () => {
      await press('Enter');
      return !(await workbench.page.locator('.quick-input-widget').isVisible());
    }, 'the policy to be taken');
    await until(
      async () => Number(await timeline.locator('#grid').getAttribute('aria-rowcount')) > before,
      'its replay',
    );
    await timeline.locator('[role="row"][data-index] .mark-replay').first().waitFor();
  });

  it('shows no error', () => {
    expect(workbench.errors()).toEqual([]);
  });
});
