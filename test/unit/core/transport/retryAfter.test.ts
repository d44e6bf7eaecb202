import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../../src/core/transport/retryAfter.ts';

const now = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('retryAfterMs', () => {
  it.each<[string | null | undefined, number | undefined]>([
    ['3', 3000],
    ['0', 0],
    [' 120 ', 120_000],
    ['1.5', 1500],
    ['0.0001', 1],
    ['Sun, 06 Nov 1994 08:49:39 GMT', 2000],
    ['Sunday, 06-Nov-94 08:49:40 GMT', 3000],
    ['Sun Nov  6 08:49:41 1994', 4000],
    ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
    ['Sun, 66 Nov 1994 08:49:39 GMT', undefined],
    ['1994-11-06T08:49:39Z', undefined],
    ['-1', undefined],
    ['3s', undefined],
    ['9'.repeat(400), undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as %j ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
