#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --disable-warning=MODULE_TYPELESS_PACKAGE_JSON
// A stand-in for the executable of a desktop VS Code, given to @vscode/test-electron: takes the same flags, runs the extension
// tests in VS Code's own server with the workbench in a headless Chromium, prints what they print, and ends with 0 only
// when the tests themselves said that they passed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Browser, Page } from 'playwright-core';
import '../../tools/lib/dieWithParent.mjs';
import { outRoot } from '../../tools/lib/paths.mjs';
import { releaseOf } from '../../tools/lib/versions.mjs';
import { ensureVscodeServer } from '../../tools/lib/vscodeServer.mjs';
import { isolatedContext, launchBrowser } from './browser.ts';
import { parseCodeFlags } from './codeFlags.ts';
import { quietSettings, type RunningServer, startServer, workbenchUrl, writeSettings } from './server.ts';

const testsStartLimitMs = 90_000;
const testsEndLimitMs = 600_000;
const pumpMs = 100;
const extensionHostEndMs = 8000;
const closeLimitMs = 5000;
/** @vscode/test-electron drops what it has not read when it sees the exit. */
const drainMs = 150;

const { FAULTLINE_VSCODE_VERSION: version } = process.env;
const release = releaseOf(version);
const flags = parseCodeFlags(process.argv.slice(2));
const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-'));
const userDataDir = path.resolve(flags.userDataDir ?? path.join(scratch, 'user-data'));
const extensionsDir = path.resolve(flags.extensionsDir ?? path.join(scratch, 'extensions'));
const artifacts = path.join(outRoot, `api-${release.vscode}`);
const outputFile = path.join(scratch, 'output.txt');
const resultFile = path.join(scratch, 'result.json');

let server: RunningServer | undefined;
let browser: Browser | undefined;
let page: Page | undefined;
let workbenchLog = '';
let printedBytes = 0;
let isFinishing = false;

function pump(): void {
  const output = readFileSync(outputFile);
  process.stdout.write(output.subarray(printedBytes));
  printedBytes = output.length;
}

/** Undefined while the tests have not ended, and for ever when the extension host died. */
function result(): { readonly isPassed: boolean } | undefined {
  return existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : undefined;
}

function within(limitMs: number, promise: Promise<unknown> | undefined): Promise<unknown> {
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
  return Promise.race([promise?.catch(() => undefined), limit]);
}

async function keepArtifacts(): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  writeFileSync(path.join(artifacts, 'server.log'), server?.log() ?? '');
  writeFileSync(path.join(artifacts, 'workbench.log'), workbenchLog);
  await within(closeLimitMs, page?.screenshot({ path: path.join(artifacts, 'workbench.png') }));
  process.stderr.write(`Logs and a screenshot are in ${artifacts}\n`);
}

async function finish(code: number, why: string): Promise<void> {
  if (isFinishing) {
    return;
  }
  isFinishing = true;
  pump();
  if (code !== 0) {
    process.stderr.write(`VS Code ${release.vscode}: ${why}\n`);
    await keepArtifacts();
  }
  await Promise.all([within(closeLimitMs, browser?.close()), server?.stop()]);
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  setTimeout(() => process.exit(code), drainMs);
}

/** Ends the run by what the tests wrote down; `otherwise` says what happened when they wrote nothing. */
function finishByResult(otherwise: string): void {
  const ended = result();
  finish(ended?.isPassed === true ? 0 : 1, ended === undefined ? otherwise : 'the tests failed');
}

function onServerLog(text: string): void {
  if (text.includes('Extension Host Process exited')) {
    // It also ends after a good run; the page then reports before this.
    setTimeout(() => finishByResult('the extension host ended before the tests did'), extensionHostEndMs).unref();
  }
}

async function openTests(testsPath: string): Promise<void> {
  writeSettings(userDataDir, quietSettings);
  const env = {
    FAULTLINE_SHIM_OUTPUT: outputFile,
    FAULTLINE_SHIM_RESULT: resultFile,
    FAULTLINE_SHIM_ENTRY: path.resolve(testsPath),
  };
  const note = (text: string) => process.stderr.write(`${text}\n`);
  const installed = await ensureVscodeServer(release, note);
  [server, browser] = await Promise.all([
    startServer({
      server: installed,
      userDataDir,
      extensionsDir,
      runtimeDir: scratch,
      hasTestDriver: true,
      env,
      onLog: onServerLog,
    }),
    launchBrowser(note),
  ]);
  browser.on('disconnected', () => finish(1, 'the browser ended'));
  const context = await isolatedContext(browser, server.authority, (url) => {
    workbenchLog += `refused ${url}\n`;
  });
  page = await context.newPage();
  page.on('crash', () => finish(1, 'the workbench page crashed'));
  await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
    workbenchLog += `[${type}] ${args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ')}\n`;
  });
  await page.exposeFunction('codeAutomationExit', (code: number) =>
    finishByResult(`the extension host ended with ${code} before the tests did`),
  );
  const target = { ...flags, testsPath: path.join(import.meta.dirname, 'shim.cjs') };
  await page.goto(workbenchUrl(server, target), { waitUntil: 'commit' });
}

writeFileSync(outputFile, '');
mkdirSync(extensionsDir, { recursive: true });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => finish(130, `told to end by ${signal}`));
}
process.on('uncaughtException', (error) => finish(1, error.stack ?? String(error)));
setInterval(() => isFinishing || pump(), pumpMs).unref();
setTimeout(() => finish(1, `the tests did not end in ${testsEndLimitMs} ms`), testsEndLimitMs).unref();
setTimeout(() => {
  if (!existsSync(`${outputFile}.started`)) {
    finish(1, `the extension host did not start the tests in ${testsStartLimitMs} ms`);
  }
}, testsStartLimitMs).unref();

if (flags.testsPath === undefined) {
  await finish(2, 'this stand-in only runs tests: --extensionTestsPath is missing');
} else {
  await openTests(flags.testsPath);
}
