import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../lib/paths.mjs';
import { type Bundle, englishBundle } from './extract.ts';

/** The languages that are shipped beside English, as VS Code names them. */
export const LANGUAGES = ['de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** A file of English strings with the file of a language. The host's own English is made from the source. */
export interface Resource {
  readonly name: 'host' | 'manifest';
  readonly englishFile: string;
  fileOf(language: Language): string;
  /** As the source has it now. */
  english(): Promise<Bundle>;
}

let extracting: Promise<Bundle> | undefined;

export const RESOURCES: readonly Resource[] = [
  {
    name: 'host',
    englishFile: 'media/l10n/bundle.l10n.json',
    fileOf: (language) => `media/l10n/bundle.l10n.${language}.json`,
    english: () => {
      extracting ??= englishBundle();
      return extracting;
    },
  },
  {
    name: 'manifest',
    englishFile: 'package.nls.json',
    fileOf: (language) => `package.nls.${language}.json`,
    english: () => Promise.resolve(readBundle('package.nls.json')),
  },
];

/** The strings of a file; none when it does not exist. */
export function readBundle(file: string): Bundle {
  return existsSync(inRoot(file)) ? JSON.parse(readFileSync(inRoot(file), 'utf8')) : {};
}

export function writeBundle(file: string, bundle: Bundle): void {
  writeFileSync(inRoot(file), `${JSON.stringify(bundle, undefined, 2)}\n`);
}
