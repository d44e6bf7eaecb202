// @ts-check
// The licences of what is bundled: nearly all of them ask to go with every copy, and a bundle keeps no comments.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from '../lib/paths.mjs';

/** @typedef {{ readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>> }} Metafile */

/** Its name in both packages. */
export const noticesFile = 'ThirdPartyNotices.txt';

/** The package of each file that a build copies as it is; the first that fits. */
const copied = /** @type {const} */ ([
  [/^codicon\.ttf$/, 'node_modules/@vscode/codicons'],
  [/^web-tree-sitter\.wasm$/, 'node_modules/web-tree-sitter'],
  [/^tree-sitter-kotlin\.wasm$/, 'node_modules/@tree-sitter-grammars/tree-sitter-kotlin'],
  [/^tree-sitter-[\w-]+\.wasm$/, 'node_modules/@vscode/tree-sitter-wasm'],
]);

/**
 * The folders of the packages that these files of a build hold something of, sorted. Throws on a file that nobody is known to
 * have made.
 * @param {readonly string[]} files names in its dist/
 * @param {readonly Metafile[]} metafiles
 * @returns {readonly string[]} relative to the checkout
 */
export function packagesIn(files, metafiles) {
  const inputs = new Map(
    metafiles.flatMap(({ outputs }) =>
      Object.entries(outputs).map(([file, output]) => [path.posix.basename(file), output.inputs]),
    ),
  );
  const folders = files.flatMap((name) => {
    const bundled = Object.entries(inputs.get(name) ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const taken = copied.find(([pattern]) => pattern.test(name));
    if (taken === undefined && !/\.(js|css|map)$/.test(name)) {
      throw new Error(`${name} is in the package, and nothing tells whose it is`);
    }
    return [...bundled.map(([file]) => packageOf(file)), taken?.[1]];
  });
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * The innermost package that a file is of; undefined for our own.
 * @param {string} file
 */
const packageOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

/**
 * All their names, versions and licences, one after the other. Throws where a licence cannot be told.
 * @param {readonly string[]} folders relative to the checkout
 */
export function noticesText(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license, author } = JSON.parse(fs.readFileSync(inRoot(folder, 'package.json'), 'utf8'));
    const texts = fs
      .readdirSync(inRoot(folder))
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .sort()
      .map((file) => fs.readFileSync(inRoot(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
    const whole = texts.length > 0 ? texts : [stated(name, license, author)];
    return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${whole.join('\n\n')}\n`;
  });
  return `Faultline holds code of these packages.\n\n${parts.join('\n')}`;
}

/**
 * The licence of a package that names it and does not bring its text.
 * @param {string} name
 * @param {unknown} license
 * @param {string | { name: string } | undefined} author
 */
function stated(name, license, author) {
  if (license !== 'MIT') {
    throw new Error(`${name} says ${String(license)} and brings no text of it`);
  }
  const own = fs.readFileSync(inRoot('LICENSE'), 'utf8');
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`);
  return `MIT License\n\nCopyright (c) ${holder}\n\n${own.slice(own.indexOf('Permission is hereby granted')).trim()}`;
}

/**
 * The metafiles that a build left in its out/.
 * @param {string} build
 * @returns {readonly any[]}
 */
export function readMetafiles(build) {
  const folder = path.join(build, 'out');
  const names = fs.readdirSync(folder).filter((name) => /^meta-\d+\.json$/.test(name));
  return names.map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
}
