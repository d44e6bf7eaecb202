import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { bodyClass, type Theme, themeCss } from './themes.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Where pictures and the built page go; ignored by git. */
export const OUT = path.join(root, 'test/out/page');

export interface PageOptions {
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  readonly placement?: 'sidebar' | 'editor';
  /** Passed to the fake host as `window.harness`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly bodyClasses?: string;
  /** Device pixels per CSS pixel; 1 when absent. */
  readonly scale?: number;
}

/** Puts another theme on an open page, as VS Code does when a person chooses one: other variables, another class of the body. */
export function wear(page: Page, theme: Theme): Promise<void> {
  return page.evaluate(
    async ([css, className]) => {
      const link = document.querySelector<HTMLLinkElement>('link[href^="/theme.css"]');
      if (link !== null && !link.href.endsWith(css)) {
        const loaded = new Promise((resolve) => link.addEventListener('load', resolve, { once: true }));
        link.href = css;
        await loaded;
      }
      document.body.className = className;
    },
    [`/theme.css?theme=${theme}`, bodyClass(theme)] as const,
  );
}

/** A served page in a browser. Everything that the console, the page or the content security policy complains of is in `problems`. */
export interface Harness {
  open(options: PageOptions): Promise<{ page: Page; problems: string[] }>;
  close(): Promise<void>;
}

/** Where the built page goes: a folder of this run, since several may run at once. */
const BUILT = path.join(OUT, `built-${process.pid}`);

/** Builds the page as esbuild.mjs does, beside `dist`, so that nothing else has to be built first. */
async function buildPage(): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  await build({
    absWorkingDir: root,
    bundle: true,
    outdir: BUILT,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    chunkNames: 'webview-[name]-[hash]',
    target: 'chrome128',
    external: ['*.ttf'],
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
    entryPoints: {
      webview: 'webview/main.ts',
      'webview-style': 'webview/styles/main.css',
      'fake-host': 'test/vscode/page/fakeHost.ts',
    },
  });
}

/** The built file that a path of the page names, and its type. */
function fileOf(pathname: string): { readonly file: string; readonly type: string } | undefined {
  if (pathname === '/codicon.ttf') {
    return { file: path.join(root, 'node_modules/@vscode/codicons/dist/codicon.ttf'), type: 'font/ttf' };
  }
  const extension = /^\/[\w-]+\.(js|css)$/.exec(pathname)?.[1];
  const file = path.join(BUILT, pathname);
  return extension === undefined || !existsSync(file)
    ? undefined
    : { file, type: extension === 'js' ? 'text/javascript' : 'text/css' };
}

/** The page as the host writes it, with the fake host's script before its own. */
function pageHtml({ theme, placement, settings, bodyClasses }: PageOptions): string {
  const settingsJson = JSON.stringify(settings ?? {}).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Timeline</title>
<link rel="stylesheet" href="/theme.css?theme=${theme}"><link rel="stylesheet" href="/webview-style.css">
</head><body class="${bodyClass(theme)} ${bodyClasses ?? ''}" data-placement="${placement ?? 'editor'}">
<script nonce="harness">window.harness = ${settingsJson};</script>
<script type="module" nonce="harness" src="/fake-host.js"></script><script type="module" nonce="harness" src="/webview.js"></script>
</body></html>`;
}

const CSP = "default-src 'none'; script-src 'nonce-harness'; style-src 'self'; font-src 'self'; img-src 'self'";

function serve(pages: ReadonlyMap<string, PageOptions>): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const options = pages.get(url.pathname);
    const known = fileOf(url.pathname);
    if (options !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': CSP }).end(pageHtml(options));
    } else if (url.pathname === '/theme.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(themeCss(url.searchParams.get('theme') as Theme));
    } else if (known !== undefined) {
      response.writeHead(200, { 'content-type': known.type }).end(readFileSync(known.file));
    } else {
      response.writeHead(url.pathname === '/favicon.ico' ? 204 : 404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Builds and serves the page and starts a browser. */
export async function startHarness(): Promise<Harness> {
  await buildPage();
  const pages = new Map<string, PageOptions>();
  const server = await serve(pages);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const browser = await launchBrowser((text) =>
    process.stderr.write(`${text}
`),
  );
  return {
    async open(options) {
      const name = `/page-${pages.size}`;
      pages.set(name, options);
      const page = await browser.newPage({
        viewport: { width: options.width, height: options.height },
        timezoneId: 'UTC',
        locale: 'en-US',
        deviceScaleFactor: options.scale ?? 1,
      });
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') {
          problems.push(message.text());
        }
      });
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(`http://127.0.0.1:${port}${name}`);
      await page.waitForSelector('#grid', { timeout: 5000 }).catch(() => problems.push('no grid'));
      return { page, problems };
    },
    async close() {
      await browser.close();
      server.close();
      rmSync(BUILT, { recursive: true, force: true });
    },
  };
}
