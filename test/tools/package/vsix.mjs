// @ts-check
// The extension as it is published: the same sources make the same bytes, on any machine and at any time.
import { on } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { inRoot } from '../lib/paths.mjs';
import { capture } from '../lib/processes.mjs';
import { evenModes } from './modes.mjs';
import { noticesFile, noticesText, packagesIn, readMetafiles } from './notices.mjs';

// It has no types.
const yauzl = createRequire(import.meta.url)('yauzl');

/** What a person downloads: most of it are the lint's grammars. */
const vsixBudgetBytes = 6_000_000;

/** What is in the package, one name a line; `npm run package -- --update` writes it. */
export const contentsFile = inRoot('test', 'fixtures', 'package', 'vsix-contents.txt');

/** Of every file in the package: of no meaning, but constant, and within what a zip can say. */
const epochSeconds = Date.UTC(2020, 0, 1) / 1000;

/** Of no use in an installed extension, and misleading where somebody reads it there. */
const developmentFields = ['private', 'scripts', 'bin', 'dependencies', 'devDependencies', 'allowScripts'];

/** A workspace that ships, hidden folder and all. */
const demoWorkspace = 'extension/media/demo-workspace/';

/**
 * Packs the extension of a build into `target`. Rejects when it is over its budget.
 * @param {string} build with dist/ and out/
 * @param {string} target
 * @returns {Promise<number>} its size in bytes
 */
export async function packVsix(build, target) {
  const stage = fs.mkdtempSync(`${target}-`);
  try {
    stageExtension(build, stage);
    const manifest = JSON.parse(fs.readFileSync(path.join(stage, 'package.json'), 'utf8'));
    const vsce = inRoot('node_modules', '@vscode', 'vsce', 'vsce');
    // Relative links of the README lead into the repository, once there is one.
    const unpublished = manifest.repository ? [] : ['--allow-missing-repository', '--no-rewrite-relative-links'];
    const args = [vsce, 'package', '--no-dependencies', ...unpublished, '--out', target];
    // A zip holds local time, and vsce sorts by the rules of a language.
    const env = { SOURCE_DATE_EPOCH: String(epochSeconds), TZ: 'UTC', LC_ALL: 'en_US.UTF-8' };
    await capture(process.execPath, args, { cwd: stage, env });
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
  const { size } = fs.statSync(target);
  if (size > vsixBudgetBytes) {
    fs.rmSync(target);
    throw new Error(`the extension packs to ${size} bytes, over its budget of ${vsixBudgetBytes}`);
  }
  return size;
}

/**
 * Copies what .vscodeignore lets through into a folder of its own, so that nothing else in the checkout matters, and vsce need
 * not walk all of it.
 * @param {string} build
 * @param {string} stage
 */
function stageExtension(build, stage) {
  const dist = path.join(build, 'dist');
  const wanted = shippedNames(fs.readFileSync(inRoot('.vscodeignore'), 'utf8'), fs.readdirSync(inRoot()));
  for (const name of [...wanted, '.vscodeignore']) {
    fs.cpSync(name === 'dist' ? dist : inRoot(name), path.join(stage, name), { recursive: true });
  }
  const manifest = fs.readFileSync(inRoot('package.json'), 'utf8');
  fs.writeFileSync(path.join(stage, 'package.json'), publishedManifest(manifest));
  const files = fs.readdirSync(dist);
  fs.writeFileSync(path.join(stage, noticesFile), noticesText(packagesIn(files, readMetafiles(build))));
  evenModes(stage);
}

/**
 * The names at the top of the checkout that an allow-list of .vscodeignore speaks of; `dist` always.
 * @param {string} ignoreFile
 * @param {readonly string[]} names
 * @returns {readonly string[]}
 */
export function shippedNames(ignoreFile, names) {
  const patterns = ignoreFile
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1).split('/')[0] ?? '')
    .map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
  return [...new Set([...names, 'dist'])].filter((name) => patterns.some((pattern) => pattern.test(name)));
}

/**
 * The manifest without what only development needs.
 * @param {string} text
 */
export function publishedManifest(text) {
  const manifest = JSON.parse(text);
  const fields = Object.entries(manifest).filter(([name]) => !developmentFields.includes(name));
  // Its `node` is what the checkout needs; an extension has the Node.js of its VS Code.
  const engines = { vscode: manifest.engines.vscode };
  return `${JSON.stringify({ ...Object.fromEntries(fields), engines }, undefined, 2)}\n`;
}

/**
 * Names and contents of a zip, in its order.
 * @param {string} file
 * @returns {Promise<ReadonlyMap<string, Buffer>>}
 */
export async function readZip(file) {
  const zip = await promisify(yauzl.open)(file, { lazyEntries: true });
  const open = promisify(zip.openReadStream.bind(zip));
  /** @type {Map<string, Buffer>} */
  const entries = new Map();
  zip.readEntry();
  for await (const [entry] of on(zip, 'entry', { close: ['end'] })) {
    entries.set(entry.fileName, await buffer(await open(entry)));
    zip.readEntry();
  }
  return entries;
}

/**
 * The names of a package as `contentsFile` has them: sorted, and with `*` for the hashes of chunks. How many are shared is esbuild's
 * affair and changes with any import.
 * @param {Iterable<string>} names
 * @returns {readonly string[]}
 */
export function contentsOf(names) {
  return [...new Set([...names].map((name) => name.replace(/-[A-Z0-9]{8}(?=\.js$)/, '-*')))].sort();
}

/**
 * What no package may hold, whatever the list says: what is wrong, one sentence each.
 * @param {ReadonlyMap<string, Buffer>} entries
 * @returns {readonly string[]}
 */
export function flawsOf(entries) {
  return [...entries].flatMap(([name, bytes]) => {
    const place = name.startsWith(demoWorkspace) ? name.slice(demoWorkspace.length).replace('.vscode/', '') : name;
    return [
      ...(/\.map$/.test(place) ? [`${name} is a source map`] : []),
      ...(/(^|\/)(test|src|webview|docs|node_modules)\//.test(place) ? [`${name} is of the repository`] : []),
      ...(/\.(png|jpe?g|gif|mp4)$/.test(place) && place !== 'extension/media/icon.png' ? [`${name} is a picture`] : []),
      ...(/(^|\/)\.|\.(env|pem|key|p12|sqlite|vsix|tgz)$/.test(place) ? [`${name} may hold secrets`] : []),
      ...(/-----BEGIN [A-Z ]*PRIVATE KEY-----\n/.test(bytes.toString('latin1')) ? [`${name} holds a private key`] : []),
      ...(/\.(js|css)$/.test(place) && bytes.includes('sourceMappingURL=data:') ? [`${name} holds a source map`] : []),
    ];
  });
}
