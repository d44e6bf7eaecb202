import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from './harness.ts';
import { UNSEEN } from './hostile.ts';
import { bringTo, STATES, type State } from './states.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('a hostile server', () => {
  it.each(STATES)('$name: is shown in text alone, every unseen character as an escape', async (state: State) => {
    const settings = { ...state.settings, isHostile: true };
    const { page, problems } = await harness.open({ theme: 'dark', width: 1200, height: 800, settings });
    await bringTo(state, page);
    const seen = await page.evaluate(() => ({
      text: [...document.querySelectorAll('.page, [aria-live]')].map((each) => each.textContent).join(''),
      attributes: [...document.querySelectorAll('.page *')].flatMap((each) =>
        [...each.attributes].filter(({ name }) => /^(title|aria-.*)$/.test(name)).map(({ value }) => value),
      ),
      foreign: document.querySelectorAll('.page :is(img, iframe, object, svg image, a[href], form, style, script)')
        .length,
      isOwned: document.body.dataset['owned'],
      isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    }));
    const unseen = [seen.text.replaceAll(/[\n\t]/g, ''), ...seen.attributes].filter((text) => UNSEEN.test(text));
    expect(unseen.map((text) => JSON.stringify(UNSEEN.exec(text)?.[0]))).toEqual([]);
    expect({ ...seen, text: '', attributes: [] }).toEqual({
      text: '',
      attributes: [],
      foreign: 0,
      isOwned: undefined,
      isWide: false,
    });
    expect(problems).toEqual([]);
    await page.close();
  });
});
