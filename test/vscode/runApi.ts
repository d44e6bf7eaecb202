// Runs test/vscode/api in each supported VS Code at once, see runApiOn.ts, and writes how many tests passed and failed to
// test/out/api.json. They mostly wait, and what one prints is shown when it has ended.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import * as esbuild from 'esbuild';
import { nodeFlags } from '../tools/lib/bootstrap.mjs';
import { outRoot } from '../tools/lib/paths.mjs';
import { run, stopChildrenOnSignals } from '../tools/lib/processes.mjs';
import { vscodeReleases } from '../tools/lib/versions.mjs';
import { bundleFolder, type Counts, INSTALLED } from './apiRuns.ts';

const apiFolder = path.join(import.meta.dirname, 'api');

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

/** A run that ends without a result counts as one failure. */
async function runOn(version: string): Promise<Counts> {
  const countsFile = path.join(outRoot, `api-${version}.json`);
  rmSync(countsFile, { force: true });
  const output: string[] = [];
  const script = path.join(import.meta.dirname, 'runApiOn.ts');
  await run(process.execPath, [...nodeFlags, script, version, countsFile], { onOutput: (text) => output.push(text) });
  process.stdout.write(`\nVS Code ${version}\n${output.join('')}`);
  return existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : { passed: 0, failed: 1, skipped: 0 };
}

stopChildrenOnSignals();
mkdirSync(outRoot, { recursive: true });
await bundleTests();
const { FAULTLINE_CODE: desktopCode } = process.env;
const versions = desktopCode === undefined ? vscodeReleases.map(({ vscode }) => vscode) : [INSTALLED];
const counts = await Promise.all(versions.map(runOn));
const sum = (name: keyof Counts) => counts.reduce((total, one) => total + one[name], 0);
const total: Counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
writeFileSync(path.join(outRoot, 'api.json'), JSON.stringify(total));
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
