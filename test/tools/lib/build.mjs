// @ts-check
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { packVsix } from '../package/vsix.mjs';
import { nodeFlags } from './bootstrap.mjs';
import { withLock } from './cache.mjs';
import { inRoot, outRoot, root } from './paths.mjs';
import { run } from './processes.mjs';
import { StepFailed } from './unavailable.mjs';

/** The packaged extension that the UI tests and `npm start` install. */
export const vsixFile = path.join(outRoot, 'faultline.vsix');

/**
 * Builds dist/ unless it is what the sources make, so that a second run beside this one does not pull it from under it.
 * Rejects when the build fails; its output is streamed.
 * @param {import('./cache.mjs').Note} note
 */
export async function ensureBuild(note) {
  await ensureBuildIn('.', [], note);
}

/**
 * The same for what is published, which is minified and beside dist/. Gives the folder with its dist/ and out/.
 * @param {import('./cache.mjs').Note} note
 */
export async function ensureProductionBuild(note) {
  const folder = path.join('out', 'production');
  await ensureBuildIn(folder, ['--production', `--into=${folder}`], note);
  return inRoot(folder);
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {import('./cache.mjs').Note} note
 */
function ensureBuildIn(folder, args, note) {
  return withLock('build', note, async () => {
    const bundle = inRoot(folder, 'dist', 'extension.js');
    const stampFile = inRoot(folder, 'out', 'build.stamp');
    if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp(bundle)) {
      return;
    }
    note(folder === '.' ? 'building' : `building ${folder}`);
    await runNode('esbuild.mjs', args);
    fs.mkdirSync(path.dirname(stampFile), { recursive: true });
    fs.writeFileSync(stampFile, stamp(bundle));
  });
}

/**
 * Packs the extension as it is published into `vsixFile`.
 * @param {import('./cache.mjs').Note} note
 */
export async function packExtension(note) {
  const folder = await ensureProductionBuild(note);
  fs.mkdirSync(outRoot, { recursive: true });
  const temporary = path.join(outRoot, `faultline-${process.pid}.vsix`);
  note('packing the extension');
  await packVsix(folder, temporary);
  fs.renameSync(temporary, vsixFile);
}

/**
 * @param {string} script
 * @param {readonly string[]} args
 */
async function runNode(script, args) {
  const code = await run(process.execPath, [...nodeFlags, script, ...args], { cwd: root });
  if (code !== 0) {
    throw new StepFailed(`${script} ended with ${code}, see above`);
  }
}

/**
 * Changes with every source that the build reads, and when somebody else has built.
 * @param {string} bundle
 */
function stamp(bundle) {
  const hash = createHash('sha256');
  const files = ['src', 'webview'].flatMap((folder) =>
    fs.readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  for (const file of [...files.sort(), 'esbuild.mjs', 'package-lock.json']) {
    if (fs.statSync(inRoot(file)).isFile()) {
      hash
        .update(file)
        .update('\0')
        .update(fs.readFileSync(inRoot(file)));
    }
  }
  const built = fs.existsSync(bundle) ? fs.statSync(bundle).mtimeMs : 0;
  return `${hash.digest('hex')} ${built}`;
}
