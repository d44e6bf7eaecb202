import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { type Harness, startHarness } from './harness.ts';
import { bringTo, STATES, type State } from './states.ts';
import type { Theme } from './themes.ts';

const wide = { width: 1200, height: 800, placement: 'editor' } as const;
const narrow = { width: 300, height: 800, placement: 'sidebar' } as const;

/** What is laid out anew in the sidebar. */
const NARROW_STATES = STATES.filter(({ name }) =>
  /^(list|chain|completion|error|overview|details-(why|http|compare))$/.test(name),
);

/** Tests every state with axe, wide in these themes and narrow in one. A file for a few themes each, so that two run at a time. */
export function testWithAxe(themes: readonly Theme[], narrowTheme: Theme): void {
  let harness: Harness;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  const cases = [
    ...themes.map((theme) => ({ theme, size: wide, states: STATES })),
    { theme: narrowTheme, size: narrow, states: NARROW_STATES },
  ];

  describe.each(cases)('$theme at $size.width px', ({ theme, size, states }) => {
    it.each(states)('$name: axe finds nothing, and one region tells politely', async (state: State) => {
      const { page, problems } = await harness.open({ theme, ...size, settings: state.settings ?? {} });
      await bringTo(state, page);
      expect(await violations(page)).toEqual([]);
      expect(await page.locator('[aria-live], [role=status], [role=alert], [role=log]').count()).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    });
  });
}
