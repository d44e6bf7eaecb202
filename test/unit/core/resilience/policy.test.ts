import { describe, expect, it } from 'vitest';
import {
  boundSettings,
  DEFAULT_RETRY_SETTINGS,
  RETRY_RANGES,
  type RetrySettings,
} from '../../../../src/core/resilience/policy.ts';

const all = (value: number) =>
  Object.fromEntries(Object.keys(DEFAULT_RETRY_SETTINGS).map((name) => [name, value])) as unknown as RetrySettings;
const ends = (index: 0 | 1) =>
  Object.fromEntries(Object.entries(RETRY_RANGES).map(([name, range]) => [name, range[index]]));

describe('the numbers of the settings', () => {
  it.each<readonly [string, RetrySettings, unknown]>([
    ['are let be as they come', DEFAULT_RETRY_SETTINGS, DEFAULT_RETRY_SETTINGS],
    ['are no less than the least', all(-5), ends(0)],
    ['are no more than the most', all(Number.POSITIVE_INFINITY), ends(1)],
    ['are the least where they are none', all(Number.NaN), ends(0)],
  ])('%s', (_name, given, expected) => expect(boundSettings(given)).toEqual(expected));
});
