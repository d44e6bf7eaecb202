import type { FrameLocator, Locator, Page } from 'playwright-core';
import { OUTCOME_KINDS, type OutcomeKind } from '../../../src/protocol/outcome.ts';
import { accept, runAsking, runCommand, until } from './gestures.ts';
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

/** What the row shows, reason included; waits for it. */
export async function rowTexts(timeline: FrameLocator, text: RegExp): Promise<string> {
  const row = rowOf(timeline, text);
  await row.waitFor();
  return ((await row.textContent()) ?? '').replaceAll(/\s+/g, ' ');
}

/** Answers a modal question with the button of that name. */
export async function confirmDialog({ page }: Workbench, button: string): Promise<void> {
  await page.locator('.monaco-dialog-box').getByRole('button', { name: button, exact: true }).click();
  await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
}

/** Answers a replay's question for its policy. */
export async function choosePolicy({ page }: Workbench, policy = 'As Configured'): Promise<void> {
  await page
    .locator('.quick-input-list')
    .getByRole('option', { name: new RegExp(`^${policy}\\b`) })
    .first()
    .click();
}

/** Types into the input box that is shown, and accepts. */
export async function answerInput(workbench: Workbench, text: string): Promise<void> {
  const input = workbench.page.locator('.quick-input-widget input.input');
  await input.waitFor();
  await input.fill(text);
  await accept(workbench);
}

const pickLimitMs = 5000;

/**
 * Calls a tool through the palette: picks the server, picks the tool, answers what is required in the order of the form, and
 * sends. Each answer is typed, or picked where there is a choice; `of` begins its question. Begins anew when a pick was
 * closed under it: a view that is still being shown takes the focus away once more.
 */
export async function callTool(
  workbench: Workbench,
  server: string,
  tool: string,
  answers: readonly { readonly of: string; readonly value: string }[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await pickTool(workbench, server, tool);
      break;
    } catch (error) {
      if (attempt === 3) {
        throw error;
      }
    }
  }
  const form = workbench.page.locator('.quick-input-widget');
  for (const { of, value } of answers) {
    // A question stands below a text box, and in the box of a choice.
    await form.locator(`.quick-input-message:has-text("${of}"), input[placeholder^="${of}"]`).first().waitFor();
    await answerInput(workbench, value);
  }
  const send = form.getByRole('option', { name: `Call ${tool}` });
  await send.or(callingNote(workbench.page, tool)).first().waitFor();
  if (await send.isVisible()) {
    await send.click();
  }
  await form.waitFor({ state: 'hidden' });
}

/** What VS Code shows while a call is under way. */
function callingNote(page: Page, tool: string): Locator {
  return page.locator('.notifications-toasts .notification-list-item', { hasText: `Calling ${tool}` });
}

async function pickTool(workbench: Workbench, server: string, tool: string): Promise<void> {
  const { page } = workbench;
  await runAsking(workbench, 'Faultline: Call Tool…', page.getByPlaceholder('Call a tool of which server?'));
  for (const [question, label] of [
    ['Call a tool of which server?', server],
    ['Which tool?', tool],
  ] as const) {
    await page.getByPlaceholder(question).fill(label, { timeout: pickLimitMs });
    // By key: a click that comes as one list makes room for the next would fall on what is below.
    await page
      .locator('.quick-input-list')
      .getByRole('option', { name: new RegExp(`^${label}\\b`) })
      .and(page.locator('.focused'))
      .waitFor({ timeout: pickLimitMs });
    await accept(workbench);
  }
  // A tool that wants no arguments is called at once.
  const form = page.locator('.quick-input-title', { hasText: tool });
  await form.or(callingNote(page, tool)).first().waitFor({ timeout: pickLimitMs });
}
