import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { PageOptions } from './harness.ts';
import { openPage, page, servePages } from './openPage.ts';

const WIDE: PageOptions = { theme: 'dark', width: 1200, height: 500 };

const isAtEnd = () =>
  page.locator('#grid').evaluate((grid) => grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1);

describe('the tail of the timeline', () => {
  servePages();

  it('follows the tail while it is at the end, and stops where the user looks', async () => {
    await openPage(WIDE);
    assert.equal(await isAtEnd(), true);
    const key = await page.evaluate(() => window.host.append(true));
    await page.waitForSelector(`#row-${key}`);
    assert.equal(await isAtEnd(), true);

    await page.locator('#grid').hover();
    await page.mouse.wheel(0, -300);
    await page.waitForSelector('#follow[aria-pressed=false]');
    const before = await page.locator('#grid').evaluate((grid) => grid.scrollTop);
    await page.evaluate(() => window.host.append(true));
    await page.waitForFunction(() => document.querySelector('#grid')?.getAttribute('aria-rowcount') === '303');
    assert.equal(await page.locator('#grid').evaluate((grid) => grid.scrollTop), before);

    await page.locator('#follow').click();
    await page.waitForFunction(() => {
      const grid = document.querySelector('#grid');
      return grid !== null && grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1;
    });
  });

  it('goes on following when the list is made smaller', async () => {
    await openPage(WIDE);
    await page.setViewportSize({ width: 1200, height: 250 });
    await page.waitForFunction(() => (document.querySelector('#grid')?.clientHeight ?? 500) < 200);
    const key = await page.evaluate(() => window.host.append(true));
    await page.waitForSelector(`#row-${key}`);
    assert.equal(await page.locator('#follow').getAttribute('aria-pressed'), 'true');
    assert.equal(await isAtEnd(), true);
  });

  it('lets a key leave the end also while the browser has still to tell of the scroll there', async () => {
    await openPage(WIDE);
    await page.locator('#grid').focus();
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const before = document.querySelector('#grid')?.scrollTop;
          // After the frame in which the page has scrolled: the event of it comes with the next one.
          const afterFrame = () => requestAnimationFrame(() => setTimeout(look));
          const look = () => {
            const grid = document.querySelector('#grid');
            if (grid === null || grid.scrollTop === before) {
              afterFrame();
              return;
            }
            grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
            resolve();
          };
          window.host.append(true);
          afterFrame();
        }),
    );
    await page.waitForSelector('.row.is-selected[data-index="0"]');
    const key = await page.evaluate(() => window.host.append(true));
    await page.waitForFunction(() => document.querySelector('#grid')?.getAttribute('aria-rowcount') === '303');
    assert.equal(await page.locator('#follow').getAttribute('aria-pressed'), 'false');
    assert.equal(await page.locator('#grid').evaluate((grid) => grid.scrollTop), 0);
    assert.equal(await page.locator(`#row-${key}`).count(), 0);
  });

  it('has no tail under a screen reader until it is asked for', async () => {
    await openPage({ ...WIDE, bodyClasses: 'vscode-using-screen-reader' });
    assert.equal(await page.locator('#follow').getAttribute('aria-pressed'), 'false');
    assert.equal(await page.locator('#grid').evaluate((grid) => grid.scrollTop), 0);
  });
});
