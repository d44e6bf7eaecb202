import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { TimelineRequests } from '../../../src/protocol/webview.ts';
import { type Harness, type PageOptions, startHarness } from './harness.ts';

// For test files that open one page a test. Importers see `page` as it is at the moment.

let harness: Harness;
let problems: readonly string[];

/** The page of the test that runs. */
export let page: Page;

/** Builds and serves the page for the tests of this `describe`; after each, the page must have no complaint, and is closed. */
export function servePages(): void {
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());
  afterEach(async () => {
    assert.deepEqual(problems, [], 'the page, its console and its content security policy have no complaint');
    await page.close();
  });
}

/** Opens the page that is tested, and waits for what says that it is there: its rows, or that there are none. */
export async function openPage(options: PageOptions, isThere = '.row:not(.is-loading), .empty'): Promise<void> {
  ({ page, problems } = await harness.open(options));
  await page.waitForSelector(isThere);
}

export function press(key: string): Promise<void> {
  return page.keyboard.press(key);
}

/** Parameters of all requests of a method so far. */
export function requests<M extends keyof TimelineRequests>(
  method: M,
): Promise<readonly TimelineRequests[M]['params'][]> {
  return page.evaluate(
    (name) =>
      window.host.received.flatMap((message) =>
        message.type === 'request' && message.method === name ? [message.params] : [],
      ),
    method,
  );
}
