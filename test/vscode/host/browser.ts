import process from 'node:process';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { ensureChromium } from '../../tools/lib/chromium.mjs';

/** Starts a headless Chromium. It ends with this process, however that ends. */
export async function launchBrowser(note: (text: string) => void): Promise<Browser> {
  const { executable, env } = await ensureChromium(note);
  return chromium.launch({
    executablePath: executable,
    env: { ...process.env, ...env },
    // Playwright's own handlers exit the process before anything else is cleaned up.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** A browser profile whose pages reach nothing but `authority`; what else they ask for is told and refused. */
export async function isolatedContext(
  browser: Browser,
  authority: string,
  onBlocked: (url: string) => void,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  await context.route(
    (url) => url.host !== authority && /^https?:$/.test(url.protocol),
    (route) => {
      onBlocked(route.request().url());
      return route.abort();
    },
  );
  return context;
}
