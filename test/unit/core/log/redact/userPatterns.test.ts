import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../../src/core/log/redact/userPatterns.ts';

const kindOf = (source: string) => {
  const compiled = compilePattern(source);
  return compiled.kind === 'refused' ? compiled.reason : compiled.kind;
};

describe('a pattern of a person’s own', () => {
  it.each([
    'EMP-\\d{4,6}(?:-[AB]|-C)?',
    '\\bACME_[A-Z0-9]{20,}\\b',
    '(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu)-\\d+',
  ])('is taken: %s', (source) => expect(kindOf(source)).toBe('pattern'));

  it.each([
    `${'a?'.repeat(20)}${'a'.repeat(20)}`,
    `${'(?:a|a)'.repeat(20)}b`,
    `${'a{0,9}'.repeat(20)}b`,
    '(a|b)*c',
    '\\s+\\S+x',
    '(a)\\1',
    '(?<=a)b',
    'a'.repeat(501),
  ])('is refused when it could take for ever: %s', (source) => expect(kindOf(source)).toBe('slow'));
});
