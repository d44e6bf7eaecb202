import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { type Harness, startHarness, wear } from './harness.ts';
import { bringTo, type State } from './states.ts';
import { THEMES, type Theme } from './themes.ts';

const wide = { width: 1200, height: 800, placement: 'editor' } as const;
const narrow = { width: 300, height: 800, placement: 'sidebar' } as const;

/** What is laid out anew in the sidebar. */
const NARROW_STATES = /^(list|chain|completion|error|overview|details-(why|http|compare))$/;

/** Tests these states with axe: wide in every theme, narrow in two. Two files call it, so that two run at a time. */
export function testWithAxe(states: readonly State[]): void {
  let harness: Harness;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  const cases: readonly { size: typeof wide | typeof narrow; themes: readonly Theme[]; of: readonly State[] }[] = [
    { size: wide, themes: THEMES, of: states },
    { size: narrow, themes: ['dark', 'hc-light'], of: states.filter(({ name }) => NARROW_STATES.test(name)) },
  ];

  describe.each(cases)('at $size.width px in $themes', ({ themes, size, of }) => {
    it.each(of)('$name: axe finds nothing, and one region tells politely', async (state: State) => {
      const [first = 'dark'] = themes;
      const { page, problems } = await harness.open({ theme: first, ...size, settings: state.settings ?? {} });
      await bringTo(state, page);
      const found: Partial<Record<Theme, readonly string[]>> = {};
      for (const theme of themes) {
        await wear(page, theme);
        found[theme] = await violations(page);
      }
      expect(found).toEqual(Object.fromEntries(themes.map((theme) => [theme, []])));
      expect(await page.locator('[aria-live], [role=status], [role=alert], [role=log]').count()).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    });
  });
}
