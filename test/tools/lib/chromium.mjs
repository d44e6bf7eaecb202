// @ts-check
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { cached } from './cache.mjs';
import { unpackPackage } from './npm.mjs';
import { capture } from './processes.mjs';
import { Unavailable } from './unavailable.mjs';
import { chromiumPackage } from './versions.mjs';

/** @typedef {{ readonly executable: string, readonly env: Readonly<Record<string, string>> }} Chromium `env` is added to its environment */

const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const applications = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) =>
    ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((file) =>
      path.join(process.env[name] ?? 'C:\\', file),
    ),
  ),
};

/**
 * First file of that name on the PATH, undefined if there is none.
 * @param {readonly string[]} names
 */
export function findOnPath(names) {
  const { PATH = '' } = process.env;
  const folders = PATH.split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => fs.existsSync(file));
}

/**
 * A Chromium that playwright-core can start: the one that FAULTLINE_CHROMIUM names, else an installed one, else the npm
 * registry's.
 * @param {import('./cache.mjs').Note} note
 * @returns {Promise<Chromium>}
 */
export async function ensureChromium(note) {
  const { FAULTLINE_CHROMIUM: named } = process.env;
  if (named !== undefined && named !== '') {
    if (!fs.existsSync(named)) {
      throw new Unavailable('a browser', `FAULTLINE_CHROMIUM is ${named}, which is not there`, 'correct or unset it');
    }
    return { executable: named, env: {} };
  }
  const installed =
    process.platform === 'darwin' || process.platform === 'win32'
      ? applications[process.platform].find((file) => fs.existsSync(file))
      : findOnPath(commands);
  return installed === undefined ? chromiumOfRegistry(note) : { executable: installed, env: {} };
}

/**
 * @param {import('./cache.mjs').Note} note
 * @returns {Promise<Chromium>}
 */
async function chromiumOfRegistry(note) {
  const { name, version } = chromiumPackage;
  const remedy = 'install Chromium, Chrome or Edge, or set FAULTLINE_CHROMIUM to the path of one';
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Unavailable(
      'a browser',
      `the npm package ${name} has none for ${process.platform} ${process.arch}`,
      remedy,
    );
  }
  try {
    const folder = await cached(`chromium-${version}`, note, async (filling) => {
      note(`fetching Chromium (${name}@${version})`);
      await unpackPackage(`${name}@${version}`, filling, { members: ['bin', 'LICENSE'] });
      const bin = path.join(filling, 'bin');
      await decompress(path.join(bin, 'chromium.br'), path.join(filling, 'chromium'));
      fs.chmodSync(path.join(filling, 'chromium'), 0o755);
      for (const part of ['al2023', 'fonts', 'swiftshader']) {
        const archive = path.join(filling, `${part}.tar`);
        await decompress(path.join(bin, `${part}.tar.br`), archive);
        await capture('tar', ['-xf', archive, '-C', filling, '--no-same-owner']);
        fs.rmSync(archive);
      }
      fs.rmSync(bin, { recursive: true });
      // The package's own names a folder of AWS Lambda. A relative one is relative to the file.
      fs.writeFileSync(
        path.join(filling, 'fonts.conf'),
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>' +
          '<dir prefix="relative">fonts</dir><cachedir prefix="xdg">faultline-fonts</cachedir></fontconfig>\n',
      );
      note('Chromium unpacked');
    });
    const { LD_LIBRARY_PATH: libraries } = process.env;
    const hasFonts = fs.existsSync('/etc/fonts/fonts.conf');
    return {
      executable: path.join(folder, 'chromium'),
      env: {
        LD_LIBRARY_PATH: [libraries, path.join(folder, 'lib')].filter(Boolean).join(':'),
        ...(hasFonts ? {} : { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') }),
      },
    };
  } catch (error) {
    throw new Unavailable(
      `a browser (npm package ${name}@${version})`,
      error,
      `make the npm registry reachable, or ${remedy}`,
    );
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
async function decompress(from, to) {
  await pipeline(fs.createReadStream(from), createBrotliDecompress(), fs.createWriteStream(to));
}
