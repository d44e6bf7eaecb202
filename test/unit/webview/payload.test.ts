import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../../webview/payload.ts';

/** The excerpt with its marked places in brackets. */
function excerpt(text: string, ...marks: string[]): string | undefined {
  const highlights = marks.map((mark) => ({ start: text.indexOf(mark), end: text.indexOf(mark) + mark.length }));
  const found = excerptOf({ text, highlights });
  return found?.highlights.reduceRight(
    (shown, { start, end }) => `${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`,
    found.text,
  );
}

describe('excerptOf', () => {
  it.each([
    ['nothing marked', 'a\nb', [], undefined],
    ['a short text whole', 'one MARK two', ['MARK'], 'one [MARK] two'],
    ['two lines before and after', '1\n2\n3\nMARK\n5\n6\n7', ['MARK'], '2\n3\n[MARK]\n5\n6'],
    ['the first line', 'MARK\n2\n3\n4', ['MARK'], '[MARK]\n2\n3'],
    ['the last line', '1\n2\n3\nMARK', ['MARK'], '2\n3\n[MARK]'],
    ['a mark over lines', '1\n2\n3\nMA\nRK\n6\n7\n8', ['MA\nRK'], '2\n3\n[MA\nRK]\n6\n7'],
    [
      'shared indentation taken off',
      '{\n    "a": 1,\n      "b": MARK\n    x',
      ['MARK'],
      '{\n    "a": 1,\n      "b": [MARK]\n    x',
    ],
    ['indentation of all lines', '0\n1\n  a\n    b\n  MARK c\n  d', ['MARK'], 'a\n  b\n[MARK] c\nd'],
    ['a second mark within the excerpt', 'a MARK b SPOT', ['MARK', 'SPOT'], 'a [MARK] b [SPOT]'],
    ['no mark beyond the excerpt', 'MARK\n2\n3\n4\nSPOT', ['MARK', 'SPOT'], '[MARK]\n2\n3'],
  ])('%s', (_name, text, marks, expected) => {
    expect(excerpt(text, ...marks)).toBe(expected);
  });

  it('cuts long lines around the mark and shows the cuts', () => {
    const text = `${'x'.repeat(1000)}MARK${'y'.repeat(1000)}`;
    expect(excerpt(text, 'MARK')).toBe(`…${'x'.repeat(240)}[MARK]${'y'.repeat(240)}…`);
  });
});
