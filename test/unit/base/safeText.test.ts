import { describe, expect, it } from 'vitest';
import { safeLine, safeText } from '../../../src/base/safeText.ts';

describe('safeText', () => {
  it.each([
    ['plain text, “quotes” and 日本語', 'plain text, “quotes” and 日本語'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['title\u0007\r\u009b2J', 'title\\u0007\\u000d\\u009b2J'],
    ['txt.\u202eexe\u2066', 'txt.\\u202eexe\\u2066'],
  ])('shows %j', (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });
});

describe('safeLine', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'longe…'],
    ['a\nb\tc', 9, 'a b c'],
    ['a\u001bb', 9, 'a\\u001bb'],
  ])('shows %j in %i', (text, maxLength, shown) => {
    expect(safeLine(text, maxLength)).toBe(shown);
  });
});
