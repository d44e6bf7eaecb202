// Runs test/vscode/api inside the extension host of the VS Code that the first argument names, and prints how many tests
// passed and failed into the file that the second names. FAULTLINE_CODE names a desktop VS Code to use instead of the
// stand-in; with FAULTLINE_DESKTOP=1 (the default on Windows) @vscode/test-electron downloads one.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { root } from '../tools/lib/paths.mjs';
import { Unavailable } from '../tools/lib/unavailable.mjs';
import { bundleFolder, type Counts, INSTALLED } from './apiRuns.ts';

const apiFolder = path.join(import.meta.dirname, 'api');
const { FAULTLINE_CODE: desktopCode, FAULTLINE_DESKTOP: desktop } = process.env;
const isDownload = desktop === '1' || (process.platform === 'win32' && desktopCode === undefined);

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
        FAULTLINE_VSCODE_VERSION: version === INSTALLED ? undefined : version,
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
  const counts: Counts = existsSync(resultFile)
    ? JSON.parse(readFileSync(resultFile, 'utf8'))
    : { passed: 0, failed: 1, skipped: 0 };
  return { ...counts, failed: Math.max(1, counts.failed) };
}

// @vscode/test-electron closes VS Code on SIGINT only.
process.on('SIGTERM', () => process.kill(process.pid, 'SIGINT'));

const [version = '', countsFile = ''] = process.argv.slice(2);
writeFileSync(countsFile, JSON.stringify(await runOn(version)));
