// @ts-check
/**
 * What the tests run on. `codeServer` is the npm package that carries VS Code's own server of that version, and `node`
 * the Node.js that its `engines` ask for (VS Code 1.139 does not start on an older one).
 * @typedef {{ readonly vscode: string, readonly codeServer: string, readonly node: string }} VscodeRelease
 */

/** The oldest VS Code that package.json allows. @type {VscodeRelease} */
export const oldestVscode = { vscode: '1.103.2', codeServer: '4.103.2', node: '22.23.3' };

/** @type {VscodeRelease} */
export const newestVscode = { vscode: '1.139.1', codeServer: '4.139.1', node: '24.22.3' };

export const vscodeReleases = [oldestVscode, newestVscode];

/** A headless Chromium with the shared libraries and fonts that a bare machine lacks. Linux on x64 only. */
export const chromiumPackage = { name: '@sparticuz/chromium', version: '153.0.0' };

/**
 * The release of that VS Code version; the newest when none is named. Throws on a version that is not listed.
 * @param {string | undefined} version
 */
export function releaseOf(version) {
  const release = version === undefined ? newestVscode : vscodeReleases.find(({ vscode }) => vscode === version);
  if (release === undefined) {
    throw new Error(`no VS Code ${version} here, only ${vscodeReleases.map(({ vscode }) => vscode).join(', ')}`);
  }
  return release;
}
