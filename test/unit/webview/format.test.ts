import { describe, expect, it } from 'vitest';
import { createTimeFormats, fill, formatBytes, formatDuration, formatMs } from '../../../webview/format.ts';

describe('formatDuration', () => {
  it.each([
    [-5, '0 ms'],
    [0, '0 ms'],
    [1, '0.1 ms'],
    [400, '0.4 ms'],
    [960, '1 ms'],
    [18_000, '18 ms'],
    [999_400, '999 ms'],
    [999_600, '1.0 s'],
    [3_412_000, '3.4 s'],
    [59_940_000, '59.9 s'],
    [59_960_000, '1 min 0 s'],
    [125_000_000, '2 min 5 s'],
    [3_599_600_000, '1 h 0 min'],
    [3_720_000_000, '1 h 2 min'],
  ])('%i µs: %s', (us, expected) => {
    expect(formatDuration(us)).toBe(expected);
  });
});

describe('formatMs', () => {
  it.each([
    [0, '0'],
    [40, '0.1'],
    [400, '0.4'],
    [18_000, '18'],
    [3_412_000, '3,412'],
  ])('%i µs: %s', (us, expected) => {
    expect(formatMs(us)).toBe(expected);
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [512, '512 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [1_228_800, '1.2 MB'],
    [212 * 1024 * 1024, '212 MB'],
    [3 * 1024 ** 3, '3.0 GB'],
  ])('%i: %s', (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected);
  });
});

describe('createTimeFormats', () => {
  const us = Date.UTC(2026, 2, 2, 0, 2, 7, 14) * 1000;

  it.each([
    ['UTC', '00:02:07.014', '00:02:07', '2026-03-02'],
    ['Asia/Tokyo', '09:02:07.014', '09:02:07', '2026-03-02'],
    ['America/New_York', '19:02:07.014', '19:02:07', '2026-03-01'],
  ])('in %s', (zone, precise, short, date) => {
    const times = createTimeFormats(zone);
    expect([times.precise(us), times.short(us)]).toEqual([precise, short]);
    expect(times.full(us)).toContain(date);
    expect(times.full(us)).toContain(precise);
  });
});

describe('fill', () => {
  it('replaces the places that it knows', () => {
    expect(fill('{shown} of {recorded}, {other}', { shown: '3', recorded: '{shown}' })).toBe('3 of {shown}, {other}');
  });
});
