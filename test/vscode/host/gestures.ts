import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { type Theme, themes, type Workbench } from './workbench.ts';

const retryLimitMs = 4000;
const tries = 5;
const pollMs = 100;

/**
 * Does something until it has the effect that is waited for: a key that comes while VS Code moves the focus is lost, and a
 * workbench that has just been shown does not know all commands yet. `effect` must give up after `retryLimitMs`.
 * Rejects with its last error.
 */
async function retry(gesture: () => Promise<unknown>, effect: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await gesture();
      return await effect();
    } catch (error) {
      if (attempt === tries) {
        throw error;
      }
    }
  }
}

const shown = (locator: Locator) => () => locator.waitFor({ timeout: retryLimitMs });

/** The entry of the quick input with that label, whatever is said after it (a key, how recent it is). */
function quickInputRow(page: Page, label: string): Locator {
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return page
    .locator('.quick-input-list')
    .getByRole('option', { name: new RegExp(`^${escaped}(,|$)`) })
    .first();
}

/** Picks an entry of the quick input by its label. Typed text with `>` before it asks for a command, else for a file. */
async function pickQuickInput(page: Page, key: string, text: string, label: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input');
  const ask = async () => {
    if (await input.isVisible()) {
      await input.press('Escape');
    }
    await retry(() => page.keyboard.press(key), shown(input));
    await input.fill(text, { timeout: retryLimitMs });
  };
  // A view that takes the focus closes the input again, so only the click tells that the entry was there.
  await retry(ask, () => quickInputRow(page, label).click({ timeout: retryLimitMs }));
}

/** Runs a command through the palette, by its category and title (`Faultline: Run Demo`). */
export async function runCommand({ page }: Workbench, title: string): Promise<void> {
  await pickQuickInput(page, 'F1', `>${title}`, title);
}

/**
 * Runs a command until what it asks is shown. What was done before may still give the focus back to a view, which closes a
 * question that has just come.
 */
export async function runAsking(workbench: Workbench, title: string, question: Locator): Promise<void> {
  await retry(() => runCommand(workbench, title), shown(question));
}

/** Accepts what the quick input has: the entry that is reached, those that are checked, or the text. */
export async function accept({ page }: Workbench): Promise<void> {
  await page.locator('.quick-input-widget input.input').press('Enter');
}

/**
 * Presses a button until what it leads to is shown: a toast moves while others come and go, and a press that meets it on its
 * way is lost.
 */
export async function pressFor(button: Locator, effect: Locator): Promise<void> {
  const press = async () => {
    if (await button.isVisible()) {
      await button.click({ timeout: retryLimitMs });
    }
  };
  await retry(press, shown(effect));
}

/** Opens a file of the folder in an editor and waits until it has the focus. */
export async function openFile({ page }: Workbench, name: string): Promise<void> {
  await pickQuickInput(page, 'Control+P', name, path.basename(name));
  await page.locator('.editor-instance .monaco-editor.focused').waitFor();
}

/** Shows a view container by its tab in the activity bar or the panel. */
export async function openView({ page }: Workbench, name: string): Promise<void> {
  const label = new RegExp(`^${name}\\b`);
  const tab = page.getByRole('tab', { name: label }).first();
  // A click on the tab of a view that has just come by itself, as after a reload, would hide it: then it is clicked again.
  const show = async () => {
    if ((await tab.getAttribute('aria-selected')) !== 'true') {
      await tab.click();
    }
  };
  await retry(show, shown(page.getByRole('tab', { name: label, selected: true }).first()));
}

/** Changes the colour theme through its picker and waits until the workbench wears it. */
export async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { page } = workbench;
  await runCommand(workbench, 'Preferences: Color Theme');
  const row = quickInputRow(page, theme);
  await retry(() => page.locator('.quick-input-widget input.input').fill(theme), shown(row));
  await row.click();
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await page.locator(`.monaco-workbench.${themes[theme].className}`).waitFor();
}

/** The row of the Problems panel with that text; opens the panel. */
export async function problem({ page }: Workbench, text: string): Promise<Locator> {
  const panel = page.locator('.markers-panel');
  if (!(await panel.isVisible())) {
    await page.keyboard.press('Control+Shift+M');
  }
  const row = panel.locator('.monaco-list-row', { hasText: text }).first();
  await row.waitFor();
  return row;
}

/** Goes to the problem with that text and applies the quick fix with that title. */
export async function applyQuickFix(workbench: Workbench, problemText: string, title: string): Promise<void> {
  const { page } = workbench;
  await (await problem(workbench, problemText)).dblclick();
  await page.locator('.editor-instance .monaco-editor.focused').waitFor();
  const action = page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
  await retry(() => page.keyboard.press('Control+.'), shown(action));
  await action.click();
  await action.waitFor({ state: 'detached' });
}

/** Saves the focused editor; resolves when the file on disk satisfies `isWanted`. */
export async function saveFile(
  { page, folder }: Workbench,
  name: string,
  isWanted: (text: string) => boolean,
): Promise<void> {
  await page.keyboard.press('Control+S');
  await until(() => isWanted(readFileSync(path.join(folder, name), 'utf8')), `${name} on disk`);
}

/** Resolves when `condition` holds; rejects, naming `what`, when it has not after `limitMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 30_000,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`waited ${limitMs} ms for ${what}`);
    }
    await wait(pollMs);
  }
}
