import { describe, expect, it } from 'vitest';
import { replaceHidden } from '../../../src/core/export/copyAs/parts.ts';
import { escapeLine, segmentsOf } from '../../../webview/escape.ts';

describe('escapeLine', () => {
  it.each([
    ['plain text', 'a "b" <c>', 'a "b" <c>'],
    ['letters of any script and emoji', 'żółć 日本 עברית 🙂', 'żółć 日本 עברית 🙂'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['C0, DEL and C1 controls', '\u0000\u001b[31m\u007f\u0085', '\\u0000\\u001b[31m\\u007f\\u0085'],
    ['bidirectional overrides and isolates', 'x\u202Egpj\u2066y\u2069', 'x\\u202egpj\\u2066y\\u2069'],
    ['zero width and soft hyphen', 'a\u200bb\u200dc\ufeffd\u00ade', 'a\\u200bb\\u200dc\\ufeffd\\u00ade'],
    ['separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['tags beyond the first plane', '\u{e0041}', '\\u{e0041}'],
    ['lone surrogates', 'a\ud800b', 'a\\ud800b'],
    ['fillers that draw nothing', '\u3164\u115f', '\\u3164\\u115f'],
  ])('%s', (_name, text, expected) => {
    expect(escapeLine(text)).toBe(expected);
  });
});

it('hides nothing that a copy would show, and the other way round: the page cannot share its list', () => {
  const differing: string[] = [];
  for (let code = 0; code < 0x110000; code += 1) {
    const character = String.fromCodePoint(code);
    const isShown = escapeLine(character) === character;
    if (isShown !== (replaceHidden(character, () => '') === character)) {
      differing.push(code.toString(16));
    }
  }
  expect(differing).toEqual([]);
});

describe('segmentsOf', () => {
  const plain = (text: string) => ({ text, isEscape: false, isMarked: false });
  const marked = (text: string) => ({ text, isEscape: false, isMarked: true });
  const hidden = (text: string, isMarked = false) => ({ text, isEscape: true, isMarked });

  it.each([
    ['nothing', '', [], []],
    ['lines and tabs', 'a\n\tb', [], [plain('a\n\tb')]],
    ['a carriage return', 'a\r\nb', [], [plain('a'), hidden('\\r'), plain('\nb')]],
    ['an escape sent literally', '\\u202e', [], [plain('\\u202e')]],
    ['a hidden character', 'a\u202Eb', [], [plain('a'), hidden('\\u202e'), plain('b')]],
    ['a mark', 'abcd', [{ start: 1, end: 3 }], [plain('a'), marked('bc'), plain('d')]],
    [
      'a mark with a hidden character',
      'a\u200bb',
      [{ start: 0, end: 2 }],
      [marked('a'), hidden('\\u200b', true), plain('b')],
    ],
    [
      'marks in any order, overlapping and out of range',
      'abcdef',
      [
        { start: 4, end: 99 },
        { start: -3, end: 2 },
        { start: 1, end: 3 },
        { start: 5, end: 5 },
      ],
      [marked('ab'), marked('c'), plain('d'), marked('ef')],
    ],
  ])('%s', (_name, text, ranges, expected) => {
    expect(segmentsOf(text, ranges)).toEqual(expected);
  });
});
