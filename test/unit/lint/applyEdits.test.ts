import { describe, expect, it } from 'vitest';
import { applyEdits, editsOf, safeFixes } from '../../../src/lint/fixes/apply.ts';
import type { Finding, Fix, TextEdit } from '../../../src/protocol/finding.ts';

const edit = (startLine: number, startColumn: number, endColumn: number, newText: string): TextEdit => ({
  range: { startLine, startColumn, endLine: startLine, endColumn },
  newText,
});

const fix = (isSafe: boolean, ...edits: readonly TextEdit[]): Fix => ({
  title: 't',
  args: {},
  isSafe,
  isPreferred: true,
  edits,
});

const finding = (...fixes: readonly Fix[]): Finding => ({
  rule: 'FL001',
  name: 'returned-error',
  severity: 'warning',
  confidence: 'high',
  range: { startLine: 0, startColumn: 0, endLine: 0, endColumn: 1 },
  message: 'm',
  args: {},
  tools: [],
  sdk: 'unknown',
  fixes,
});

describe('safeFixes', () => {
  it('takes the safe fix of each finding, and none of one without', () => {
    const unsafe = fix(false, edit(0, 0, 1, 'x'));
    const safe = fix(true, edit(1, 0, 1, 'y'));
    const findings = [finding(unsafe), finding(unsafe, safe), finding()];
    expect(safeFixes(findings)).toEqual([{ finding: findings[1], fix: safe }]);
  });

  it('leaves what overlaps for the next round, whole', () => {
    const first = finding(fix(true, edit(0, 2, 6, 'a')));
    const overlapping = finding(fix(true, edit(3, 0, 0, 'b'), edit(0, 5, 9, 'c')));
    const touching = finding(fix(true, edit(0, 6, 7, 'd')));
    const free = finding(fix(true, edit(0, 7, 8, 'e')));
    expect(safeFixes([first, overlapping, touching, free]).map((chosen) => chosen.finding)).toEqual([first, free]);
  });

  it('says an import once that two fixes want', () => {
    const wanted = edit(0, 0, 0, 'import x\n');
    const chosen = safeFixes([
      finding(fix(true, wanted, edit(2, 0, 1, 'a'))),
      finding(fix(true, wanted, edit(4, 0, 1, 'b'))),
    ]);
    expect(editsOf(chosen)).toEqual([wanted, edit(2, 0, 1, 'a'), edit(4, 0, 1, 'b')]);
  });
});

describe('applyEdits', () => {
  it.each<[string, readonly TextEdit[], string]>([
    ['abc', [], 'abc'],
    ['abc\ndef\n', [edit(1, 0, 3, 'X'), edit(0, 1, 2, '--')], 'a--c\nX\n'],
    ['abc', [edit(0, 3, 3, '!'), edit(0, 0, 0, '>')], '>abc!'],
    ['a\r\nb', [edit(1, 0, 1, 'c')], 'a\r\nc'],
    ['a', [{ range: { startLine: 0, startColumn: 1, endLine: 9, endColumn: 0 }, newText: 'b' }], 'ab'],
  ])('of %j with %j is %j', (text, edits, expected) => {
    expect(applyEdits(text, edits)).toBe(expected);
  });
});
