// @ts-check
// `npm run release -- X.Y.Z`: says what a release would change; with `--yes` changes it, and makes what is published, in
// out/release/X.Y.Z. Publishes nothing.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bootstrap, say } from '../lib/bootstrap.mjs';
import { inRoot } from '../lib/paths.mjs';
import { capture } from '../lib/processes.mjs';
import { StepFailed } from '../lib/unavailable.mjs';

await bootstrap(fileURLToPath(import.meta.url), async (args) => {
  const [next, ...more] = args.filter((arg) => arg !== '--yes');
  if (next === undefined || more.length > 0) {
    say('Usage: npm run release -- X.Y.Z [--yes]');
    return 2;
  }
  await refuseUnclean();
  const changes = await changesFor(next);
  if (!args.includes('--yes')) {
    say(
      `\nThis would change ${[...changes.keys()].join(', ')}, and make the packages of ${next} in out/release/${next}.`,
    );
    say('Nothing was changed. To do it: npm run release -- ' + `${next} --yes`);
    return 0;
  }
  for (const [file, text] of changes) {
    fs.writeFileSync(inRoot(file), text);
    say(`changed ${file}`);
  }
  await makeArtifacts(next);
  return 0;
});

async function refuseUnclean() {
  const status = await capture('git', ['status', '--porcelain'], { cwd: inRoot() });
  if (status.trim() !== '') {
    throw new StepFailed(`the checkout has changes that are not committed:\n${status.trimEnd()}`);
  }
}

/**
 * The files that change, with their new texts; says what the changelog will say. Rejects where there can be no such release.
 * @param {string} next
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
async function changesFor(next) {
  const { notesOf, releasedChangelog, sourceWithVersion, versionProblem, withVersion } = await import(
    './releaseText.mjs'
  );
  const read = (/** @type {string} */ file) => fs.readFileSync(inRoot(file), 'utf8');
  const problem = versionProblem(JSON.parse(read('package.json')).version, next);
  const changelog = releasedChangelog(read('CHANGELOG.md'), next, new Date().toISOString().slice(0, 10));
  const source = sourceWithVersion(read('src/protocol/version.ts'), next);
  if (problem !== undefined || 'problem' in changelog || 'problem' in source) {
    const sentences = [problem, ...[changelog, source].map((each) => ('problem' in each ? each.problem : undefined))];
    throw new StepFailed(sentences.filter((sentence) => sentence !== undefined).join('\n'));
  }
  process.stdout.write(`${notesOf(changelog.text, next)}\n`);
  return new Map([
    ['CHANGELOG.md', changelog.text],
    ['package.json', withVersion(read('package.json'), next)],
    ['package-lock.json', withVersion(read('package-lock.json'), next)],
    ['src/protocol/version.ts', source.text],
  ]);
}

/**
 * Makes both packages from one build, the list of what is in them, and their sums.
 * @param {string} next
 */
async function makeArtifacts(next) {
  const { buildInto, checksums, cliTo, extensionTo } = await import('./artifacts.mjs');
  const { nextSteps } = await import('./releaseText.mjs');
  const folder = inRoot('out', 'release', next);
  fs.rmSync(folder, { recursive: true, force: true });
  const build = await buildInto(folder, say);
  const vsix = await extensionTo(build, folder, { update: false }, say);
  const cli = await cliTo(build, folder, say);
  fs.rmSync(build, { recursive: true });
  const manifest = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
  const files = [vsix, cli, ...(manifest.scripts.sbom === undefined ? [] : [await billOfMaterials(folder)])];
  fs.writeFileSync(path.join(folder, 'SHA256SUMS'), checksums(files));
  const [vsixName = '', cliName = ''] = files.map((file) => path.relative(inRoot(), file));
  const steps = { version: next, vsix: vsixName, cli: cliName, hasRepository: manifest.repository !== undefined };
  process.stdout.write(`\n${nextSteps(steps)}`);
}

/**
 * What `npm run sbom` prints, in a file. Rejects when that is no JSON.
 * @param {string} folder
 * @returns {Promise<string>}
 */
async function billOfMaterials(folder) {
  // Of its output alone: what npm or Node.js has to say besides is no part of it.
  const { stdout: text } = await promisify(execFile)(process.execPath, ['--run', 'sbom'], {
    cwd: inRoot(),
    maxBuffer: 64 * 1024 * 1024,
  });
  JSON.parse(text);
  const file = path.join(folder, 'sbom.cdx.json');
  fs.writeFileSync(file, text);
  return file;
}
