import { describe, expect, it } from 'vitest';
import { isAboutHiding, isExplained, silentPlace } from '../../../src/lint/hidingRules.ts';
import type { Finding } from '../../../src/protocol/finding.ts';

describe('what a silent error on the wire is evidence of', () => {
  it.each([
    ['FL001', true],
    ['FL002', true],
    ['FL006', true],
    ['FL011', true],
    ['FL003', false],
    ['FL010', false],
  ])('%s: %s', (rule, expected) => {
    expect(isAboutHiding({ rule })).toBe(expected);
  });

  it.each<[string, string, readonly string[], boolean]>([
    ['a finding that names the tool', 'FL001', ['a', 'b'], true],
    ['a finding of a handler that serves all tools', 'FL001', [], true],
    ['a finding of another tool', 'FL001', ['b'], false],
    ['a finding about something else', 'FL010', ['a'], false],
  ])('%s', (_, rule, tools, expected) => {
    expect(isExplained('a', [{ rule, tools }])).toBe(expected);
  });
});

describe('the place of a tool that fails silently', () => {
  const at = (startLine: number) => ({ startLine, startColumn: 0, endLine: startLine, endColumn: 4 });
  const tool = { name: 'pay', range: at(2) };
  const hiding = { rule: 'FL001', tools: ['pay'], range: at(9) } as unknown as Finding;
  const other = { rule: 'FL010', tools: ['pay'], range: at(5) } as unknown as Finding;

  it.each([
    ['its definition', [other], undefined, { line: 3 }],
    ['the finding that says so', [other, hiding], undefined, { line: 10, rule: 'FL001' }],
    ['a finding rather than a definition elsewhere', [hiding], { line: 1 }, { line: 10, rule: 'FL001' }],
    ['no second definition', [other], { line: 1 }, undefined],
    ['no second finding', [hiding], { line: 1, rule: 'FL002' }, undefined],
  ])('is %s', (_, findings, known, expected) => {
    expect(silentPlace(tool, findings, known)).toEqual(expected);
  });
});
