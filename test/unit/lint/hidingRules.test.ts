import { describe, expect, it } from 'vitest';
import { isAboutHiding, isExplained } from '../../../src/lint/hidingRules.ts';

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
