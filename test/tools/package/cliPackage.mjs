// @ts-check
// The npm package of the command line: only the bundles that it loads, and no dependencies.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from '../lib/paths.mjs';
import { capture } from '../lib/processes.mjs';
import { evenModes } from './modes.mjs';
import { noticesFile, noticesText, packagesIn, readMetafiles } from './notices.mjs';

/**
 * As much of esbuild's metafile as is read here.
 * @typedef {{ readonly outputs: Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>> }} Metafile
 */

/** The oldest Node.js that runs it: `node:sqlite` without a flag. `src/cli/main.ts` says so to an older one. */
const oldestNode = '22.13.0';

/** A file that a bundle names: `x.js`, `x.wasm`, or a template of such a name. */
const namedFile = /["'`]((?:[\w.-]|\$\{[^{}]*\})+\.(?:js|wasm))["'`]/g;

/**
 * The files of a build that `entries` need: what they import, by the metafiles of esbuild; and what they name to start or to read
 * it, scripts of threads and grammars.
 * @param {readonly string[]} entries file names
 * @param {readonly Metafile[]} metafiles
 * @param {ReadonlyMap<string, string>} texts of the bundles, by file name; those of other files are never asked for
 * @param {readonly string[]} names of all files of the build
 * @returns {readonly string[]} sorted
 */
export function filesOf(entries, metafiles, texts, names) {
  const outputs = new Map(
    metafiles.flatMap(({ outputs }) =>
      Object.entries(outputs).map(([file, output]) => [path.posix.basename(file), output]),
    ),
  );
  /** @type {Set<string>} */
  const needed = new Set();
  const waiting = [...entries];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (needed.has(name)) {
      continue;
    }
    if (!names.includes(name)) {
      throw new Error(`${name} is needed, but was not built`);
    }
    needed.add(name);
    const imported = outputs.get(name)?.imports ?? [];
    waiting.push(...imported.filter(({ path: file }) => file.startsWith('./')).map(({ path: file }) => file.slice(2)));
    for (const [, template = ''] of (texts.get(name) ?? '').matchAll(namedFile)) {
      const pattern = template
        .split(/\$\{[^{}]*\}/)
        .map(escaped)
        .join('[\\w-]+');
      waiting.push(...names.filter((file) => new RegExp(`^${pattern}$`).test(file)));
    }
  }
  return [...needed].sort();
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The manifest of the package, from that of the checkout.
 * @param {Record<string, any>} own
 * @param {string} description
 * @param {readonly string[]} manuals paths within the package
 */
export function cliManifest(own, description, manuals) {
  const { name, version, license, keywords, repository, homepage, bugs, bin } = own;
  return {
    name,
    version,
    description,
    license,
    keywords,
    // npm asks the repository of a provenance to be this one.
    ...(repository === undefined ? {} : { repository }),
    ...(homepage === undefined ? {} : { homepage }),
    ...(bugs === undefined ? {} : { bugs }),
    bin: Object.fromEntries(Object.entries(bin).map(([command, file]) => [command, file.replace('./', '')])),
    ...(manuals.length === 0 ? {} : { man: manuals }),
    files: ['dist/', noticesFile, ...manuals],
    engines: { node: `>=${oldestNode}` },
    publishConfig: { access: 'public', provenance: true },
  };
}

/**
 * Packs the command line of a build into `folder`, named as npm names it.
 * @param {string} build with dist/ and out/
 * @param {string} folder
 * @returns {Promise<{ readonly file: string, readonly files: readonly string[] }>} the archive, and the names in its dist/
 */
export async function packCli(build, folder) {
  fs.mkdirSync(folder, { recursive: true });
  const stage = fs.mkdtempSync(path.join(folder, 'cli-'));
  try {
    const { files, name } = stageCli(build, stage);
    await capture('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], {
      cwd: stage,
    });
    return { file: path.join(folder, name), files };
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * @param {string} build
 * @param {string} stage
 */
function stageCli(build, stage) {
  const dist = path.join(build, 'dist');
  const own = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
  const names = fs.readdirSync(dist);
  const bundles = names.filter((name) => name.endsWith('.js'));
  const texts = new Map(bundles.map((name) => [name, fs.readFileSync(path.join(dist, name), 'utf8')]));
  const entries = Object.values(own.bin).map((file) => path.posix.basename(String(file)));
  const metafiles = readMetafiles(build);
  const files = filesOf(entries, metafiles, texts, names);
  fs.mkdirSync(path.join(stage, 'dist'));
  for (const name of files) {
    // Of a build for development; its maps, twice as large as all the rest, stay behind.
    const text = texts.get(name)?.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
    fs.writeFileSync(path.join(stage, 'dist', name), text ?? fs.readFileSync(path.join(dist, name)));
  }
  const manuals = ['faultline.1'].filter((name) => fs.existsSync(inRoot('docs', name)));
  for (const name of manuals) {
    fs.cpSync(inRoot('docs', name), path.join(stage, 'man', name));
  }
  fs.cpSync(inRoot('LICENSE'), path.join(stage, 'LICENSE'));
  fs.writeFileSync(path.join(stage, noticesFile), noticesText(packagesIn(files, metafiles)));
  fs.cpSync(inRoot('test', 'tools', 'package', 'cliReadme.md'), path.join(stage, 'README.md'));
  const { description } = JSON.parse(fs.readFileSync(inRoot('package.nls.json'), 'utf8'));
  const manifest = cliManifest(
    own,
    description,
    manuals.map((name) => `man/${name}`),
  );
  fs.writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  evenModes(stage);
  return { files, name: `${manifest.name}-${manifest.version}.tgz` };
}
