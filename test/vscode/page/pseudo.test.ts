import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainWords } from '../../tools/l10n/pseudo.ts';
import { type Harness, OUT, type PageOptions, startHarness } from './harness.ts';

/** Symbols of units, and keys of a keyboard, are the same everywhere. */
const SAME = ['ms', 'min', 'KB', 'MB', 'GB', 'kB', 'Esc', 'JSON'];

/** Every text that the page shows or has for screen readers. */
function textsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const isCode = node.parentElement?.closest('script, style') != null;
      found.push(isCode ? '' : (node.textContent ?? '').trim());
    }
    for (const element of document.body.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-description', 'aria-roledescription', 'alt']) {
        found.push(element.getAttribute(name) ?? '');
      }
    }
    return found.filter((text) => text !== '');
  });
}

/** What is not data and does not fit its place: its own text, or the place itself in the window. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const own = 'button, [role=tab], h1, h2, h3, label, .empty *, .empty, .tab-body p';
    const width = document.documentElement.clientWidth;
    const isShown = (element: Element) => element.getClientRects().length > 0;
    const scrolls = (element: Element) =>
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) ||
      (element.parentElement !== null &&
        ['auto', 'scroll'].includes(getComputedStyle(element.parentElement).overflowX));
    const wide =
      document.documentElement.scrollWidth > width
        ? [`the page is ${document.documentElement.scrollWidth} px wide`]
        : [];
    const bad = [...document.body.querySelectorAll<HTMLElement>(own)].filter((element) => {
      if (!isShown(element) || element.closest('.row, .sr-only') !== null) {
        return false;
      }
      const box = element.getBoundingClientRect();
      const isOut = (box.right > width + 1 || box.left < -1) && !scrolls(element);
      const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible';
      return isOut || isCut;
    });
    return [
      ...wide,
      ...bad.map((element) => `${element.tagName}.${element.className} “${element.textContent?.trim().slice(0, 40)}”`),
    ];
  });
}

const sizes = {
  sidebar: { theme: 'dark', width: 300, height: 700, placement: 'sidebar' },
  editor: { theme: 'light', width: 1200, height: 700 },
} as const satisfies Readonly<Record<string, PageOptions>>;

async function showDetails(page: Page, index: number): Promise<void> {
  await page.locator('#grid').focus();
  await page.keyboard.press('Home');
  await page.locator(`[data-index="${index}"]`).click();
  await page.waitForSelector('.tab-body .signal, .tab-body .failure, .tab-body p');
}

describe('the page in another language', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  const scenes: Readonly<Record<string, { settings?: object; show?: (page: Page) => Promise<void> }>> = {
    rows: {},
    empty: { settings: { rows: 0 } },
    filtered: {
      show: async (page) => {
        await page.locator('#filter').fill('nothing-like-it-1');
        await page.waitForSelector('.empty');
      },
    },
    suggestions: {
      show: async (page) => {
        await page.locator('#filter').focus();
        await page.waitForSelector('#filter-list');
      },
    },
    details: { show: (page) => showDetails(page, 2) },
    'lost connection': { show: (page) => showDetails(page, 8) },
    overview: {
      show: async (page) => {
        await page.waitForSelector('#overview');
        await page.locator('#toggle-lanes').click();
        await page.waitForSelector('.lane');
        await page.locator('#toggle-charts').click();
        await page.waitForSelector('#chart-latency');
      },
    },
  };

  it.each(
    Object.keys(sizes).flatMap((size) =>
      Object.keys(scenes).map((scene) => [scene, size as keyof typeof sizes] as const),
    ),
  )('has no English word and cuts nothing off: %s in the %s', async (scene, size) => {
    const { settings, show } = scenes[scene] ?? {};
    const { page, problems } = await harness.open({ ...sizes[size], settings: { isPseudo: true, ...settings } });
    try {
      await page.waitForSelector('.row:not(.is-loading), .empty');
      await show?.(page);
      await page.screenshot({ path: path.join(OUT, `pseudo-${size}-${scene.replaceAll(' ', '-')}.png`) });
      const words = (await textsOf(page)).filter((text) => plainWords(text, SAME).length > 0);
      expect({ words: [...new Set(words)], cut: await cutOff(page), problems }).toEqual({
        words: [],
        cut: [],
        problems: [],
      });
    } finally {
      await page.close();
    }
  });

  it('is told of an English word and of a button that is cut off', async () => {
    const { page } = await harness.open({ ...sizes.sidebar, settings: { isPseudo: true } });
    await page.waitForSelector('.row:not(.is-loading)');
    await page.evaluate(() => {
      const button = document.querySelector<HTMLElement>('button');
      const label = document.createElement('span');
      label.textContent = 'Follow';
      button?.append(label);
      button?.style.setProperty('width', '20px');
      button?.style.setProperty('overflow', 'hidden');
      button?.style.setProperty('white-space', 'nowrap');
    });
    expect((await textsOf(page)).filter((text) => plainWords(text, SAME).length > 0)).toEqual(['Follow']);
    expect(await cutOff(page)).toHaveLength(1);
    await page.close();
  });
});
