import { describe, expect, it } from 'vitest';
import { MAX_QUOTED, quoted } from '../../../../src/core/agent/quoted.ts';

describe('quoted', () => {
  it.each([
    ['plain', 'plain', '```\nplain\n```'],
    ['a fence within', 'a ``` b', '````\na ``` b\n````'],
    ['a longer one', 'a `````` b', '```````\na `````` b\n```````'],
    ['control and reordering characters', 'a\u001b[31m\u202eb', '```\na\\u001b[31m\\u202eb\n```'],
    ['line ends', 'a\nb', '```\na\nb\n```'],
  ])('fences %s', (_, text, shown) => {
    expect(quoted(text)).toBe(shown);
  });

  it('cuts what is too long, and says how much is missing', () => {
    const shown = quoted('x'.repeat(MAX_QUOTED + 7));
    expect(shown).toContain('(cut: 7 more characters)');
    expect(shown.length).toBeLessThan(MAX_QUOTED + 60);
  });
});
