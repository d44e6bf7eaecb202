import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { PageOptions } from './harness.ts';
import { openPage, page, press, requests, servePages } from './openPage.ts';

const WIDE: PageOptions = { theme: 'dark', width: 1200, height: 500 };
const NARROW: PageOptions = { theme: 'dark', width: 300, height: 500, placement: 'sidebar' };

const value = () => page.locator('#filter').inputValue();
const labels = () => page.locator('#filter-list .completion-label').allTextContents();

/** Waits until the rows are those of the text. */
async function filtered(text: string): Promise<number> {
  await page.waitForFunction(
    (wanted) =>
      window.host.received.some(
        (message) => message.type === 'request' && message.method === 'setFilter' && message.params.text === wanted,
      ) && document.querySelector('#grid')?.getAttribute('aria-rowcount') === String(window.host.shown + 1),
    text,
  );
  await page.waitForSelector('.row:not(.is-loading), .empty');
  return Number(await page.locator('#grid').getAttribute('aria-rowcount')) - 1;
}

/** Walks to a suggestion by the arrow key. */
async function walkTo(label: string): Promise<void> {
  await page.locator('#filter-list .completion-label').getByText(label, { exact: true }).waitFor();
  const place = (await labels()).indexOf(label);
  for (let step = 0; step <= place; step += 1) {
    await press('ArrowDown');
    await page.waitForSelector(`#filter[aria-activedescendant="filter-option-${step}"]`);
    await page.waitForSelector(`#filter-option-${step}[aria-selected=true]`);
  }
}

