import { describe, expect, it } from 'vitest';
import { redactHeaders, redactUrl } from '../../../../src/core/transport/httpRedaction.ts';

describe('redactUrl', () => {
  it.each([
    ['https://user:pa%40ss@example.com:8443/mcp', 'https://example.com:8443/mcp'],
    ['https://example.com/mcp?token=abc&page=2#frag', 'https://example.com/mcp?token=[redacted]&page=2'],
    ['https://example.com/mcp?apiKey=abc', 'https://example.com/mcp?apiKey=[redacted]'],
    [
      'https://example.com/mcp?api_key=abc&x-api-key=d',
      'https://example.com/mcp?api_key=[redacted]&x-api-key=[redacted]',
    ],
    ['https://example.com/mcp?key=abc', 'https://example.com/mcp?key=[redacted]'],
    [
      'https://example.com/mcp?client_secret=a=b&PASSWORD=c',
      'https://example.com/mcp?client_secret=[redacted]&PASSWORD=[redacted]',
    ],
    [
      'https://example.com/mcp?code=a&sig=b&session=c',
      'https://example.com/mcp?code=[redacted]&sig=[redacted]&session=[redacted]',
    ],
    ['https://example.com/mcp?q=sk-abcdef', 'https://example.com/mcp?q=[redacted]'],
    ['https://example.com/mcp?q=eyJhbGciOi.J9.x', 'https://example.com/mcp?q=[redacted]'],
    ['https://example.com/mcp?token=', 'https://example.com/mcp?token='],
    ['https://example.com/mcp?author=x&keyboard=y&flag', 'https://example.com/mcp?author=x&keyboard=y&flag'],
    ['https://example.com/mcp?a=%20b', 'https://example.com/mcp?a=%20b'],
    ['/mcp?token=abc', '/mcp'],
    ['', ''],
  ])('of %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});

describe('redactHeaders', () => {
  it('hides what is secret and shows the rest', () => {
    expect(
      redactHeaders([
        ['Authorization', 'Bearer abc.def'],
        ['Proxy-Authorization', 'abc'],
        ['Cookie', 'a=b'],
        ['Set-Cookie', 'a=b'],
        ['Set-Cookie', 'c=d'],
        ['X-Api-Key', 'abc'],
        ['x-goog-api-key', 'abc'],
        ['X-Auth-Token', 'abc'],
        ['X-Custom', 'ghp_abcdef'],
        ['Mcp-Session-Id', '0123456789abcdef'],
        ['WWW-Authenticate', 'Bearer error="invalid_token"'],
        ['Location', 'https://u:p@example.com/?token=abc'],
        ['Retry-After', '3'],
        ['Content-Type', 'application/json'],
        ['Mcp-Method', 'tools/call'],
        ['Vary', 'Accept'],
        ['Vary', 'Origin'],
      ]),
    ).toEqual({
      authorization: 'Bearer [redacted]',
      'proxy-authorization': '[redacted]',
      cookie: '[redacted]',
      'set-cookie': '[redacted], [redacted]',
      'x-api-key': '[redacted]',
      'x-goog-api-key': '[redacted]',
      'x-auth-token': '[redacted]',
      'x-custom': '[redacted]',
      'mcp-session-id': '01234567…',
      'www-authenticate': 'Bearer error="invalid_token"',
      location: 'https://example.com/?token=[redacted]',
      'retry-after': '3',
      'content-type': 'application/json',
      'mcp-method': 'tools/call',
      vary: 'Accept, Origin',
    });
  });
});
