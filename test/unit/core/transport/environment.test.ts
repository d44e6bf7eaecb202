import { describe, expect, it } from 'vitest';
import { mergeEnvironment, searchPathOf } from '../../../../src/core/transport/environment.ts';

describe('mergeEnvironment', () => {
  it.each([
    ['linux', { Path: 'a', PATH: 'b', X: '1', Y: '2' }],
    ['win32', { PATH: 'b', X: '1', Y: '2' }],
  ] as const)('on %s', (platform, expected) => {
    expect(mergeEnvironment({ Path: 'a', X: '1', Y: '1' }, { PATH: 'b', Y: '2' }, platform)).toEqual(expected);
  });
});

describe('searchPathOf', () => {
  it.each([
    [{ PATH: '/bin' }, '/bin'],
    [{ Path: 'C:\\Windows' }, 'C:\\Windows'],
    [{}, ''],
  ])('%j', (environment, expected) => {
    expect(searchPathOf(environment)).toBe(expected);
  });
});
