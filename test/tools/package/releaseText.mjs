// @ts-check
// What a release changes in texts: from text to text, or the sentence that says why not.
import { applyEdits, modify } from 'jsonc-parser';

/** @typedef {{ readonly text: string } | { readonly problem: string }} Changed */

/**
 * Why `next` cannot be the version after `current`; `undefined` when it can. The Marketplace knows three numbers and nothing else.
 * @param {string} current
 * @param {string} next
 * @returns {string | undefined}
 */
export function versionProblem(current, next) {
  const [before, after] = [numbersOf(current), numbersOf(next)];
  if (before === undefined || after === undefined) {
    return `a version is three numbers, 1.2.3; ${after === undefined ? next : current} is not`;
  }
  const step = after.findIndex((number, index) => number !== before[index]);
  if (step < 0) {
    return undefined; // The first release of what the manifest has had all along.
  }
  const isNext = after[step] === (before[step] ?? 0) + 1 && after.slice(step + 1).every((number) => number === 0);
  return isNext ? undefined : `after ${current} comes ${nextOf(before).join(', ')}, or ${current} itself; not ${next}`;
}

/** @param {string} version */
function numbersOf(version) {
  return /^(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){2}$/.test(version) ? version.split('.').map(Number) : undefined;
}

/** @param {readonly number[]} version */
function nextOf([major = 0, minor = 0, patch = 0]) {
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
}

/**
 * The changelog with what is under Unreleased under the version and its date, and an empty Unreleased above it.
 * @param {string} changelog as of keepachangelog.com, 1.1.0
 * @param {string} version
 * @param {string} date YYYY-MM-DD
 * @returns {Changed}
 */
export function releasedChangelog(changelog, version, date) {
  const heading = /^## \[Unreleased\][^\S\n]*$/m.exec(changelog);
  if (heading === null) {
    return { problem: 'CHANGELOG.md has no heading "## [Unreleased]"' };
  }
  if (changelog.includes(`## [${version}]`)) {
    return { problem: `CHANGELOG.md has ${version} already` };
  }
  const start = heading.index + heading[0].length;
  const length = changelog.slice(start).search(/^## /m);
  const end = length < 0 ? changelog.length : start + length;
  const changes = changelog.slice(start, end).trim();
  if (!/^[-*] /m.test(changes)) {
    return { problem: 'CHANGELOG.md has nothing under Unreleased' };
  }
  const rest = changelog.slice(end);
  const released = `${heading[0]}\n\n## [${version}] - ${date}\n\n${changes}\n${rest === '' ? '' : `\n${rest}`}`;
  return { text: changelog.slice(0, heading.index) + released };
}

/**
 * What the changelog says of a version, without its heading.
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const [, after = ''] = changelog.split(`\n## [${version}]`);
  return (after.slice(after.indexOf('\n')).split(/^## /m)[0] ?? '').trim();
}

/**
 * A manifest or a lock file of npm with the version, its layout kept.
 * @param {string} text
 * @param {string} version
 */
export function withVersion(text, version) {
  const isLock = JSON.parse(text).lockfileVersion !== undefined;
  const places = [['version'], ...(isLock ? [['packages', '', 'version']] : [])];
  return places.reduce((changed, place) => applyEdits(changed, modify(changed, place, version, {})), text);
}

/**
 * `src/protocol/version.ts` with the version.
 * @param {string} text
 * @param {string} version
 * @returns {Changed}
 */
export function sourceWithVersion(text, version) {
  const pattern = /^(export const VERSION = ')[^']*(';)$/m;
  return pattern.test(text)
    ? { text: text.replace(pattern, `$1${version}$2`) }
    : { problem: 'src/protocol/version.ts has no constant VERSION' };
}

/**
 * What is left to a person: nothing is published by a script that runs on somebody's machine.
 * @param {{ version: string, vsix: string, cli: string, hasRepository: boolean }} release paths relative to the checkout
 */
export function nextSteps({ version, vsix, cli, hasRepository }) {
  const missing = hasRepository
    ? []
    : ['# package.json has no "repository": npm refuses a provenance without one, and the README loses its pictures.'];
  return [
    'Nothing was published. What is left:',
    '',
    `git commit -m "Release ${version}" -- CHANGELOG.md package.json package-lock.json src/protocol/version.ts`,
    `git tag -s v${version} -m "Faultline ${version}"`,
    `git push origin HEAD v${version}`,
    ...missing,
    `npx vsce publish --packagePath ${vsix}   # with VSCE_PAT, or --azure-credential`,
    `npx ovsx publish ${vsix}                 # for editors that use Open VSX, with OVSX_PAT`,
    `npm publish --provenance --access public ${cli}   # in CI alone: permissions id-token: write`,
    '',
  ].join('\n');
}
