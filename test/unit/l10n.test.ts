import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compare } from '../tools/l10n/compare.ts';
import { unreadableCalls } from '../tools/l10n/extract.ts';
import { LANGUAGES, RESOURCES, readBundle } from '../tools/l10n/files.ts';
import { inRoot } from '../tools/lib/paths.mjs';

// Extracting parses the whole host.
describe('the strings of the product', { timeout: 60_000 }, () => {
  it('can all be extracted: the first argument of `t` is one plain literal', () => {
    expect(unreadableCalls()).toEqual([]);
  });

  it('are in the English bundle as the source has them; `npm run l10n` writes it', async () => {
    for (const { englishFile, english } of RESOURCES) {
      expect(
        compare(await english(), readBundle(englishFile)),
        `${englishFile} is not up to date: npm run l10n`,
      ).toEqual({
        missing: {},
        stale: [],
        flaws: [],
      });
    }
  });

  it.each(LANGUAGES)('are all translated to %s; `npm run l10n -- --missing` prints what is not', async (language) => {
    for (const { fileOf, english } of RESOURCES) {
      const file = fileOf(language);
      expect({ file, ...compare(await english(), readBundle(file)) }).toEqual({
        file,
        missing: {},
        stale: [],
        flaws: [],
      });
    }
  });
});

describe('the manifest', () => {
  /** Members whose value a person reads. */
  const read = new Set([
    ...['title', 'description', 'markdownDescription', 'label', 'name', 'contents', 'altText', 'displayName'],
    ...[
      'deprecationMessage',
      'markdownDeprecationMessage',
      'enumDescriptions',
      'markdownEnumDescriptions',
      'shortTitle',
    ],
  ]);

  function literals(value: unknown, key: string, place: string): readonly string[] {
    if (typeof value === 'string') {
      return read.has(key) && !/^%[\w.]+%$/.test(value) && value !== 'Faultline' ? [`${place}: ${value}`] : [];
    }
    if (typeof value !== 'object' || value === null) {
      return [];
    }
    return Object.entries(value).flatMap(([name, each]) =>
      literals(each, Array.isArray(value) ? key : name, `${place}.${name}`),
    );
  }

  it('takes every text that is read from package.nls.json', () => {
    const { contributes, capabilities, description } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
    // What only models read stays English.
    for (const tool of contributes.languageModelTools) {
      delete tool.inputSchema;
      delete tool.name;
    }
    expect(literals({ contributes, capabilities, description }, '', '')).toEqual([]);
  });

  it.each([
    [{ commands: [{ command: 'a.b', title: 'Run' }] }, ['.commands.0.title: Run']],
    [{ properties: { a: { enumDescriptions: ['%a%', 'One'] } } }, ['.properties.a.enumDescriptions.1: One']],
    [{ title: 'Faultline', name: '%a.b%' }, []],
  ])('is read to the last member', (part, found) => {
    expect(literals(part, '', '')).toEqual(found);
  });
});
