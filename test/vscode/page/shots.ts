// Pictures of the page for a person's eye: node test/vscode/page/shots.ts [part of a name]
import path from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { OUT, type PageOptions, startHarness } from './harness.ts';
import { DETAILS, showDetails, showOverview, toTop } from './states.ts';
import { THEMES } from './themes.ts';

interface Shot {
  readonly name: string;
  readonly options: PageOptions;
  readonly prepare?: (page: Page) => Promise<void>;
}

/** The first round of samples with the chain open and the silent error's details. */
async function showSilentError(page: Page): Promise<void> {
  await toTop(page);
  await page.locator('[data-index="6"] .twisty').click();
  await page.waitForSelector('[data-index="7"].is-attempt');
  await page.locator('[data-index="2"]').click();
  await page.waitForSelector('.tab-body .signal');
}

const byTheme = THEMES.flatMap((theme): Shot[] => [
  { name: `wide-${theme}`, options: { theme, width: 1200, height: 700, scale: 1.5 }, prepare: showSilentError },
  {
    name: `narrow-${theme}`,
    options: { theme, width: 300, height: 700, scale: 2, placement: 'sidebar' },
    prepare: toTop,
  },
  {
    name: `narrow-details-${theme}`,
    options: { theme, width: 300, height: 700, scale: 2, placement: 'sidebar' },
    prepare: showSilentError,
  },
  {
    name: `overview-${theme}`,
    options: { theme, width: 1200, height: 900, scale: 1.5, settings: { historyOf: 20 } },
    prepare: showOverview,
  },
  {
    name: `overview-narrow-${theme}`,
    options: { theme, width: 300, height: 800, scale: 2, placement: 'sidebar', settings: { historyOf: 20 } },
    prepare: showOverview,
  },
]);

const detailShots = THEMES.flatMap((theme) =>
  DETAILS.flatMap((what): Shot[] => [
    {
      name: `details-${what}-${theme}-wide`,
      options: { theme, width: 1200, height: 620, scale: 1.25 },
      prepare: (page) => showDetails(page, what),
    },
    {
      name: `details-${what}-${theme}-narrow`,
      options: { theme, width: 300, height: 620, scale: 1.5, placement: 'sidebar' },
      prepare: (page) => showDetails(page, what),
    },
  ]),
);

/** The empty field's suggestions, those of a value, and an error, in the sidebar and wide. */
const filterShots = THEMES.flatMap((theme) =>
  ([300, 1000] as const).flatMap((width): Shot[] => {
    const options = { theme, width, height: 420, scale: 2, placement: width === 300 ? 'sidebar' : 'editor' } as const;
    return [
      {
        name: `filter-empty-${width}-${theme}`,
        options,
        prepare: async (page) => {
          await page.locator('#filter').focus();
          await page.waitForSelector('#filter-list');
          await page.keyboard.press('ArrowDown');
          await page.waitForSelector('#filter-list [aria-selected=true]');
        },
      },
      {
        name: `filter-value-${width}-${theme}`,
        options,
        prepare: async (page) => {
          await page.locator('#filter').focus();
          await page.keyboard.type('is:failure server:');
          await page.waitForSelector('#filter-option-2');
        },
      },
      {
        name: `filter-error-${width}-${theme}`,
        options,
        prepare: async (page) => {
          await page.locator('#filter').fill('server:github outcome:timeot');
          await page.waitForSelector('#filter-error');
          await page.locator('#follow').focus();
        },
      },
    ];
  }),
);

