import type { FrameLocator, Locator } from 'playwright-core';
import { OUTCOME_KINDS, type OutcomeKind } from '../../../src/protocol/outcome.ts';
import { runCommand, until } from './gestures.ts';
import type { Workbench } from './workbench.ts';

export type Placement = 'sidebar' | 'editor';

/** The timeline page where it is shown. Several webviews may be open: each page says itself where it is. */
export async function timelineIn({ page }: Workbench, placement: Placement): Promise<FrameLocator> {
  const frames = page.locator('iframe.webview.ready');
  let found: FrameLocator | undefined;
  await until(async () => {
    for (let index = 0; index < (await frames.count()); index++) {
      const inner = frames.nth(index).contentFrame().frameLocator('iframe#active-frame');
      const isWanted =
        (await inner
          .locator(`body[data-placement="${placement}"] [role="grid"], body[data-placement="${placement}"] .empty`)
          .count()) > 0;
      if (isWanted) {
        found = inner;
        return true;
      }
    }
    return false;
  }, `the timeline in the ${placement}`);
  // `until` has just found it.
  return found as FrameLocator;
}

/** How many rows ended in each outcome, as the page's toggles say. */
export async function outcomeCounts(timeline: FrameLocator): Promise<Readonly<Partial<Record<OutcomeKind, number>>>> {
  const counts: Partial<Record<OutcomeKind, number>> = {};
  for (const kind of OUTCOME_KINDS) {
    const toggle = timeline.locator(`button[data-outcome="${kind}"]`);
    if ((await toggle.count()) > 0) {
      counts[kind] = Number(await toggle.getAttribute('data-count'));
    }
  }
  return counts;
}

/** A row by text that it shows, the last of them when there are several. */
export function rowOf(timeline: FrameLocator, text: string | RegExp): Locator {
  return timeline.locator('[role="row"][data-index]').filter({ hasText: text }).last();
}

/** Runs the demo and waits until its script has ended. */
export async function playDemo(workbench: Workbench): Promise<void> {
  await runCommand(workbench, 'Faultline: Run Demo');
  const progress = workbench.page.locator('.statusbar-item', { hasText: 'Faultline demo' });
  await progress.waitFor();
  await progress.waitFor({ state: 'detached', timeout: 60_000 });
}
