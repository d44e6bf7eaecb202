import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { PageOptions } from './harness.ts';
import { openPage, page, press, requests, servePages } from './openPage.ts';

const WIDE: PageOptions = { theme: 'dark', width: 1200, height: 500 };
const NARROW: PageOptions = { theme: 'dark', width: 300, height: 500, placement: 'sidebar' };

const selectedIndex = () => page.locator('.row.is-selected').evaluate((row) => Number(row.getAttribute('data-index')));

async function waitForSelected(index: number): Promise<void> {
  await page.waitForSelector(`.row.is-selected[data-index="${index}"]`);
}

async function goHome(): Promise<void> {
  await page.locator('#grid').focus();
  await press('Home');
  await waitForSelected(0);
}

describe('the timeline page', () => {
  servePages();

  it('renders only the rows near the screen and counts all of them', async () => {
    await openPage({ ...WIDE, settings: { rows: 5000 } });
    assert.ok((await page.locator('.row').count()) < 50);
    assert.equal(await page.locator('#grid').getAttribute('aria-rowcount'), '5001');
  });

  it('moves by keys, names the active row, and wraps from failure to failure', async () => {
    await openPage(WIDE);
    await goHome();
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['End', 299],
      ['Home', 0],
    ] as const) {
      await press(key);
      await waitForSelected(index);
    }
    const active = await page.locator('#grid').getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-rowindex'), '2');
    await press('PageDown');
    await page.waitForFunction(
      () => Number(document.querySelector('.row.is-selected')?.getAttribute('data-index')) > 8,
    );
    await press('Home');
    await waitForSelected(0);
    await press('F8');
    await waitForSelected(2);
    await press('F8');
    await waitForSelected(3);
    await press('Shift+F8');
    await waitForSelected(2);
    await press('Shift+F8');
    await page.waitForFunction(
      () => Number(document.querySelector('.row.is-selected')?.getAttribute('data-index')) > 200,
    );
  });

  it('does not lose keys that come faster than rows', async () => {
    await openPage({ ...WIDE, settings: { rows: 3000 } });
    await goHome();
    await press('End');
    for (let step = 0; step < 10; step += 1) {
      await press('ArrowUp');
    }
    await waitForSelected(2989);
  });

  it('lets no handled key reach VS Code, which has its own binding for it', async () => {
    await openPage(WIDE);
    await page.evaluate(() => {
      window.addEventListener('keydown', (event) => document.body.setAttribute('data-leaked', event.key));
    });
    await goHome();
    await press('F8');
    await waitForSelected(2);
    assert.equal(await page.locator('body').getAttribute('data-leaked'), null);
  });

  it('folds and unfolds a chain by arrow keys', async () => {
    await openPage(WIDE);
    await page.locator('#grid').focus();
    await press('Home');
    for (let step = 0; step < 6; step += 1) {
      await press('ArrowDown');
    }
    await waitForSelected(6);
    await press('ArrowRight');
    await page.waitForSelector('[data-index="7"].is-attempt');
    await press('ArrowRight');
    await waitForSelected(7);
    await press('ArrowDown');
    await waitForSelected(8);
    await press('ArrowLeft');
    await waitForSelected(6);
    await press('ArrowLeft');
    await page.waitForSelector('[data-index="6"] .twisty[aria-expanded=false]');
    assert.equal(await page.locator('.row.is-attempt').count(), 0);
  });

  it('keeps the selected row by key when a filter moves it', async () => {
    await openPage(WIDE);
    await goHome();
    await press('F8');
    await waitForSelected(2);
    await page.locator('.chip[data-outcome=success]').click();
    await waitForSelected(0);
    assert.equal(await page.locator('.row.is-selected .name').textContent(), 'get_author');
    assert.equal(await page.locator('.chip[data-outcome=success]').getAttribute('aria-pressed'), 'false');
  });

  it('opens details beside the list, walks its tabs and resizes by keys', async () => {
    await openPage(WIDE);
    await goHome();
    await press('F8');
    await waitForSelected(2);
    await press('Enter');
    await page.waitForSelector('.details .badge');
    assert.equal(await page.locator('.badge').textContent(), 'silent error');
    await page.locator('#tab-why').focus();
    await press('ArrowRight');
    await page.waitForSelector('#tab-request[aria-selected=true]:focus');
    await page.locator('[role=separator]').focus();
    const before = await page.locator('.details').evaluate((pane) => pane.clientWidth);
    await press('ArrowLeft');
    await page.waitForFunction((width) => document.querySelector('.details')?.clientWidth === width, before + 16);
    const bar = await page.locator('[role=separator]').boundingBox();
    await page.mouse.move(bar?.x ?? 0, 300);
    await page.mouse.down();
    await page.mouse.move((bar?.x ?? 0) - 40, 300, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((width) => document.querySelector('.details')?.clientWidth === width, before + 56);
    await press('Escape');
    await page.waitForFunction(() => document.querySelector('.details') === null);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'grid');
  });

  it('opens details over the list in a narrow view, and goes back', async () => {
    await openPage(NARROW);
    await goHome();
    await page.locator('[data-index="2"]').click();
    await page.waitForSelector('.details.is-over .badge');
    assert.equal(await page.locator('.list').evaluate((list) => list.hasAttribute('inert')), true);
    await page.locator('#back').click();
    await page.waitForFunction(() => document.querySelector('.details') === null);
    assert.equal(await selectedIndex(), 2);
  });

  it('keeps its place when the rows change their height', async () => {
    await openPage(WIDE);
    await goHome();
    await page.locator('#grid').evaluate((grid) => {
      grid.scrollTop = 100 * 24;
    });
    await page.waitForSelector('[data-index="100"]');
    await page.setViewportSize({ width: 300, height: 500 });
    await page.waitForFunction(() => document.querySelector('#grid')?.scrollTop === 100 * 44);
  });

  it('replays and copies the selected row, by keys and by the palette', async () => {
    await openPage(WIDE);
    await goHome();
    await press('r');
    await press('c');
    await page.evaluate(() => window.host.notify({ name: 'act', params: { action: 'copySelected' } }));
    await page.waitForFunction(
      () => window.host.received.filter((each) => each.type === 'request' && each.method === 'copy').length === 2,
    );
    assert.deepEqual(await requests('replay'), [{ key: 1 }]);
    assert.deepEqual(await requests('copy'), [
      { key: 1, format: 'json' },
      { key: 1, format: 'json' },
    ]);
  });

  it('selects the row of a right click for the menu of VS Code, and filters by what it has', async () => {
    await openPage(WIDE);
    await goHome();
    const context = await page.locator('#grid').getAttribute('data-vscode-context');
    assert.deepEqual(JSON.parse(context ?? ''), { webviewSection: 'row', preventDefaultContextMenuItems: true });
    await page.locator('[data-index="4"]').click({ button: 'right' });
    await waitForSelected(4);
    assert.equal(await page.locator('.details').count(), 0);
    const act = async (action: 'filterTool' | 'filterServer' | 'filterOutcome', filter: string) => {
      await page.evaluate((name) => window.host.notify({ name: 'act', params: { action: name } }), action);
      await page.waitForFunction((text) => document.querySelector<HTMLInputElement>('#filter')?.value === text, filter);
    };
    await act('filterServer', 'server:github');
    await act('filterOutcome', 'server:github outcome:tool_error');
    await act('filterTool', 'server:github outcome:tool_error tool:create_issue');
    await act('filterServer', 'outcome:tool_error tool:create_issue server:github');
  });

  it('keeps the rows that a person looks at when earlier ones have been read', async () => {
    await openPage({ ...WIDE, settings: { rows: 500, isReading: true } });
    await goHome();
    assert.match((await page.locator('.footer').textContent()) ?? '', /reading earlier calls/);
    await page.locator('#grid').evaluate((grid) => {
      grid.scrollTop = 20 * 24;
    });
    await page.waitForSelector('[data-index="20"]:not(.is-loading)');
    const first = () =>
      page.evaluate(() => {
        const top = document.querySelector('.head')?.getBoundingClientRect().bottom ?? 0;
        const rows = [...document.querySelectorAll('.row[id]')];
        return rows.find((row) => row.getBoundingClientRect().bottom > top + 2)?.id;
      });
    const before = await first();
    await page.evaluate(() => window.host.readAll());
    await page.waitForFunction(() => document.querySelector('#grid')?.getAttribute('aria-rowcount') === '501');
    await page.waitForFunction((id) => document.querySelector(`#${id}[data-index="420"]`) !== null, before ?? '');
    assert.equal(await first(), before);
    assert.doesNotMatch((await page.locator('.footer').textContent()) ?? '', /reading earlier calls/);
  });

  it('goes to the source of a tool that a row calls, and offers it for no other', async () => {
    await openPage(WIDE);
    await goHome();
    await press('Enter');
    const button = page.getByRole('button', { name: 'Go to Tool Source' });
    const methods = await page.locator('.row').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
    const other = methods.findIndex((text) => text.includes('initialize'));
    await page.locator(`.row[data-index="${other}"]`).click();
    // The details of the row before stay on screen until those of this one have come.
    await page.locator('.details-title', { hasText: 'initialize' }).waitFor();
    assert.equal(await button.count(), 0);
    await page.locator('.row', { hasText: 'get_author' }).first().click();
    await button.click();
    assert.equal((await requests('goToToolSource')).length, 1);
  });

  it('lists what was unusual under the verdict, and leads to its message', async () => {
    await openPage({ ...WIDE, settings: { rows: 300 } });
    await goHome();
    await press('F8');
    await press('Enter');
    const anomaly = page.locator('.anomalies .severity-warn');
    await anomaly.waitFor();
    const text = (await anomaly.textContent()) ?? '';
    assert.match(text, /from 5 to 3.*must increase[\s\S]*Count up[\s\S]*warning/);
    assert.equal(text.includes('\u202E'), false);
    await anomaly.locator('button', { hasText: '/params/progress' }).click();
    await page.waitForFunction(() =>
      window.host.received.some((message) => message.type === 'request' && message.method === 'openPayload'),
    );
  });

  it('tells why an action failed', async () => {
    await openPage({ ...WIDE, settings: { refuse: ['replay'] } });
    await goHome();
    await press('r');
    await page.waitForSelector('.footer-error');
    assert.match((await page.locator('.footer-error').textContent()) ?? '', /refused “replay”/);
  });

  it('goes to an attempt that is folded and to a row that the host names', async () => {
    await openPage(WIDE);
    await page.evaluate(() => window.host.notify({ name: 'reveal', params: { key: 1001 } }));
    await waitForSelected(100);
    await page.waitForSelector('.details .badge');
    await goHome();
    await page.locator('[data-index="6"]').click();
    await page.locator('#tab-attempts').click();
    await page.locator('.attempt-entry').first().click();
    await page.waitForSelector('.row.is-attempt.is-selected');
  });

  it('ticks a row that waits and shows how it ended', async () => {
    await openPage(WIDE);
    const key = await page.evaluate(() => window.host.append(false));
    const duration = page.locator(`#row-${key} .duration`);
    const first = await duration.textContent();
    await page.waitForFunction(
      ([id, text]) => document.querySelector(`#row-${id} .duration`)?.textContent?.trim() !== text,
      [String(key), first] as const,
    );
  });

  it('shows hidden characters of a server as escapes', async () => {
    await openPage(WIDE);
    await goHome();
    assert.equal(await page.locator('[data-index="13"] .name').textContent(), 'stat_\\u202egpj.exe');
    assert.equal((await page.locator('.page').textContent())?.includes('\u202E'), false);
  });

  it('starts as it was left', async () => {
    const state = {
      version: 1,
      hiddenOutcomes: ['cancelled'],
      selected: 21,
      isFollowing: false,
      detailsWidth: 500,
      isDetailsOpen: true,
    };
    await openPage({ ...WIDE, settings: { state } });
    await waitForSelected(2);
    await page.waitForSelector('.details .badge');
    assert.equal(await page.locator('.details').evaluate((pane) => pane.clientWidth), 500);
    assert.equal(await page.locator('.chip[data-outcome=cancelled]').getAttribute('aria-pressed'), 'false');
    assert.deepEqual(await requests('setFilter'), [{ hiddenOutcomes: ['cancelled'], text: '' }]);
  });

  it('offers the demo and the servers while nothing is recorded', async () => {
    await openPage({ ...WIDE, settings: { rows: 0 } });
    await page.locator('.empty .primary').click();
    await page.locator('.empty .secondary').click();
    await page.waitForFunction(
      () => window.host.received.filter((each) => each.type === 'request' && each.method === 'runCommand').length === 2,
    );
    assert.deepEqual(await requests('runCommand'), [{ command: 'runDemo' }, { command: 'connectAll' }]);
  });

  it('leads to the trust of the workspace where nothing may be started, and offers the rest once it is given', async () => {
    await openPage({ ...WIDE, settings: { rows: 0, isUntrusted: true } });
    assert.deepEqual(await page.locator('.empty button').allInnerTexts(), ['Manage Workspace Trust']);
    await page.locator('.empty .primary').click();
    await page.waitForFunction(() =>
      window.host.received.some((each) => each.type === 'request' && each.method === 'runCommand'),
    );
    assert.deepEqual(await requests('runCommand'), [{ command: 'manageTrust' }]);
    await page.evaluate(() => window.host.trust());
    await page.waitForFunction(() => document.querySelectorAll('.empty button').length === 2);
  });

  for (const width of [280, 400, 600, 899, 1600]) {
    it(`never scrolls sideways at ${width} px`, async () => {
      await openPage({ ...WIDE, width });
      await goHome();
      await page.locator('[data-index="3"]').click();
      await page.waitForSelector('.details .badge');
      const overflow = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.grid, .tab-body, .chips, .toolbar, .footer')]
          .filter((element) => element.scrollWidth > element.clientWidth)
          .map((element) => element.className),
      );
      assert.deepEqual(overflow, []);
    });
  }

  it('keeps protocol error, tool error and partial apart by icon, word and colour', async () => {
    await openPage(WIDE);
    await goHome();
    const looks = await page.evaluate(() =>
      [5, 4, 3].map((index) => {
        const cell = document.querySelector(`[data-index="${index}"] .outcome`);
        const icon = cell?.querySelector('.icon');
        const glyph = icon === null || icon === undefined ? '' : getComputedStyle(icon, '::before').content;
        const color = icon === null || icon === undefined ? '' : getComputedStyle(icon).color;
        return { glyph, color, word: cell?.textContent?.trim() };
      }),
    );
    for (const field of ['glyph', 'color', 'word'] as const) {
      assert.equal(new Set(looks.map((look) => look[field])).size, 3, field);
    }
  });
});
