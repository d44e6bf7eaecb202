// @ts-check
// `npm start`: builds the extension and plays the demo in VS Code. In a desktop VS Code where there is one or it can be
// downloaded, else in one that is served to the browser. `npm start -- --headless` plays it unseen and prints what came out.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bootstrap, say } from './lib/bootstrap.mjs';

const usage = `Usage: npm start [-- options]
  --headless    play the demo in a headless browser, print the outcomes and end
  --browser     serve VS Code to the browser even where a desktop VS Code is installed
  --port <n>    the port to serve it at (a free one by default)
FAULTLINE_CODE names a desktop VS Code to use, FAULTLINE_CHROMIUM a browser for --headless.`;

function readArgs(/** @type {readonly string[]} */ args) {
  try {
    return parseArgs({
      args: [...args],
      options: { headless: { type: 'boolean' }, browser: { type: 'boolean' }, port: { type: 'string' } },
    }).values;
  } catch {
    return undefined;
  }
}

await bootstrap(fileURLToPath(import.meta.url), async (args) => {
  const options = readArgs(args);
  const port = Number(options?.port ?? 0);
  if (options === undefined || !Number.isInteger(port)) {
    say(usage);
    return 2;
  }
  const { ensureBuild } = await import('./lib/build.mjs');
  await ensureBuild(say);
  if (options.headless === true) {
    const { playDemoHeadless } = await import('../vscode/host/demoHeadless.ts');
    return playDemoHeadless();
  }
  const { findDesktop, openDemoInDesktop } = await import('../vscode/host/demoDesktop.ts');
  const code = options.browser === true ? undefined : await findDesktop(say);
  if (code !== undefined) {
    return openDemoInDesktop(code, say);
  }
  const { serveDemo } = await import('../vscode/host/demoServed.ts');
  return serveDemo(port, say);
}).finally(() => {
  // A browser or server that failed to end must not keep the command from ending.
  process.exit();
});
