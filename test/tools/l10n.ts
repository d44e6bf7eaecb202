/**
 * `npm run l10n`: writes the English strings of the host to media/l10n/bundle.l10n.json, drops from the translations what is
 * not in the source any more, and tells what they lack.
 *
 * `npm run l10n -- --missing` prints that as JSON, with the English in the place of the translations;
 * `npm run l10n -- --add <file>` takes it back, translated.
 *
 * `--english` leaves the translations alone: while a sentence is being written, its translation is not lost. `npm run dev`
 * runs it after each change.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compare, merged } from './l10n/compare.ts';
import { type Bundle, unreadableCalls } from './l10n/extract.ts';
import { LANGUAGES, RESOURCES, readBundle, writeBundle } from './l10n/files.ts';

/** By language and resource. */
type Translations = Readonly<Record<string, Readonly<Record<string, Bundle>>>>;

const { values } = parseArgs({
  options: { missing: { type: 'boolean' }, add: { type: 'string' }, english: { type: 'boolean' } },
});
const added: Translations = values.add === undefined ? {} : JSON.parse(readFileSync(values.add, 'utf8'));
const missing: Record<string, Record<string, Bundle>> = {};

for (const { file, line, call } of unreadableCalls()) {
  process.stderr.write(`${file}:${line}: the text is not one plain literal: ${call}\n`);
  process.exitCode = 1;
}
for (const resource of RESOURCES) {
  const english = await resource.english();
  if (resource.name === 'host') {
    writeBundle(resource.englishFile, english);
  }
  for (const language of LANGUAGES) {
    const file = resource.fileOf(language);
    const translation = merged(english, readBundle(file), added[language]?.[resource.name]);
    if (values.english !== true) {
      writeBundle(file, translation);
    }
    const found = compare(english, translation);
    for (const { key, flaw } of found.flaws) {
      process.stderr.write(`${file}: ${JSON.stringify(key)}: ${flaw}\n`);
      process.exitCode = 1;
    }
    const count = Object.keys(found.missing).length;
    process.stderr.write(`${file}: ${count} of ${Object.keys(english).length} missing\n`);
    if (count > 0) {
      missing[language] = { ...missing[language], [resource.name]: found.missing };
    }
  }
}
if (values.missing === true) {
  process.stdout.write(`${JSON.stringify(missing, undefined, 2)}\n`);
}