describe('the filter bar', () => {
  servePages();

  it('writes a whole filter with suggestions and keys alone', async () => {
    await openPage(WIDE);
    await page.locator('#grid').focus();
    await press('/');
    await page.keyboard.type('serv');
    await page.waitForSelector('#filter-list');
    assert.equal(await page.locator('#filter').getAttribute('aria-expanded'), 'true');
    await press('Tab');
    await walkTo('github');
    await press('Enter');
    assert.equal(await value(), 'server:github ');
    await page.keyboard.type('outcome:tool');
    await walkTo('tool_error');
    await press('Enter');
    assert.equal(await value(), 'server:github outcome:tool_error ');
    const rows = await filtered('server:github outcome:tool_error ');
    assert.ok(rows > 0 && rows < 100, String(rows));
    assert.deepEqual(
      [...new Set(await page.locator('.row .outcome-text').allTextContents())].map((text) => text.trim()),
      ['tool error'],
    );
    await press('Enter');
    await page.waitForSelector('#grid:focus');
  });

  it('filters by text, keeps the last good rows when the host refuses, and says why', async () => {
    await openPage(WIDE);
    await press('/');
    await page.locator('#filter').fill('weather');
    await page.waitForFunction(() => Number(document.querySelector('#grid')?.getAttribute('aria-rowcount')) < 100);
    const rows = await page.locator('#grid').getAttribute('aria-rowcount');
    await page.keyboard.type(' "');
    await page.waitForSelector('#filter-error');
    assert.equal(await page.locator('#grid').getAttribute('aria-rowcount'), rows);
    await press('Backspace');
    await page.waitForFunction(() => document.querySelector('#filter-error') === null);
    await page.waitForFunction(() => document.querySelector('[aria-live]')?.textContent?.endsWith('300 rows'));
    await page.locator('#filter').fill('nothing like it');
    await page.locator('.empty button').click();
    await page.waitForFunction(() => document.querySelector('#grid')?.getAttribute('aria-rowcount') === '301');
  });

  it('gives a row to stand on also when it is left before its rows are there', async () => {
    await openPage(WIDE);
    await press('/');
    await page.evaluate(() => window.host.holdFilters());
    await page.locator('#filter').fill('server:github outcome:tool_error ');
    await press('Enter');
    await page.waitForSelector('#grid:focus');
    await page.evaluate(() => window.host.answerFilters());
    assert.ok((await filtered('server:github outcome:tool_error ')) < 100);
    await page.waitForFunction(() => {
      const id = document.querySelector('#grid')?.getAttribute('aria-activedescendant') ?? '';
      return document.getElementById(id)?.querySelector('.outcome-text')?.textContent?.trim() === 'tool error';
    });
  });

  it('closes suggestions by Escape, and is left by the next one', async () => {
    await openPage(WIDE);
    await page.locator('#filter').focus();
    await page.waitForSelector('#filter-list');
    await press('Escape');
    await page.waitForFunction(() => document.querySelector('#filter-list') === null);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'filter');
    await press('Escape');
    await page.waitForSelector('#grid:focus');
    await page.locator('#filter').focus();
    await page.waitForSelector('#filter-list');
    await page.locator('#follow').focus();
    await page.waitForFunction(() => document.querySelector('#filter-list') === null);
  });

  it('takes a suggestion by the mouse and stays in the field', async () => {
    await openPage(NARROW);
    await page.locator('#filter').click();
    await page.getByText('ms>', { exact: true }).click();
    assert.equal(await value(), 'ms>');
    await page.getByText('500', { exact: true }).click();
    assert.equal(await value(), 'ms>500 ');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'filter');
  });

  it('underlines what is wrong, says it, and keeps the last good rows', async () => {
    await openPage(WIDE);
    await page.locator('#filter').fill('server:github');
    const rows = await filtered('server:github');
    await page.locator('#filter').fill('server:github outcome:timeot');
    await page.waitForSelector('#filter-error');
    assert.match((await page.locator('#filter-error').textContent()) ?? '', /"timeot" is no value of "outcome"/);
    assert.equal(await page.locator('.filter-place u').textContent(), 'timeot');
    assert.equal(await page.locator('#filter').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('#filter').getAttribute('aria-describedby'), 'filter-error');
    assert.equal(Number(await page.locator('#grid').getAttribute('aria-rowcount')) - 1, rows);
    // The rows that come stay those of the last good filter, and the text stays to be corrected.
    await page.evaluate(() => window.host.append(true));
    assert.equal(await value(), 'server:github outcome:timeot');
    const [place, field] = await page.evaluate(() => {
      const mark = document.querySelector('.filter-place u');
      const input = document.querySelector('#filter');
      return [mark?.getBoundingClientRect().x ?? 0, input?.getBoundingClientRect().x ?? 0];
    });
    const letter = await page.locator('#filter').evaluate((input) => {
      const canvas = document.createElement('canvas').getContext('2d');
      const { fontSize, fontFamily } = getComputedStyle(input);
      if (canvas === null) {
        return 0;
      }
      canvas.font = `${fontSize} ${fontFamily}`;
      return canvas.measureText('server:github outcome:').width;
    });
    assert.ok(Math.abs(place - field - letter) < 3, `${place - field} is under the letter at ${letter}`);
    await page.locator('#filter').fill('server:github outcome:timeout');
    await page.waitForFunction(() => document.querySelector('#filter-error') === null);
    assert.equal(await page.locator('.filter-place').count(), 0);
  });

  it('offers saved filters in an empty field, with the toggles that go with them', async () => {
    await openPage(WIDE);
    await press('/');
    await walkTo('Slow on GitHub');
    await press('Enter');
    await filtered('server:github ms>100');
    assert.equal(await value(), 'server:github ms>100');
    assert.deepEqual((await requests('setFilter')).at(-1), {
      hiddenOutcomes: ['cancelled'],
      text: 'server:github ms>100',
    });
    await page.waitForSelector('.chip[data-outcome=cancelled][aria-pressed=false]');
  });

  it('lets the host save and pick, and shows what was picked', async () => {
    await openPage(WIDE);
    await page.locator('#filter').fill('is:silent');
    await page.locator('#saved-filters').click();
    await page.waitForFunction(() =>
      window.host.received.some((message) => message.type === 'request' && message.method === 'pickFilter'),
    );
    assert.deepEqual((await requests('pickFilter')).at(-1), { hiddenOutcomes: [], text: 'is:silent' });
    await page.evaluate(() =>
      window.host.notify({ name: 'filter', params: { hiddenOutcomes: [], text: 'is:failure' } }),
    );
    await filtered('is:failure');
    assert.equal(await value(), 'is:failure');
  });

  it('is emptied by its button, which goes with the text', async () => {
    await openPage(NARROW);
    await page.locator('#filter').fill('is:failure');
    await filtered('is:failure');
    await page.locator('#clear-filter').click();
    await filtered('');
    assert.equal(await page.locator('#clear-filter').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'filter');
  });

  for (const width of [280, 300]) {
    it(`fits ${width} px with suggestions and an error`, async () => {
      await openPage({ ...NARROW, width });
      await page.locator('#filter').focus();
      await page.waitForSelector('#filter-list');
      const list = await page.locator('#filter-list').boundingBox();
      assert.ok(list !== null && list.x >= 0 && list.x + list.width <= width);
      await page.keyboard.type('outcome:x and server:github and tool:create_issue');
      await page.waitForSelector('#filter-error');
      const overflow = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.toolbar, .stack, #filter-list')]
          .filter((element) => element.scrollWidth > element.clientWidth)
          .map((element) => element.className),
      );
      assert.deepEqual(overflow, []);
    });
  }
});
