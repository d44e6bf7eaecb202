import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { TimeRange } from '../../../src/protocol/timelineViews.ts';
import type { PageOptions } from './harness.ts';
import { openPage, page, press, requests, servePages } from './openPage.ts';

const WIDE: PageOptions = { theme: 'dark', width: 1200, height: 700 };
const NARROW: PageOptions = { theme: 'dark', width: 300, height: 700, placement: 'sidebar' };
const HISTORY = { historyOf: 20 };

const open = (options: PageOptions) => openPage(options, '#overview');

const lastRange = async () => (await requests('setFilter')).at(-1)?.range;

const rowCount = () => page.locator('#grid').getAttribute('aria-rowcount').then(Number);

/** Waits until the list has another number of rows than before. */
async function waitForOtherCount(before: number): Promise<number> {
  await page.waitForFunction(
    (count) => document.querySelector('#grid')?.getAttribute('aria-rowcount') !== String(count),
    before,
  );
  return rowCount();
}

/** A place on a strip, as a fraction of its width. */
async function placeOf(fraction: number, selector = '#overview canvas'): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box !== null);
  return { x: box.x + box.width * fraction, y: box.y + box.height / 2 };
}

async function drag(from: number, to: number): Promise<void> {
  const [start, end] = [await placeOf(from), await placeOf(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, start.y);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

/** Colours of the opaque places of a canvas, as "r,g,b". Reads a copy: reading itself would change how the canvas is kept. */
const colours = (selector = '#overview canvas'): Promise<string[]> =>
  page.locator(selector).evaluate((canvas: HTMLCanvasElement) => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d', { willReadFrequently: true });
    context?.drawImage(canvas, 0, 0);
    const { data } = context?.getImageData(0, 0, copy.width, copy.height) ?? { data: [] };
    const found = new Set<string>();
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 255) {
        found.add([data[at], data[at + 1], data[at + 2]].join());
      }
    }
    return [...found];
  });

