import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TimelineSnapshot } from '../../../src/protocol/timelineViews.ts';
import { type Harness, OUT, startHarness } from './harness.ts';
import { THEMES } from './themes.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const TEXT = 'Faultline is injecting faults on purpose: Flaky network into shop, a-server-with-a-long-name';

const sizes = [
  { width: 1200, height: 500, placement: 'editor' },
  { width: 300, height: 600, placement: 'sidebar' },
] as const;

describe.each(THEMES)('the banner of injected faults, %s', (theme) => {
  it.each(sizes)('at $width px says so above all else, stops it by one click, and goes', async (size) => {
    const { page, problems } = await harness.open({ theme, ...size });
    await page.waitForSelector('.row:not(.is-loading)');
    expect(await page.locator('.faults').count()).toBe(0);
    /** What the host says when injecting begins or ends. */
    const tell = (text: string | undefined) =>
      page.evaluate((words) => {
        const host = window.host as unknown as { snapshot(): TimelineSnapshot };
        const faults = words === undefined ? {} : { faults: { text: words, stop: 'Stop' } };
        const params = { snapshot: { ...host.snapshot(), ...faults } };
        window.postMessage({ type: 'notification', name: 'changed', params }, '*');
      }, text);
    await tell(TEXT);
    const banner = page.locator('.faults');
    await banner.waitFor();
    expect(await banner.locator('.faults-text').textContent()).toBe(TEXT);
    const box = await banner.boundingBox();
    expect({ x: box?.x, y: box?.y, width: box?.width }).toEqual({ x: 0, y: 0, width: size.width });
    const isCut = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isCut).toBe(false);
    await page.screenshot({ path: path.join(OUT, `faults-${size.width}-${theme}.png`) });
    await page.locator('#stop-faults').click();
    const asked = await page.evaluate(() =>
      window.host.received.filter((each) => each.type === 'request' && each.method === 'runCommand'),
    );
    expect(asked).toMatchObject([{ params: { command: 'stopFaults' } }]);
    await tell(undefined);
    await banner.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    await page.close();
  });
});
