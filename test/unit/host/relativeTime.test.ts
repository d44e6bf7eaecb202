import { describe, expect, it } from 'vitest';
import { ago } from '../../../src/host/relativeTime.ts';

describe('ago', () => {
  it.each([
    [0, 'en', '0 seconds ago'],
    [-5000, 'en', '0 seconds ago'],
    [1400, 'en', '1 second ago'],
    [119_000, 'en', '2 minutes ago'],
    [3_600_000, 'en', '1 hour ago'],
    [3 * 86_400_000, 'de', 'vor 3 Tagen'],
    [400 * 86_400_000, 'de', 'vor 1 Jahr'],
  ])('%i ms in %s is “%s”', (ms, language, text) => {
    expect(ago(1_700_000_000_000 - ms, 1_700_000_000_000, language)).toBe(text);
  });
});
