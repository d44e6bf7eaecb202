import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { chooseTool, openInspector } from '../../ui/inspector.ts';
import type { Transcript } from './inputs.ts';
import type { Target } from './programs.ts';

/** How long a page that has its answer may still take to draw it. */
const SETTLE_MS = 1000;

/** What the Inspector's page shows and exports after one call of `work`. */
export async function inspectorPage(target: Target, limitMs: number): Promise<Transcript> {
  const where = 'url' in target ? [target.url, '--transport', 'http'] : target.command;
  const { page, close } = await openInspector(where);
  try {
    page.setDefaultTimeout(limitMs);
    await (await chooseTool(page, 'work')).click();
    // The history's row of the call has its end: OK, an error, or nothing of it within the limit.
    const ended = page.getByText(/^\d+(?:\.\d+)?\s?m?s$/).nth(2);
    await ended
      .or(page.getByText(/Tool Error|Disconnected|timed out/i))
      .first()
      .waitFor()
      .catch(() => undefined);
    await page.waitForTimeout(SETTLE_MS);
    const seen: string[] = [];
    const recorded: string[] = [];
    for (const tab of ['Protocol', 'Console', 'Network', 'Logs']) {
      const shown = page.getByText(tab, { exact: true }).last();
      if ((await shown.count()) === 0) {
        continue;
      }
      await shown.click().catch(() => undefined);
      // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, which is not all that the document holds.
      seen.push(await page.locator('body').innerText());
      recorded.push(await exported(page));
    }
    return { seen: seen.join('\n'), recorded: recorded.join('\n') };
  } finally {
    await close();
  }
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
