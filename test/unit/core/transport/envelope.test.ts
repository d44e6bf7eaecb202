import { describe, expect, it } from 'vitest';
import { envelopesOf, isMeantAsJsonRpc, parseFrame, readEnvelope } from '../../../../src/core/transport/envelope.ts';
import type { Envelope } from '../../../../src/protocol/jsonrpc.ts';

const cases: readonly (readonly [raw: string, envelope: Envelope])[] = [
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { kind: 'request', id: 1, method: 'ping' }],
  ['{"jsonrpc":"2.0","id":0,"method":"ping"}', { kind: 'request', id: 0, method: 'ping' }],
  ['{"jsonrpc":"2.0","id":"","method":"ping"}', { kind: 'request', id: '', method: 'ping' }],
  ['\ufeff{"jsonrpc":"2.0","id":0,"result":{}}', { kind: 'result', id: 0 }],
  [
    '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"_meta":{"progressToken":0}}}',
    { kind: 'request', id: 'a', method: 'tools/call', progressToken: 0 },
  ],
  [
    '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"_meta":{"progressToken":{}}}}',
    { kind: 'request', id: 'a', method: 'tools/call' },
  ],
  ['{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}', { kind: 'request', id: 1, method: 'x' }],
  ['{"jsonrpc":"2.0","method":"notifications/x"}', { kind: 'notification', method: 'notifications/x' }],
  ['{"jsonrpc":"2.0","id":0,"result":{}}', { kind: 'result', id: 0 }],
  ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: 'result', id: 1 }],
  ['{"jsonrpc":"2.0","id":"0","error":{"code":0,"message":""}}', { kind: 'error', id: '0', code: 0 }],
  ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', { kind: 'error', id: null, code: -32700 }],
  ['{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}', { kind: 'error', id: null, code: -32700 }],
  ['[{"jsonrpc":"2.0","id":1,"result":{}},7]', { kind: 'batch', size: 2 }],
  ['[]', { kind: 'invalid', problem: 'empty-batch' }],
  ['', { kind: 'invalid', problem: 'not-json' }],
  ['Server listening', { kind: 'invalid', problem: 'not-json' }],
  ['{"jsonrpc":"2.0","id":1', { kind: 'invalid', problem: 'not-json' }],
  ['7', { kind: 'invalid', problem: 'not-an-object' }],
  ['null', { kind: 'invalid', problem: 'not-an-object' }],
  ['"{}"', { kind: 'invalid', problem: 'not-an-object' }],
  ['{"id":1,"result":{"tools":[]}}', { kind: 'invalid', id: 1, problem: 'missing-jsonrpc' }],
  ['{"id":null,"result":{}}', { kind: 'invalid', id: null, problem: 'missing-jsonrpc' }],
  ['{"jsonrpc":2,"id":"1","result":{}}', { kind: 'invalid', id: '1', problem: 'missing-jsonrpc' }],
  ['{"__proto__":{"jsonrpc":"2.0"},"id":1,"result":{}}', { kind: 'invalid', id: 1, problem: 'missing-jsonrpc' }],
  ['{"jsonrpc":"2.0","id":true,"result":{}}', { kind: 'invalid', problem: 'bad-id' }],
  ['{"jsonrpc":"2.0","id":1e999,"result":{}}', { kind: 'invalid', problem: 'bad-id' }],
  ['{"jsonrpc":"2.0","id":null,"method":"x"}', { kind: 'invalid', id: null, problem: 'bad-id' }],
  ['{"jsonrpc":"2.0","id":null,"result":{}}', { kind: 'invalid', id: null, problem: 'bad-id' }],
  ['{"jsonrpc":"2.0","result":{}}', { kind: 'invalid', problem: 'bad-id' }],
  ['{"jsonrpc":"2.0","id":3,"method":7}', { kind: 'invalid', id: 3, problem: 'bad-method' }],
  ['{"jsonrpc":"2.0","id":3}', { kind: 'invalid', id: 3, problem: 'neither-result-nor-error' }],
  ['{"jsonrpc":"2.0"}', { kind: 'invalid', problem: 'neither-result-nor-error' }],
  [
    '{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1,"message":"x"}}',
    { kind: 'invalid', id: 3, problem: 'result-and-error' },
  ],
  ['{"jsonrpc":"2.0","id":3,"error":"no"}', { kind: 'invalid', id: 3, problem: 'bad-error-object' }],
  ['{"jsonrpc":"2.0","id":3,"error":null}', { kind: 'invalid', id: 3, problem: 'bad-error-object' }],
  [
    '{"jsonrpc":"2.0","id":3,"error":{"code":"E","message":"x"}}',
    { kind: 'invalid', id: 3, problem: 'bad-error-object' },
  ],
  ['{"jsonrpc":"2.0","id":3,"error":{"code":1}}', { kind: 'invalid', id: 3, problem: 'bad-error-object' }],
];

describe('parseFrame', () => {
  it.each(cases)('reads %s', (raw, envelope) => {
    expect(parseFrame(raw).envelope).toEqual(envelope);
  });

  it('keeps the parsed message, and none of text that is not JSON', () => {
    expect([parseFrame('[1]').message, parseFrame('null').message, parseFrame('[1').message]).toEqual([
      [1],
      null,
      undefined,
    ]);
  });

  it('survives nesting of any depth', () => {
    const depth = 200_000;
    const { message, envelope } = parseFrame('['.repeat(depth) + ']'.repeat(depth));
    expect(envelope).toEqual({ kind: 'batch', size: 1 });
    expect(isMeantAsJsonRpc(message)).toBe(false);
  });
});

describe('isMeantAsJsonRpc', () => {
  it.each([
    ['{"id":1,"result":{}}', true],
    ['{"id":null,"error":{}}', true],
    ['{"jsonrpc":"1.0"}', true],
    ['{"method":"x"}', true],
    ['[]', true],
    ['[{"jsonrpc":"2.0","method":"x"}]', true],
    ['{"level":"info","msg":"started"}', false],
    ['{"id":7,"level":"info","msg":"request done"}', false],
    ['{"error":"disk full"}', false],
    ['{}', false],
    ['[1,2]', false],
    ['"jsonrpc"', false],
    ['12', false],
  ])('judges %s as %s', (raw, expected) => {
    expect(isMeantAsJsonRpc(parseFrame(raw).message)).toBe(expected);
  });
});

describe('envelopesOf', () => {
  it('gives one for each item of a batch', () => {
    expect(envelopesOf(parseFrame('[{"jsonrpc":"2.0","id":1,"result":{}},7]'))).toEqual([
      { kind: 'result', id: 1 },
      { kind: 'invalid', problem: 'not-an-object' },
    ]);
    expect(envelopesOf(parseFrame('[]'))).toEqual([readEnvelope([])]);
  });
});
