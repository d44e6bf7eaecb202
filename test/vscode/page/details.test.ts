import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { PageOptions } from './harness.ts';
import { openPage, page, press, requests, servePages } from './openPage.ts';

const WIDE: PageOptions = { theme: 'dark', width: 1200, height: 700 };
const NARROW: PageOptions = { theme: 'dark', width: 280, height: 600, placement: 'sidebar' };

/** Index of a sample row that has what a test looks at. */
const ROWS = { success: 0, large: 1, silent: 2, partial: 3, toolError: 4, chain: 6, transport: 8 } as const;

async function open(options: PageOptions, row: keyof typeof ROWS): Promise<void> {
  await openPage(options);
  await page.locator('#grid').focus();
  await press('Home');
  await page.waitForSelector('.row.is-selected[data-index="0"]');
  await page.locator(`[data-index="${ROWS[row]}"]`).click();
  await page.waitForSelector('.tab-body');
}

const tab = async (name: string) => {
  await page.locator(`#tab-${name}`).click();
  await page.waitForSelector(`.tab-body.is-${name}`);
};

const active = () => page.locator('.tree-row.is-active .tree-text').textContent();

describe('the details pane', () => {
  servePages();

  it('has one tab stop for its tabs, and no tab that has nothing to say', async () => {
    await open(WIDE, 'toolError');
    const names = async () => page.locator('[role=tab]').allTextContents();
    assert.deepEqual(await names(), ['Why', 'Request', 'Response', 'HTTP', 'Related2']);
    await page.locator('#tab-why').focus();
    for (const [key, expected] of [
      ['ArrowRight', 'request'],
      ['End', 'related'],
      ['ArrowRight', 'why'],
      ['ArrowLeft', 'related'],
      ['Home', 'why'],
    ] as const) {
      await press(key);
      await page.waitForSelector(`#tab-${expected}[aria-selected=true]:focus`);
    }
    assert.equal(await page.locator('[role=tab][tabindex="0"]').count(), 1);
  });

  it('says why there is no answer', async () => {
    await open(WIDE, 'transport');
    await tab('response');
    assert.match((await page.locator('.tab-body').textContent()) ?? '', /There is no answer\.\s+No answer came/);
  });

  it('goes from a signal to its place in the message, opened and marked', async () => {
    await open(WIDE, 'partial');
    await page.locator('.signal .link', { hasText: '/result/structuredContent/rejected' }).click();
    await page.waitForSelector('#tab-response[aria-selected=true]');
    await page.waitForSelector('[role=tree]:focus');
    assert.equal(await active(), 'rejected: [3]');
    assert.equal(await page.locator('.tree-row.is-marked.is-active').count(), 1);
    const [row, bar] = await Promise.all([
      page.locator('.tree-row.is-active').boundingBox(),
      page.locator('.tree-bar').boundingBox(),
    ]);
    assert.ok((row?.y ?? 0) + (row?.height ?? 0) <= (bar?.y ?? 0), 'not behind the bar');
  });

  it('walks the tree by keys and copies values and pointers', async () => {
    await open(WIDE, 'silent');
    await tab('response');
    const tree = page.locator('[role=tree]');
    await tree.focus();
    await press('Home');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await press(key);
    }
    assert.equal(await active(), 'content: [1]');
    await press('ArrowLeft');
    await page.waitForSelector('.tree-row.is-active[aria-expanded=false]');
    assert.equal(
      await tree.getAttribute('aria-activedescendant'),
      await page.locator('.tree-row.is-active').getAttribute('id'),
    );
    await press('p');
    await press('ArrowRight');
    await press('ArrowRight');
    await press('v');
    await page.waitForFunction(
      () => window.host.received.filter((each) => each.type === 'request' && each.method === 'copyText').length === 2,
    );
    assert.deepEqual(await requests('copyText'), [
      { text: '/result/content' },
      { text: '{\n  "type": "text",\n  "text": "Error: no book titled \'Dun\'"\n}' },
    ]);
    // The page's own letters still work in a tree.
    await press('c');
    await page.waitForFunction(() =>
      window.host.received.some((each) => each.type === 'request' && each.method === 'copy'),
    );
  });

  it('shows a text that is JSON decoded, and long lists a part at a time', async () => {
    await open(WIDE, 'partial');
    await tab('response');
    assert.ok((await page.locator('.tree-decoded').count()) >= 1);
    await page
      .locator('.tree-row', { hasText: /^rows: / })
      .locator('.tree-twisty')
      .click();
    await page.locator('.tree-row.can-show', { hasText: '140 more' }).click();
    await page.waitForSelector('.tree-row.can-show >> text=40 more');
  });

  it('shows the message as on the wire, with every hidden character and every byte', async () => {
    await open(WIDE, 'partial');
    await tab('response');
    await page.locator('.segment', { hasText: 'Raw' }).click();
    const raw = page.locator('.payload.is-raw');
    await raw.waitFor();
    const text = (await raw.textContent()) ?? '';
    assert.match(text, /^\{"jsonrpc":"2\.0","id":41,/);
    assert.ok(text.includes('row \\u202e9') && !text.includes('\u202E'));
    await page.locator('.link.is-document').click();
    assert.deepEqual(await requests('openPayload'), [{ seq: 32, isRaw: true }]);
  });

  it('says of a large message how large it is, and opens all of it', async () => {
    await open(WIDE, 'large');
    await tab('response');
    const head = (await page.locator('.payload-head').textContent()) ?? '';
    assert.match(head, /2\.3 MB[\s\S]*Only the beginning is shown\.[\s\S]*Show all/);
    assert.ok((await page.locator('.tree-row.is-more', { hasText: '38 more' }).count()) === 1);
  });

  it('draws an image only when it is asked to, under the policy that allows none', async () => {
    await open(WIDE, 'success');
    await tab('response');
    assert.deepEqual(await requests('image'), []);
    await page.getByRole('button', { name: 'Show image' }).click();
    await page.waitForSelector('canvas.image-canvas');
    const size = await page.locator('canvas.image-canvas').evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const pixel = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(24, 16, 1, 1).data;
      return [width, height, ...(pixel ?? [])];
    });
    assert.deepEqual(size, [48, 32, 136, 120, 136, 255]);
    assert.equal(await page.locator('img').count(), 0);
    await page.getByRole('button', { name: 'Hide image' }).click();
    await page.waitForFunction(() => document.querySelector('canvas.image-canvas') === null);
  });

  it('lists attempts with outcome, wait and reason, and goes to them', async () => {
    await open(WIDE, 'chain');
    await tab('attempts');
    const text = (await page.locator('.attempts').textContent()) ?? '';
    assert.match(text.replace(/\s+/g, ' '), /timeout attempt 1 of 3 1\.0 s First attempt\. after 1\.0 s/);
    await page.locator('.attempt-entry').nth(1).click();
    await page.waitForSelector('.row.is-attempt.is-selected');
  });

  it('shows HTTP with its headers, and stderr with its offsets', async () => {
    await open(WIDE, 'toolError');
    await tab('http');
    const http = ((await page.locator('.http').textContent()) ?? '').replace(/\s+/g, ' ');
    assert.match(
      http,
      /POST https:\/\/api\.example\.com\/mcp\?tenant=shop&key=\[redacted\] 503 Service Unavailable 334 ms/,
    );
    assert.match(http, /authorizationBearer \[redacted\][\s\S]*retry-after2[\s\S]*\\u202eUnavailable/);
    await page.locator(`[data-index="${ROWS.transport}"]`).click();
    await page.locator('.details-title', { hasText: 'initialize' }).waitFor();
    await tab('stderr');
    const lines = await page.locator('.stderr-line').allTextContents();
    assert.match((lines[0] ?? '').replace(/\s+/g, ' '), /−120 ms info INFO: starting server/);
    assert.match((lines[1] ?? '').replace(/\s+/g, ' '), /\+12 ms warning WARNING: no cache \\u001b\[33m/);
  });

  it('compares with a row that was chosen, and leaves out what changes by itself', async () => {
    await open(WIDE, 'success');
    await page.locator('.menu-more .menu-button').click();
    await page.getByRole('menuitem', { name: 'Select for Compare' }).click();
    await page.locator(`[data-index="${ROWS.silent}"]`).click();
    await page.locator('.details-title', { hasText: 'get_author' }).waitFor();
    await page.locator('.menu-more .menu-button').click();
    await page.getByRole('menuitem', { name: 'Compare with Selected' }).click();
    await page.waitForSelector('#tab-compare[aria-selected=true]');
    assert.match(
      (await page.locator('.diff-sentence').textContent()) ?? '',
      /tool error → success on attempt 2 after 1\.4 s/,
    );
    assert.equal(await page.locator('.change').count(), 4);
    await page.locator('.check input').uncheck();
    await page.waitForSelector('.change.is-volatile');
    assert.ok(((await page.locator('.changes').textContent()) ?? '').includes('"Frank \\u202eHerbert"'));
    await page.getByRole('button', { name: 'Open as Text Diff' }).click();
    assert.deepEqual(await requests('openTextDiff'), [{ key: 21, base: 1 }]);
  });

  it('offers the forms of a copy in a menu that is all keys', async () => {
    await open(WIDE, 'toolError');
    const button = page.locator('.menu-copy .menu-button');
    await button.focus();
    await press('Enter');
    await page.waitForSelector('#menu-copy [role=menuitem]:focus');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    await press('Escape');
    await page.waitForFunction(() => document.querySelector('#menu-copy:popover-open') === null);
    assert.equal(await page.locator('.details').count(), 1, 'Escape closed the menu alone');
    await page.waitForSelector('.menu-copy .menu-button:focus');
    await press('Enter');
    await page.waitForSelector('#menu-copy [role=menuitem]:focus');
    await press('ArrowDown');
    await press('ArrowDown');
    await press('Enter');
    await page.waitForFunction(() =>
      window.host.received.some((each) => each.type === 'request' && each.method === 'copy'),
    );
    assert.deepEqual(await requests('copy'), [{ key: 41, format: 'curl' }]);
    assert.deepEqual(await requests('replay'), []);
  });

  it('offers to edit a call only where the host can', async () => {
    await open(WIDE, 'silent');
    assert.equal(await page.getByRole('button', { name: 'Edit and Replay…' }).count(), 0);
    await page.locator(`[data-index="${ROWS.toolError}"]`).click();
    await page.getByRole('button', { name: 'Edit and Replay…' }).click();
    assert.deepEqual(await requests('editReplay'), [{ key: 41 }]);
  });

  it('comes back after a reload with the tab and the look that it had', async () => {
    const state = { version: 1, selected: 31, isFollowing: false, isDetailsOpen: true, tab: 'response', isRaw: true };
    await openPage({ ...WIDE, settings: { state } }, '#tab-response[aria-selected=true]');
    await page.waitForSelector('.payload.is-raw');
  });

  it.each([280, 300])('never scrolls sideways at %i px, whatever the tab', async (width) => {
    await open({ ...NARROW, width }, 'toolError');
    for (const name of ['why', 'request', 'response', 'http', 'related']) {
      await tab(name);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('.details, .details *')]
          .filter(
            (element) =>
              element.getBoundingClientRect().right > window.innerWidth + 1 && element.closest('[popover]') === null,
          )
          .map((element) => element.className),
      );
      assert.deepEqual(wide, [], name);
    }
  });
});
