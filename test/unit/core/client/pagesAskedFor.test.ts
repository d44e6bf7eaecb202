import { describe, expect, it } from 'vitest';
import { pagesAskedFor } from '../../../../src/core/client/pagesAskedFor.ts';
import type { RawEnd } from '../../../../src/protocol/call.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';

const error = (data: JsonValue, code = -32042): RawEnd => ({
  kind: 'error',
  error: { code, message: '', data },
  raw: '',
});
const rounds = (inputRequests: JsonValue): RawEnd => ({
  kind: 'result',
  result: { resultType: 'input_required', inputRequests },
  raw: '',
});
const page = (url: JsonValue, more = {}) => ({ mode: 'url', elicitationId: 'e', url, ...more });

describe('the pages that a server wants opened', () => {
  it.each<readonly [string, RawEnd, readonly string[]]>([
    [
      'an error',
      error({ elicitations: [page('https://a.test/x?y=1', { message: 'Pay' })] }),
      ['https://a.test/x?y=1 Pay'],
    ],
    [
      'an error with several',
      error({ elicitations: [page('https://a.test'), page('http://b.test')] }),
      ['https://a.test/ ', 'http://b.test/ '],
    ],
    ['a round', rounds({ a: { method: 'elicitation/create', params: page('https://a.test') } }), ['https://a.test/ ']],
    ['a round that asks for a form', rounds({ a: { params: { mode: 'form', url: 'https://a.test' } } }), []],
    [
      'no address of the web',
      error({
        elicitations: [page('file:///etc/passwd'), page('vscode://x/y'), page('javascript:1'), page('//a'), page(7)],
      }),
      [],
    ],
    [
      'more than anybody looks at',
      error({ elicitations: Array(50).fill(page('https://a.test')) }),
      Array(5).fill('https://a.test/ '),
    ],
    ['another error', error({ elicitations: [page('https://a.test')] }, -32603), []],
    ['hostile shapes', error({ elicitations: [null, 'x', []] }), []],
    ['no list', error({ elicitations: { 0: page('https://a.test') } }), []],
    ['no data', error(null), []],
    ['a timeout', { kind: 'timeout', limit: 'idle', afterMs: 1, progressSeen: false }, []],
  ])('are read from %s', (_name, end, expected) =>
    expect(pagesAskedFor(end).map(({ url, message }) => `${url.href} ${message}`)).toEqual(expected),
  );
});
