import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { chooseTool, openInspector } from '../../ui/inspector.ts';
import type { Transcript } from './inputs.ts';
import type { Target } from './programs.ts';

/** How long a page that has its answer may still take to draw it. */
const SETTLE_MS = 1000;
/** A note that comes and goes is seen by a person. */
const LOOK_MS = 300;
/** The call's row in the history has its end, or the connection has. */
const ENDED = /\d\s?m?s\s+(?:OK|ERROR)\s+TOOLS\/CALL|Tool Error|Disconnected|timed out/i;

/** What the Inspector's page shows while it calls `work` once, and what it exports afterwards. */
export async function inspectorPage(target: Target, folder: string, limitMs: number): Promise<Transcript> {
  const where = 'url' in target ? [target.url, '--transport', 'http'] : target.command;
  const { page, close } = await openInspector(where, folder);
  try {
    const button = await chooseTool(page, 'work');
    const seen = new Set<string>();
    const end = performance.now() + limitMs;
    await button.click();
    do {
      await page.waitForTimeout(LOOK_MS);
      seen.add(await textOf(page));
    } while (!ENDED.test([...seen].at(-1) ?? '') && performance.now() < end);
    await page.waitForTimeout(SETTLE_MS);
    seen.add(await textOf(page));
    const recorded: string[] = [];
    for (const tab of ['Protocol', 'Console', 'Network', 'Logs']) {
      const shown = page.getByText(tab, { exact: true }).last();
      if ((await shown.count()) > 0) {
        await shown.click({ timeout: 5000 }).catch(() => undefined);
        seen.add(await textOf(page));
        recorded.push(await exported(page));
      }
    }
    return { seen: [...seen].join('\n'), recorded: recorded.join('\n') };
  } finally {
    await close();
  }
}

async function textOf(page: Page): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, which is not all that the document holds.
  return page.locator('body').innerText();
}

/** What the Export button of the panel that is shown writes; nothing when there is nothing to write. */
async function exported(page: Page): Promise<string> {
  const button = page.getByRole('button', { name: /^Export/ }).last();
  if ((await button.count()) === 0 || !(await button.isEnabled())) {
    return '';
  }
  try {
    const coming = page.waitForEvent('download', { timeout: 5000 });
    await button.click({ timeout: 5000 });
    return readFileSync(await (await coming).path(), 'utf8');
  } catch {
    // No file came of it: nothing is kept of this panel.
    return '';
  }
}
