import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/paths.mjs';
import { accept, runAsking, until } from '../host/gestures.ts';
import { playDemo, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const folder = path.join(root, 'media/demo-workspace');

describe('the filter of the timeline', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder, viewport: { width: 1400, height: 900 } });
    await playDemo(workbench);
  });

  afterAll(() => workbench?.close());

  /** Outcomes of the rows on screen, once they are those of the filter. */
  async function outcomes(isReached: (found: readonly string[]) => boolean): Promise<readonly string[]> {
    const timeline = await timelineIn(workbench, 'editor');
    let found: readonly string[] = [];
    await until(async () => {
      const rows = timeline.locator('[role="row"][data-index]:not(.is-attempt, .is-loading)');
      found = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-outcome') ?? ''));
      return isReached(found);
    }, 'the rows of the filter');
    return found;
  }

  /** What VS Code in a browser has stored of this workspace; it does so every few seconds. */
  function storedState(): Promise<string> {
    return workbench.page.evaluate(async () => {
      const answer = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      let stored = '';
      for (const { name = '' } of await indexedDB.databases()) {
        if (name.startsWith('vscode-web-state-db')) {
          const database = await answer(indexedDB.open(name));
          for (const store of database.objectStoreNames) {
            stored += JSON.stringify(await answer(database.transaction(store).objectStore(store).getAll()));
          }
          database.close();
        }
      }
      return stored;
    });
  }

  it('completes what was recorded, from the palette on by keys alone', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, 'search_books').waitFor();
    await runAsking(workbench, 'Faultline: Filter Timeline…', timeline.locator('#filter:focus'));
    await workbench.page.keyboard.type('tool:fla');
    const option = timeline.locator('#filter-list li', { hasText: 'flaky_lookup' });
    await option.waitFor();
    await workbench.page.keyboard.press('Tab');
    await until(
      async () => (await timeline.locator('#filter').inputValue()) === 'tool:flaky_lookup ',
      'the tool in the filter',
    );
    const found = await outcomes((each) => each.length > 0 && each.length < 4);
    expect(found).toContain('success');
    await workbench.screenshot('filtered');
  });

  it('finds what only a message says', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await timeline.locator('#filter').fill('"no book titled" is:silent');
    const found = await outcomes((each) => each.includes('silent_error'));
    expect(found.every((outcome) => outcome === 'silent_error')).toBe(true);
  });

  it('says what is wrong at its place, and keeps the rows', async () => {
    const timeline = await timelineIn(workbench, 'editor');
    await timeline.locator('#filter').fill('is:silent outcome:timeot');
    await timeline.locator('#grid').focus();
    await timeline.locator('#filter-error', { hasText: 'did you mean "timeout"' }).waitFor();
    const found = await outcomes((each) => each.length > 0);
    expect(new Set(found)).toEqual(new Set(['silent_error']));
  });

  it('is saved under a name, offered in an empty field, and deleted', async () => {
    const { page } = workbench;
    const timeline = await timelineIn(workbench, 'editor');
    await timeline.locator('#filter').fill('outcome:*_error');
    await timeline.locator('#saved-filters').click();
    const pick = page.locator('.quick-input-list');
    await pick.getByRole('option', { name: /Save This Filter/ }).click();
    const name = page.locator('.quick-input-widget input.input');
    await page.locator('.quick-input-title', { hasText: 'Save Filter' }).waitFor();
    await name.fill('Every error');
    await accept(workbench);
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });

    await timeline.locator('#clear-filter').click();
    const offered = timeline.locator('#filter-list li', { hasText: 'Every error' });
    await offered.waitFor();
    await offered.click();
    const found = await outcomes((each) => each.length > 0 && each.every((outcome) => outcome.endsWith('_error')));
    expect(found.length).toBeGreaterThan(3);

    await timeline.locator('#saved-filters').click();
    const saved = pick.getByRole('option', { name: /Every error/ });
    await saved.hover();
    await saved.locator('.action-label').click();
    await saved.waitFor({ state: 'detached' });
    await pick.getByRole('option', { name: /Failures/ }).click();
    await until(async () => (await timeline.locator('#filter').inputValue()) === 'is:failure', 'the picked filter');
  });

  it('comes back as it was left when the window is loaded anew: filter, row, details and tab', async () => {
    const { page } = workbench;
    const timeline = await timelineIn(workbench, 'editor');
    await timeline.locator('#filter').fill('tool:get_author');
    await outcomes((each) => each.length > 0 && each.length < 5);
    await rowOf(timeline, /silent error/).click();
    await timeline.locator('#tab-response').click();
    await timeline.locator('#tab-response[aria-selected=true]').waitFor();
    await until(
      async () => (await storedState()).includes('tool:get_author'),
      'VS Code to store the state of its editors',
    );

    await page.reload({ waitUntil: 'commit' });
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    const again = await timelineIn(workbench, 'editor');
    await again.locator('#tab-response[aria-selected=true]').waitFor();
    expect(await again.locator('#filter').inputValue()).toBe('tool:get_author');
    await rowOf(again, /get_author.*silent error/)
      .and(again.locator('[aria-selected=true]'))
      .waitFor();
    expect(await again.locator('#grid').getAttribute('aria-rowcount')).toBe(
      String((await outcomes((each) => each.length > 0)).length + 1),
    );
    await workbench.screenshot('restored');
  });
});
