import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds in a part of the page, all of it when none is named; by the browser's own tools, since the page's policy lets no other script in. */
export async function violations(page: Page, part = 'html'): Promise<readonly string[]> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Runtime.evaluate', { expression: axe.source });
  await tools.detach();
  return page.evaluate(async (root) => {
    const { axe: run } = window as unknown as {
      axe: {
        run(where: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations: found } = await run.run(root, { resultTypes: ['violations'] });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }, part);
}