/** Waits until the strip's colours are as they should be. */
async function waitForColours(isRight: (found: readonly string[]) => boolean): Promise<void> {
  for (let found = await colours(); !isRight(found); found = await colours()) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** The range that is sent after `before`. */
async function rangeAfter(before: TimeRange | undefined): Promise<TimeRange | undefined> {
  await page.waitForFunction(
    (old) => {
      const sent = window.host.received.flatMap((message) =>
        message.type === 'request' && message.method === 'setFilter' ? [message.params.range ?? null] : [],
      );
      return JSON.stringify(sent.at(-1) ?? null) !== old;
    },
    JSON.stringify(before ?? null),
  );
  return lastRange();
}

/** Lanes, charts and a brush. */
async function showEverything(): Promise<void> {
  await page.locator('#toggle-lanes').click();
  await page.locator('#toggle-charts').click();
  await page.waitForSelector('#chart-latency .bar');
  await page.waitForSelector('.lane');
  await drag(0.3, 0.7);
  await page.waitForSelector('#range');
}

describe('the overview', () => {
  servePages();

  it('comes as a chunk of its own without moving the rows, and paints in the colours of the theme', async () => {
    await open(WIDE);
    const painted = await colours();
    const tone = await page
      .locator('.row.is-failure .cell.outcome .icon')
      .first()
      .evaluate((icon) => getComputedStyle(icon).color.match(/\d+/g)?.join() ?? '');
    assert.ok(painted.includes(tone), `${tone} is among ${painted.slice(0, 8).join(' ')}`);
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name.replace(/^.*\//, '')),
    );
    assert.ok(loaded.some((name) => name.startsWith('webview-overviewPart')));
    assert.ok(!loaded.some((name) => name.startsWith('webview-charts')), 'charts are loaded when they are shown');
  });

  it('paints anew when the theme changes under it', async () => {
    await open(WIDE);
    const before = await colours();
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--vscode-faultline-toolError', 'rgb(1, 2, 3)');
      document.documentElement.style.setProperty('--vscode-faultline-protocolError', 'rgb(1, 2, 3)');
    });
    await waitForColours((found) => found.includes('1,2,3'));
    assert.ok(!before.includes('1,2,3'));
  });

  it('brushes a time by mouse, shows only its rows, and shows all again by the chip', async () => {
    await open(WIDE);
    const all = await rowCount();
    await drag(0.2, 0.6);
    const brushed = await waitForOtherCount(all);
    assert.ok(brushed > 20 && brushed < all * 0.7, `${brushed} of ${all}`);
    const range = await lastRange();
    assert.ok(range?.toUs !== undefined && range.toUs > range.fromUs);
    assert.match((await page.locator('#range').textContent()) ?? '', /^14:0\S+ – 14:0.*\. Show all time$/);
    await page.locator('#range').click();
    assert.equal(await waitForOtherCount(brushed), all);
    assert.equal(await lastRange(), undefined);
  });

  it('moves a brush by its middle and changes it by its edges', async () => {
    await open(WIDE);
    await drag(0.2, 0.5);
    const first = await rangeAfter(undefined);
    await drag(0.35, 0.45);
    const moved = await rangeAfter(first);
    await drag(0.6, 0.8);
    const wider = await rangeAfter(moved);
    assert.ok(first?.toUs && moved?.toUs && wider?.toUs, JSON.stringify({ first, moved, wider }));
    const length = ({ fromUs, toUs }: { fromUs: number; toUs?: number }) => (toUs ?? 0) - fromUs;
    assert.ok(moved.fromUs > first.fromUs && Math.abs(length(moved) - length(first)) < 1_000_000);
    assert.ok(Math.abs(wider.fromUs - moved.fromUs) < 1_000_000 && wider.toUs > moved.toUs);
  });

  it('clears the brush by a click beside it and by a double click', async () => {
    await open(WIDE);
    for (const clear of [
      async () => {
        const { x, y } = await placeOf(0.9);
        await page.mouse.click(x, y);
      },
      async () => {
        const { x, y } = await placeOf(0.3);
        await page.mouse.dblclick(x, y);
      },
    ]) {
      await drag(0.2, 0.5);
      await page.waitForSelector('#range');
      await clear();
      await page.waitForSelector('#range', { state: 'detached' });
    }
  });

  it('has no end when it is dragged to the end, so that new rows still come', async () => {
    await open(WIDE);
    await drag(0.5, 1.05);
    // The brush is followed frame by frame; its last range is the one that stays.
    await page.waitForFunction(() => {
      const range = window.host.received
        .flatMap((message) =>
          message.type === 'request' && message.method === 'setFilter' ? [message.params.range] : [],
        )
        .at(-1);
      return range !== undefined && !('toUs' in range);
    });
    const key = await page.evaluate(() => window.host.append(true));
    await page.waitForSelector(`#row-${key}`);
  });

  it('goes to the failure of a bucket by a click', async () => {
    await open(WIDE);
    const { x, y } = await placeOf(0.03);
    await page.mouse.click(x, y);
    await page.waitForSelector('.row.is-selected');
    const [asked] = await requests('rowNear');
    const start = await page.locator('.row.is-selected .time').first().getAttribute('title');
    assert.ok(asked !== undefined && start !== null);
    assert.ok(Date.parse(`${start.replace(' ', 'T')}Z`) * 1000 < asked.toUs + 1_000_000);
    assert.equal(await page.locator('#follow').getAttribute('aria-pressed'), 'false');
  });

  it('works by keyboard and says where it is', async () => {
    await open(WIDE);
    await page.locator('#overview').focus();
    const text = () => page.locator('#overview').getAttribute('aria-valuetext');
    await press('Home');
    await page.waitForSelector('#overview[aria-valuenow="1"]');
    assert.match((await text()) ?? '', /^14:02:07.* to 14:02:07.*: \d+ calls/);
    await press('ArrowRight');
    await page.waitForSelector('#overview[aria-valuenow="2"]');

    const all = await rowCount();
    await press('+');
    const zoomed = await waitForOtherCount(all);
    assert.ok(zoomed < all);
    await press('+');
    const closer = await waitForOtherCount(zoomed);
    assert.ok(closer < zoomed);
    await press('Shift+ArrowRight');
    await press('-');
    await waitForOtherCount(closer);
    await press('Enter');
    await page.waitForSelector('.row.is-selected');
    await press('Escape');
    await page.waitForSelector('#range', { state: 'detached' });
    await page.waitForSelector(`#grid[aria-rowcount="${all}"]`);
    const help = await page.locator('#overview-help').textContent();
    assert.match(help ?? '', /300 calls, \d+ failed, from 14:02:07 to 14:0.*Arrow keys move/s);
  });

  it('is back with its brush, lanes and charts in a page that opens again', async () => {
    await open(WIDE);
    await drag(0.2, 0.6);
    await page.locator('#toggle-lanes').click();
    await page.locator('#toggle-charts').click();
    await page.waitForSelector('#chart-time .bar');
    const shown = await rowCount();
    const state = await page.evaluate(() => window.host.saved);
    await page.close();
    await open({ ...WIDE, settings: { state } });
    await page.waitForSelector('#range');
    await page.waitForSelector('.lane');
    await page.waitForSelector('#chart-time .bar');
    await page.waitForFunction(
      (count) => document.querySelector('#grid')?.getAttribute('aria-rowcount') === String(count),
      shown,
    );
  });

  it('follows the filter, and clears with it', async () => {
    await open(WIDE);
    const before = await page.locator('#overview-help').textContent();
    await page.locator('.chip[data-outcome=success]').click();
    await page.waitForFunction((text) => document.querySelector('#overview-help')?.textContent !== text, before);
    await page.locator('#filter').fill('nothing like it');
    await page.waitForSelector('.empty');
    await page.waitForSelector('#overview[aria-valuetext="nothing"]');
    await page.locator('.empty .button').click();
    await page.waitForFunction((text) => document.querySelector('#overview-help')?.textContent === text, before);
  });

  it('tells when it cannot be counted', async () => {
    await openPage({ ...WIDE, settings: { refuse: ['overview'] } }, '.footer-error');
    assert.match((await page.locator('.footer-error').textContent()) ?? '', /overview/);
  });

  for (const options of [WIDE, NARROW]) {
    it(`has a lane for each server at ${options.width} px, those with failures first`, async () => {
      await open({ ...options, settings: HISTORY });
      await page.locator('#toggle-lanes').click();
      await page.waitForSelector('.lane');
      const counts = await page.locator('.lane .lane-count').allTextContents();
      assert.ok(counts.length >= 8 && counts.length <= 20);
      const failing = counts.map((text) => text.includes('/'));
      assert.deepEqual(
        failing,
        failing.toSorted((a, b) => Number(b) - Number(a)),
      );
      assert.match(
        (await page.locator('.lane-label').first().getAttribute('title')) ?? '',
        /^bookshop, 2025-11-25, \d+ of \d+ failed\. Show only bookshop$/,
      );
      assert.ok((await colours('.lane canvas >> nth=0')).length > 0);

      await page.locator('.lane-label').first().click();
      await page.waitForFunction(() => document.querySelectorAll('.lane').length === 1);
      assert.equal(await page.locator('#filter').inputValue(), 'server:bookshop');
      assert.equal(await page.locator('.lane-label').getAttribute('aria-pressed'), 'true');
      await page.locator('.lane-label').click();
      await page.waitForFunction(() => document.querySelectorAll('.lane').length > 1);
      assert.equal(await page.locator('#filter').inputValue(), '');
    });
  }

  it('goes through lanes by keyboard with one tab stop, scrolling as it goes', async () => {
    await open({ ...NARROW, settings: HISTORY });
    await page.locator('#toggle-lanes').click();
    await page.waitForSelector('.lane');
    assert.equal(await page.locator('.lane-label[tabindex="0"]').count(), 1);
    await page.locator('.lane-label').first().focus();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-lane-index'));
    for (const [key, index] of [
      ['ArrowDown', '1'],
      ['End', '19'],
      ['ArrowUp', '18'],
      ['Home', '0'],
    ] as const) {
      await press(key);
      await page.waitForFunction((wanted) => document.activeElement?.getAttribute('data-lane-index') === wanted, index);
      assert.equal(await focused(), index);
    }
  });

  it('brushes and jumps in a lane as in the strip, and jumps within its server', async () => {
    await open({ ...WIDE, settings: HISTORY });
    await page.locator('#toggle-lanes').click();
    await page.waitForSelector('.lane');
    const { x, y } = await placeOf(0.2, '.lane canvas >> nth=3');
    await page.mouse.click(x, y);
    await page.waitForSelector('.row.is-selected');
    const name = await page.locator('.lane .lane-name').nth(3).textContent();
    assert.equal(await page.locator('.row.is-selected .cell.server').textContent(), name);
  });

  for (const options of [WIDE, NARROW]) {
    it(`draws charts at ${options.width} px, whose bars choose a time or a duration`, async () => {
      await open({ ...options, settings: HISTORY });
      await page.locator('#toggle-charts').click();
      await page.waitForSelector('#chart-latency .bar');
      const all = await rowCount();
      assert.equal(
        await page.locator('#chart-time tbody tr').count(),
        await page.locator('#chart-time [role=option]').count(),
      );

      await page.locator('#chart-time [role=option] .hit').nth(2).click();
      const brushed = await waitForOtherCount(all);
      await page.waitForSelector('#range');
      assert.ok(brushed < all);
      await page.locator('#range').click();
      await waitForOtherCount(brushed);

      await page.locator('.percentile').nth(1).click();
      await waitForOtherCount(all);
      assert.match(await page.locator('#filter').inputValue(), /^ms>=\d+(\.\d)?$/);
      const percentile = await page.locator('.percentile').nth(1).getAttribute('title');
      assert.match(percentile ?? '', /^ms≥/);
    });
  }

  it('goes through the bars of a chart by keyboard', async () => {
    await open({ ...WIDE, settings: HISTORY });
    await page.locator('#toggle-charts').click();
    await page.waitForSelector('#chart-latency .bar');
    await page.locator('#chart-latency svg').focus();
    await press('End');
    const last = (await page.locator('#chart-latency [role=option]').count()) - 1;
    await page.waitForSelector(`#chart-latency svg[aria-activedescendant="bar-latency-${last}"]`);
    await press('ArrowLeft');
    await page.waitForSelector(`#bar-latency-${last - 1}[aria-selected=true]`);
    const label = await page.locator(`#bar-latency-${last - 1}`).getAttribute('aria-label');
    assert.match(label ?? '', /^\d+ m?s to \d+ m?s: \d+ passed, \d+ failed$/);
    const before = await rowCount();
    await press('Enter');
    await waitForOtherCount(before);
    assert.match(await page.locator('#filter').inputValue(), /^ms>=/);
  });

  it('shows and hides lanes and charts by command', async () => {
    await open(WIDE);
    for (const [action, selector] of [
      ['toggleLanes', '.lanes'],
      ['toggleCharts', '.chart'],
    ] as const) {
      await page.evaluate((name) => window.host.notify({ name: 'act', params: { action: name } }), action);
      await page.waitForSelector(selector);
      await page.evaluate((name) => window.host.notify({ name: 'act', params: { action: name } }), action);
      await page.waitForSelector(selector, { state: 'detached' });
    }
  });

  it('gives its room back when nothing is recorded', async () => {
    await openPage({ ...WIDE, settings: { rows: 0 } });
    assert.equal(await page.locator('.overview').count(), 0);
  });

  for (const width of [280, 300, 600, 1200]) {
    it(`fits ${width} px with lanes, charts and a brush, and leaves rows in sight`, async () => {
      await open({ ...WIDE, width, height: 600, settings: HISTORY });
      await showEverything();
      const over = await page.evaluate(() =>
        [...document.querySelectorAll('.page *:not(.sr-only):not(.sr-only *)')]
          .filter((element) => element.getBoundingClientRect().right > document.body.clientWidth + 0.5)
          .map((element) => `${element.tagName}.${element.getAttribute('class')}`),
      );
      assert.deepEqual(over, []);
      const grid = await page.locator('#grid').boundingBox();
      assert.ok((grid?.height ?? 0) >= 90, `the list is ${grid?.height} px high`);
    });
  }

  it('tells failures from successes by shape where there are few colours', async () => {
    await open(WIDE);
    const before = await colours();
    await page.emulateMedia({ forcedColors: 'active' });
    await waitForColours((found) => found.length > 0 && !found.some((colour) => before.includes(colour)));
  });
});
