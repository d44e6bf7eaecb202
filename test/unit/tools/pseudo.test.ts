import { describe, expect, it } from 'vitest';
import { flawsOf } from '../../tools/l10n/compare.ts';
import { englishBundle } from '../../tools/l10n/extract.ts';
import { readBundle } from '../../tools/l10n/files.ts';
import { plainWords, pseudo } from '../../tools/l10n/pseudo.ts';

describe('pseudo', () => {
  it('keeps what a translation keeps, and lengthens the rest by two fifths', () => {
    expect(pseudo('$(error) Run `npm` {0}…')).toBe('$(error) Ŕúñ `npm` {0} éó…');
    expect(pseudo('ms')).toBe('ɱś');
    expect(plainWords(pseudo('Connect All Servers'))).toEqual([]);
    expect(pseudo('Connect All Servers')).toHaveLength(Math.ceil(19 * 1.4));
  });

  it('makes a translation without a flaw of every string', async () => {
    const all = { ...(await englishBundle()), ...readBundle('package.nls.json') };
    expect(Object.values(all).flatMap((text) => flawsOf(text, pseudo(text)).map((flaw) => [text, flaw]))).toEqual([]);
  });
});

describe('plainWords', () => {
  it.each([
    ['Ŕúñ 12 ɱś', []],
    ['Ŕúñ the demo', ['the', 'demo']],
    ['ŕúñ stdio', []],
  ])('of “%s”', (text, words) => {
    expect(plainWords(text, ['stdio'])).toEqual(words);
  });
});
