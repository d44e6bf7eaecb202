import type { FrameLocator, Page } from 'playwright-core';
import type { Frame } from '../../tools/docs/apng.ts';
import { runCommand, until } from '../host/gestures.ts';
import { rowOf, timelineIn } from '../host/timeline.ts';
import type { Workbench } from '../host/workbench.ts';

/** Shots while the demo plays, and how long apart. */
const LIVE_SHOTS = 3;
const LIVE_STEP_MS = 900;
/** For so long a key may be under way. */
const KEY_LIMIT_MS = 3000;

/**
 * Plays what the animated picture tells, in a VS Code that has just been opened: the demo, the silent error among its calls
 * and why it is one, the attempts of a call that worked in the end, and the line of source that the error came from.
 */
export async function tellStory(workbench: Workbench): Promise<readonly Frame[]> {
  const { page } = workbench;
  const frames: Frame[] = [];
  const hold = async (holdMs: number) => {
    frames.push({ png: await page.screenshot({ caret: 'hide' }), holdMs });
  };

  await runCommand(workbench, 'View: Close Primary Side Bar');
  await runCommand(workbench, 'Faultline: Run Demo');
  const timeline = await timelineIn(workbench, 'editor');
  for (let shot = 0; shot < LIVE_SHOTS; shot++) {
    await rowOf(timeline, 'search_books').waitFor();
    await hold(shot === 0 ? 900 : 500);
    await page.waitForTimeout(LIVE_STEP_MS);
  }
  await page.locator('.statusbar-item', { hasText: 'Faultline demo' }).waitFor({ state: 'detached', timeout: 60_000 });
  await settled(page);
  await hold(1200);

  await timeline.locator('#grid').press('Home');
  await rowOf(timeline, /get_author.*silent error/).click();
  await page.keyboard.press('Enter');
  await timeline.getByText('so the model takes this text for the answer').waitFor();
  await settled(page);
  await hold(3600);

  for (const failure of ['order_book', 'order_book', 'import_rows']) {
    await goToNextFailure(page, timeline, failure);
    await settled(page);
    if (failure === 'import_rows') {
      await hold(3000);
    }
  }

  await rowOf(timeline, /flaky_lookup.*success on 3rd/).click();
  await page.keyboard.press('ArrowRight');
  await rowOf(timeline, /3\/3.*success/).waitFor();
  await settled(page);
  await hold(2800);

  await rowOf(timeline, /get_author.*silent error/).click();
  await runCommand(workbench, 'Faultline: Go to Tool Source');
  // The demo's tools are written in two languages.
  await page
    .locator('.quick-input-list')
    .getByRole('option', { name: /^server\.py/ })
    .click();
  await page.locator('.squiggly-warning, .squiggly-error').first().waitFor();
  await page.locator('.codelens-decoration').first().waitFor();
  await settled(page);
  await hold(3600);
  return frames;
}

/** Presses F8 until the selection has moved, which must be to a call of this tool: a busy VS Code loses keys. */
async function goToNextFailure(page: Page, timeline: FrameLocator, tool: string): Promise<void> {
  const selected = timeline.locator('.row.is-selected');
  const before = await selected.getAttribute('data-index');
  let pressedMs = Number.NEGATIVE_INFINITY;
  await until(async () => {
    if ((await selected.getAttribute('data-index')) !== before) {
      return true;
    }
    if (performance.now() - pressedMs > KEY_LIMIT_MS) {
      pressedMs = performance.now();
      await page.keyboard.press('F8');
    }
    return false;
  }, 'the next failure');
  await timeline.locator('.details-title', { hasText: tool }).waitFor();
}

/** Resolves when the page has painted what it was told last. */
export async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(400);
}
