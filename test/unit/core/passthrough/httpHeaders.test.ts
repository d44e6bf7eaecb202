import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../src/core/passthrough/httpAccess.ts';
import { endToEnd, pairsOf } from '../../../../src/core/passthrough/httpHeaders.ts';

describe('headers that go on', () => {
  it('are all but those between neighbours, in their order and case', () => {
    const raw = [
      'Host',
      'a',
      'X-One',
      '1',
      'Connection',
      'keep-alive, x-hop',
      'x-hop',
      'h',
      'X-One',
      '2',
      'TE',
      'trailers',
      'authorization',
      'Bearer t',
      'Transfer-Encoding',
      'chunked',
      'Upgrade',
      'h2c',
    ];
    expect(endToEnd(pairsOf(raw), ['host'])).toEqual([
      ['X-One', '1'],
      ['X-One', '2'],
      ['authorization', 'Bearer t'],
    ]);
  });
});

describe('who may pass', () => {
  it.each([
    ['127.0.0.1:80', undefined, undefined, undefined],
    ['localhost', undefined, undefined, undefined],
    ['[::1]:80', undefined, undefined, undefined],
    ['evil.example', undefined, undefined, 403],
    ['127.0.0.1.evil.example', undefined, undefined, 403],
    ['', undefined, undefined, 403],
    ['evil.example', 'secret', 'secret', undefined],
    ['127.0.0.1', 'secret', undefined, 401],
    ['127.0.0.1', 'secret', 'secre', 401],
    ['127.0.0.1', 'secret', 'Secret', 401],
  ])('host %s, token %s, given %s: %s', (host, token, given, status) => {
    const headers = [['Host', host] as const, ...(given === undefined ? [] : [['Faultline-Token', given] as const])];
    expect(refusalOf(headers, token)?.status).toBe(status);
  });
});