const others: readonly Shot[] = [
  ...filterShots,
  { name: 'list-1200', options: { theme: 'dark', width: 1200, height: 700 }, prepare: toTop },
  { name: 'list-700', options: { theme: 'dark', width: 700, height: 500 }, prepare: toTop },
  { name: 'list-500', options: { theme: 'light', width: 500, height: 500 }, prepare: toTop },
  { name: 'list-280', options: { theme: 'dark', width: 280, height: 500, placement: 'sidebar' }, prepare: toTop },
  { name: 'list-1600', options: { theme: 'light', width: 1600, height: 600 }, prepare: showSilentError },
  { name: 'tail', options: { theme: 'dark', width: 1200, height: 500 } },
  { name: 'empty', options: { theme: 'dark', width: 1000, height: 500, settings: { rows: 0 } } },
  {
    name: 'empty-narrow',
    options: { theme: 'light', width: 300, height: 500, placement: 'sidebar', settings: { rows: 0 } },
  },
  {
    name: 'filtered',
    options: { theme: 'dark', width: 1000, height: 400 },
    prepare: async (page) => {
      await page.locator('#filter').fill('nothing like it');
      await page.waitForSelector('.empty');
    },
  },
  {
    name: 'some-hidden',
    options: { theme: 'dark', width: 1000, height: 400 },
    prepare: async (page) => {
      await page.locator('.chip[data-outcome=success]').click();
      await page.locator('.chip[data-outcome=cancelled]').click();
      await page.waitForSelector('[aria-pressed=false]');
    },
  },
  ...(['request', 'response', 'attempts', 'related'] as const).map(
    (tab): Shot => ({
      name: `tab-${tab}`,
      options: { theme: 'dark', width: 1000, height: 500 },
      prepare: async (page) => {
        await toTop(page);
        await page.locator(`[data-index="${tab === 'attempts' ? 6 : 3}"]`).click();
        await page.locator(`#tab-${tab}`).click();
      },
    }),
  ),
  {
    name: 'partial',
    options: { theme: 'dark', width: 1000, height: 600 },
    prepare: async (page) => {
      await toTop(page);
      await page.locator('[data-index="3"]').click();
      await page.waitForSelector('.missing');
    },
  },
  {
    name: 'transport',
    options: { theme: 'light', width: 1000, height: 600 },
    prepare: async (page) => {
      await toTop(page);
      await page.locator('[data-index="8"]').click();
      await page.waitForSelector('.failure');
    },
  },
  {
    name: 'pending',
    options: { theme: 'dark', width: 1000, height: 300, settings: { isRecent: true } },
    prepare: async (page) => {
      await page.evaluate(() => window.host.append(false));
      await page.waitForSelector('.row.tone-pending');
    },
  },
  {
    name: 'forced-colors',
    options: { theme: 'hc-dark', width: 1100, height: 500 },
    prepare: async (page) => {
      await page.emulateMedia({ forcedColors: 'active' });
      await showSilentError(page);
    },
  },
  ...[280, 600].map(
    (width): Shot => ({
      name: `overview-${width}`,
      options: { theme: 'dark', width, height: 700, scale: 2, settings: { historyOf: 20 } },
      prepare: showOverview,
    }),
  ),
  {
    name: 'overview-forced',
    options: { theme: 'hc-dark', width: 1100, height: 800, settings: { historyOf: 20 } },
    prepare: async (page) => {
      await page.emulateMedia({ forcedColors: 'active' });
      await showOverview(page);
    },
  },
  {
    name: 'overview-plain',
    options: { theme: 'light', width: 1200, height: 500, scale: 1.5, settings: { historyOf: 4 } },
    prepare: async (page) => {
      await page.waitForSelector('#overview');
      await page.locator('#grid').focus();
      await page.keyboard.press('End');
      await page.waitForSelector('.row.is-selected');
      await page.locator('#overview').hover();
    },
  },
  {
    name: 'zoom',
    options: { theme: 'dark', width: 600, height: 400 },
    prepare: async (page) => {
      await showSilentError(page);
    },
  },
];

const part = process.argv[2] ?? '';
const harness = await startHarness();
for (const { name, options, prepare } of [...byTheme, ...detailShots, ...others].filter((shot) =>
  shot.name.includes(part),
)) {
  const { page, problems } = await harness.open(options);
  try {
    await page.waitForSelector('.row:not(.is-loading), .empty', { timeout: 5000 });
    await prepare?.(page);
    await page.evaluate(() => document.fonts.ready);
  } catch (error) {
    problems.push(String(error));
  }
  await page.screenshot({ path: path.join(OUT, `${name}.png`) });
  process.stdout.write(`${name}${problems.length > 0 ? `: ${problems.join('; ')}` : ''}\n`);
  await page.close();
}
await harness.close();
