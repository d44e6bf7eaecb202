import { describe, expect, it } from 'vitest';
import { compare } from '../tools/l10n/compare.ts';
import { unreadableCalls } from '../tools/l10n/extract.ts';
import { LANGUAGES, RESOURCES, readBundle } from '../tools/l10n/files.ts';

describe('the strings of the product', () => {
  it('can all be extracted: the first argument of `t` is one plain literal', () => {
    expect(unreadableCalls()).toEqual([]);
  });

  it('are in the English bundle as the source has them; `npm run l10n` writes it', async () => {
    for (const { englishFile, english } of RESOURCES) {
      const now = await english();
      expect(compare(now, readBundle(englishFile)), `${englishFile} is not up to date: npm run l10n`).toEqual({
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
