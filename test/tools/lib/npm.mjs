// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { capture } from './processes.mjs';

/** Pinned versions never change, so npm's own cache is as good as the registry; and a missing registry shall be known soon. */
const quickArgs = [
  '--loglevel=error',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/**
 * Unpacks a package of the npm registry into `folder`, without its dependencies and scripts. `members` are the paths inside
 * the package to unpack (`*` stands for one level), `strip` how many leading parts of them are dropped.
 * @param {string} spec name@version
 * @param {string} folder
 * @param {{ strip?: number, members?: readonly string[], exclude?: readonly string[] }} [options]
 */
export async function unpackPackage(spec, folder, { strip = 1, members = [], exclude = [] } = {}) {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'faultline-pack-'));
  try {
    await capture('npm', ['pack', spec, '--pack-destination', temporary, ...quickArgs], { cwd: temporary });
    const archive = fs.readdirSync(temporary).find((file) => file.endsWith('.tgz'));
    if (archive === undefined) {
      throw new Error(`npm pack ${spec} made no archive`);
    }
    const isGnu = (await capture('tar', ['--version'])).includes('GNU tar');
    await capture('tar', [
      '-xzf',
      path.join(temporary, archive),
      '-C',
      folder,
      `--strip-components=${strip}`,
      ...exclude.map((pattern) => `--exclude=${pattern}`),
      // BSD tar matches patterns by itself.
      ...(isGnu ? ['--wildcards', '--no-wildcards-match-slash'] : []),
      ...members.map((member) => `package/${member}`),
    ]);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Installs the dependencies that `folder`'s package.json lists, running no script of theirs.
 * @param {string} folder
 */
export async function installDependencies(folder) {
  await capture('npm', ['install', '--omit=dev', '--ignore-scripts', '--prefix', folder, ...quickArgs], {
    cwd: folder,
  });
}
