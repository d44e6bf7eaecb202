// @ts-check
// What a release is made of, each built from the sources as they are now.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { nodeFlags } from '../lib/bootstrap.mjs';
import { inRoot } from '../lib/paths.mjs';
import { capture } from '../lib/processes.mjs';
import { packCli } from './cliPackage.mjs';
import { contentsFile, contentsOf, flawsOf, packVsix, readZip } from './vsix.mjs';

/**
 * Packs the extension of a build into `folder`; gives the path. Rejects when its contents are not those of the list, or must not
 * be published.
 * @param {string} build
 * @param {string} folder
 * @param {{ update: boolean }} options `update`: write the list instead
 * @param {import('../lib/cache.mjs').Note} note
 */
export async function extensionTo(build, folder, { update }, note) {
  const file = path.join(folder, `faultline-${version()}.vsix`);
  const size = await packVsix(build, file);
  const entries = await readZip(file);
  const contents = `${contentsOf(entries.keys()).join('\n')}\n`;
  const flaws = flawsOf(entries);
  if (flaws.length > 0) {
    throw new Error(`must not be published:\n${flaws.join('\n')}`);
  }
  if (update) {
    fs.mkdirSync(path.dirname(contentsFile), { recursive: true });
    fs.writeFileSync(contentsFile, contents);
  } else if (fs.readFileSync(contentsFile, 'utf8') !== contents) {
    throw new Error(
      'the package holds other files than its list says; look at them: npm run package -- --update, git diff',
    );
  }
  note(`${path.relative(inRoot(), file)} ${size} bytes, ${entries.size} files`);
  return file;
}

/**
 * Packs the command line of a build for npm into `folder`; gives the path.
 * @param {string} build
 * @param {string} folder
 * @param {import('../lib/cache.mjs').Note} note
 */
export async function cliTo(build, folder, note) {
  const { file, files } = await packCli(build, folder);
  note(`${path.relative(inRoot(), file)} ${fs.statSync(file).size} bytes, ${files.length} files`);
  return file;
}

/**
 * Builds what is published below `folder`, whatever else is built there; gives the folder with its dist/ and out/.
 * @param {string} folder
 * @param {import('../lib/cache.mjs').Note} note
 */
export async function buildInto(folder, note) {
  const build = path.join(folder, 'build');
  fs.mkdirSync(build, { recursive: true });
  note(`building ${path.relative(inRoot(), build)}`);
  const args = ['esbuild.mjs', '--production', `--into=${path.relative(inRoot(), build)}`];
  await capture(process.execPath, [...nodeFlags, ...args], { cwd: inRoot() });
  return build;
}

/** Of the manifest. */
export function version() {
  return String(JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8')).version);
}

/**
 * Lines of `sha256sum`, which also checks them (`sha256sum --check SHA256SUMS`).
 * @param {readonly string[]} files
 */
export function checksums(files) {
  const line = (/** @type {string} */ file) =>
    `${createHash('sha256').update(fs.readFileSync(file)).digest('hex')}  ${path.basename(file)}\n`;
  return files.map(line).join('');
}
