// @ts-check
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { nodeFlags } from './bootstrap.mjs';
import { withLock } from './cache.mjs';
import { inRoot, outRoot, root } from './paths.mjs';
import { capture, run } from './processes.mjs';
import { StepFailed } from './unavailable.mjs';

const bundle = inRoot('dist', 'extension.js');
const stampFile = inRoot('out', 'build.stamp');

/** The packaged extension that the UI tests and `npm start` install. */
export const vsixFile = path.join(outRoot, 'faultline.vsix');

/** What a person downloads: most of it are the lint's grammars. */
const vsixBudgetBytes = 6_000_000;

/**
 * Builds dist/ unless it is what the sources make, so that a second run beside this one does not pull it from under it.
 * Rejects when the build fails; its output is streamed.
 * @param {import('./cache.mjs').Note} note
 */
export function ensureBuild(note) {
  return withLock('build', note, async () => {
    if (readStamp() === stamp()) {
      return;
    }
    note('building');
    await runNode('esbuild.mjs', []);
    fs.mkdirSync(path.dirname(stampFile), { recursive: true });
    fs.writeFileSync(stampFile, stamp());
  });
}

/**
 * Packs dist/ and what else ships into `vsixFile`.
 * @param {import('./cache.mjs').Note} note
 */
export async function packExtension(note) {
  await ensureBuild(note);
  fs.mkdirSync(outRoot, { recursive: true });
  const temporary = path.join(outRoot, `faultline-${process.pid}.vsix`);
  note('packing the extension');
  const vsce = inRoot('node_modules', '@vscode', 'vsce', 'vsce');
  const unpublished = ['--allow-missing-repository', '--no-rewrite-relative-links'];
  const args = [vsce, 'package', '--no-dependencies', ...unpublished, '--out', temporary];
  await capture(process.execPath, args, { cwd: root });
  const { size } = fs.statSync(temporary);
  if (size > vsixBudgetBytes) {
    fs.rmSync(temporary);
    throw new Error(`the extension packs to ${size} bytes, over its budget of ${vsixBudgetBytes}`);
  }
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

/** Changes with every source that the build reads, and when somebody else has built. */
function stamp() {
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

function readStamp() {
  return fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8') : undefined;
}
