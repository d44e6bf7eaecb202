// Runs test/vscode/api inside the extension host of each supported VS Code, and writes how many tests passed and failed to
// test/out/api.json. FAULTLINE_CODE names a desktop VS Code to use instead of the stand-in; with FAULTLINE_DESKTOP=1
// (the default on Windows) @vscode/test-electron downloads one.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { inRoot, outRoot, root } from '../tools/lib/paths.mjs';
import { Unavailable } from '../tools/lib/unavailable.mjs';
import { vscodeReleases } from '../tools/lib/versions.mjs';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const apiFolder = path.join(import.meta.dirname, 'api');
const bundleFolder = inRoot('out', 'api');
const { FAULTLINE_CODE: desktopCode, FAULTLINE_DESKTOP: desktop } = process.env;
/** In place of a version: the desktop VS Code that FAULTLINE_CODE names, whichever it is. */
const installedVersion = 'installed';
const isDownload = desktop === '1' || (process.platform === 'win32' && desktopCode === undefined);

async function bundleTests(): Promise<void> {
  const files = readdirSync(apiFolder).filter((file) => file === 'index.ts' || file.endsWith('.test.ts'));
  rmSync(bundleFolder, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: files.map((file) => path.join(apiFolder, file)),
    outdir: bundleFolder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
}

async function executable(version: string): Promise<string> {
  if (desktopCode !== undefined) {
    return desktopCode;
  }
  if (!isDownload) {
    return path.join(import.meta.dirname, 'host', 'codeWrapper.ts');
  }
  try {
    return await downloadAndUnzipVSCode({ version });
  } catch (error) {
    throw new Unavailable(
      `desktop VS Code ${version}`,
      error,
      'set FAULTLINE_CODE to the executable of an installed one',
    );
  }
}

/** One run of all API tests; a run that ends without a result counts as one failure. */
async function runOn(version: string): Promise<Counts> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-api-'));
  const resultFile = path.join(scratch, 'counts.json');
  const workspace = path.join(scratch, 'workspace');
  cpSync(path.join(apiFolder, 'workspace'), workspace, { recursive: true });
  try {
    await runTests({
      vscodeExecutablePath: await executable(version),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(bundleFolder, 'index.js'),
      launchArgs: [
        workspace,
        '--disable-extensions',
        `--user-data-dir=${path.join(scratch, 'user-data')}`,
        `--extensions-dir=${path.join(scratch, 'extensions')}`,
      ],
      extensionTestsEnv: {
        FAULTLINE_API_RESULT: resultFile,
        FAULTLINE_VSCODE_VERSION: version === installedVersion ? undefined : version,
      },
    });
    return JSON.parse(readFileSync(resultFile, 'utf8'));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return countsOfFailure(resultFile);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

function countsOfFailure(resultFile: string): Counts {
  try {
    const counts: Counts = JSON.parse(readFileSync(resultFile, 'utf8'));
    return { ...counts, failed: Math.max(1, counts.failed) };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

let isInterrupted = false;
process.on('SIGINT', () => {
  isInterrupted = true;
});
// @vscode/test-electron closes VS Code on SIGINT only.
process.on('SIGTERM', () => process.kill(process.pid, 'SIGINT'));

await bundleTests();
const counts: Counts[] = [];
for (const version of desktopCode === undefined ? vscodeReleases.map(({ vscode }) => vscode) : [installedVersion]) {
  if (isInterrupted) {
    process.exit(130);
  }
  process.stdout.write(`\nVS Code ${version}\n`);
  counts.push(await runOn(version));
}
const sum = (name: keyof Counts) => counts.reduce((total, one) => total + one[name], 0);
mkdirSync(outRoot, { recursive: true });
const total: Counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
writeFileSync(path.join(outRoot, 'api.json'), JSON.stringify(total));
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
