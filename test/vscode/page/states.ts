import type { Page } from 'playwright-core';

/** A state of the page: what its host has, and what a person has done. */
export interface State {
  readonly name: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly prepare?: (page: Page) => Promise<void>;
}

const HISTORY = { historyOf: 20 };

/** Selects the first row. */
export async function toTop(page: Page): Promise<void> {
  await page.locator('#grid').focus();
  await page.keyboard.press('Home');
  await page.waitForSelector('[data-index="0"].is-selected');
}

/** Lanes and charts, with a brush over the last failures. */
export async function showOverview(page: Page): Promise<void> {
  await page.waitForSelector('#overview');
  await page.locator('#toggle-lanes').click();
  await page.waitForSelector('.lane');
  await page.locator('#toggle-charts').click();
  await page.waitForSelector('#chart-latency .bar');
  await page.locator('#overview').focus();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) {
    await page.keyboard.press(key);
  }
  await page.keyboard.press('+');
  await page.waitForSelector('#range');
}

/** Each tab of the details, at a row that has it. */
const DETAIL_ROWS = {
  why: 3,
  request: 2,
  response: 3,
  raw: 3,
  large: 1,
  image: 0,
  attempts: 6,
  http: 4,
  stderr: 8,
  compare: 2,
  related: 4,
  menu: 4,
} as const;

export type Detail = keyof typeof DETAIL_ROWS;

export const DETAILS = Object.keys(DETAIL_ROWS) as readonly Detail[];

/** Opens the details of a row at a tab, or at what else of them is to be seen. */
export async function showDetails(page: Page, what: Detail): Promise<void> {
  await toTop(page);
  if (what === 'compare') {
    await page.evaluate(() =>
      window.host.receive({ type: 'request', id: 9999, method: 'selectForCompare', params: { key: 1 } }),
    );
  }
  await page.locator(`[data-index="${DETAIL_ROWS[what]}"]`).click();
  await page.waitForSelector('.tab-body');
  const tab = what === 'raw' || what === 'large' || what === 'image' ? 'response' : what === 'menu' ? 'why' : what;
  await page.locator(`#tab-${tab}`).click();
  await page.waitForSelector(`.tab-body.is-${tab}`);
  if (what === 'raw') {
    await page.locator('.segment').nth(1).click();
  }
  if (what === 'image') {
    await page.getByRole('button', { name: 'Show image' }).click();
    await page.waitForSelector('canvas.image-canvas');
  }
  if (what === 'menu') {
    await page.locator('.menu-copy .menu-button').click();
    await page.waitForSelector('#menu-copy:popover-open');
  }
  if (what === 'compare') {
    await page.waitForSelector('.change');
  }
}

/** Every state that a person can bring the page into, to be looked at, by eye and by tools. */
export const STATES: readonly State[] = [
  { name: 'empty', settings: { rows: 0 } },
  { name: 'list', prepare: toTop },
  { name: 'tail' },
  {
    name: 'chain',
    prepare: async (page) => {
      await toTop(page);
      await page.locator('[data-index="6"] .twisty').click();
      await page.waitForSelector('[data-index="7"].is-attempt');
    },
  },
  {
    name: 'hidden',
    prepare: async (page) => {
      await page.locator('.chip[data-outcome=success]').click();
      await page.waitForSelector('.chip[data-outcome=success][aria-pressed=false]');
    },
  },
  {
    name: 'filtered',
    prepare: async (page) => {
      await page.locator('#filter').fill('nothing like it');
      await page.waitForSelector('.empty');
    },
  },
  {
    name: 'completion',
    prepare: async (page) => {
      await page.locator('#filter').focus();
      await page.waitForSelector('#filter-list');
      await page.keyboard.press('ArrowDown');
      await page.waitForSelector('#filter-list [aria-selected=true]');
    },
  },
  {
    name: 'error',
    prepare: async (page) => {
      await page.locator('#filter').fill('server:github outcome:timeot');
      await page.waitForSelector('#filter-error');
      await page.locator('#follow').focus();
    },
  },
  { name: 'overview', settings: HISTORY, prepare: showOverview },
  {
    name: 'pending',
    settings: { isRecent: true },
    prepare: async (page) => {
      await page.evaluate(() => window.host.append(false));
      await page.waitForSelector('.row.tone-pending');
    },
  },
  { name: 'memory', settings: { isInMemory: true } },
  { name: 'reading', settings: { rows: 500, isReading: true } },
  {
    name: 'refused',
    settings: { refuse: ['replay'] },
    prepare: async (page) => {
      await toTop(page);
      await page.keyboard.press('r');
      await page.waitForSelector('.footer-error');
    },
  },
  ...DETAILS.map((what): State => ({ name: `details-${what}`, prepare: (page) => showDetails(page, what) })),
];

/** The page shows what a state begins with: rows, or that there are none. */
export async function bringTo({ prepare }: State, page: Page): Promise<void> {
  await page.waitForSelector('.row:not(.is-loading), .empty');
  await prepare?.(page);
}
