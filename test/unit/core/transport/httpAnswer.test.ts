import { describe, expect, it } from 'vitest';
import { parseFrame } from '../../../../src/core/transport/envelope.ts';
import { answersUnnamed, judgeAnswer, namedBy } from '../../../../src/core/transport/httpAnswer.ts';
import type { JsonRpcId } from '../../../../src/protocol/jsonrpc.ts';

describe('namedBy', () => {
  it.each<[string, JsonRpcId[]]>([
    ['{"jsonrpc":"2.0","id":0,"result":{}}', [0]],
    ['{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":""}}', ['a']],
    ['{"id":1,"result":{}}', [1]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', []],
    ['{"jsonrpc":"2.0","error":{"code":1,"message":""}}', []],
    [
      '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"result":{}}]',
      [1, 2],
    ],
  ])('%s names %j', (raw, expected) => {
    expect(namedBy(parseFrame(raw))).toEqual(expected);
  });
});

describe('answersUnnamed', () => {
  const unnamed = '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}';
  const foreign = '{"jsonrpc":"2.0","id":"server-error","error":{"code":1,"message":""}}';
  it.each<[string, number, JsonRpcId[], JsonRpcId | undefined]>([
    [unnamed, 400, [0], 0],
    [unnamed, 200, [0], 0],
    [unnamed, 400, [0, 1], undefined],
    [unnamed, 400, [], undefined],
    [foreign, 400, [7], 7],
    [foreign, 200, [7], undefined],
    ['{"jsonrpc":"2.0","id":null,"result":{}}', 200, [7], 7],
    ['{"result":{}}', 200, [7], 7],
    ['{"jsonrpc":"2.0","method":7}', 200, [7], undefined],
    ['{"jsonrpc":"2.0","method":"x"}', 200, [7], undefined],
    ['[]', 400, [7], undefined],
  ])('%s with status %i for %j', (raw, status, carried, expected) => {
    expect(answersUnnamed(parseFrame(raw), status, carried)).toBe(expected);
  });
});

describe('judgeAnswer', () => {
  const error = (id: string, code: number, message: string) =>
    `{"jsonrpc":"2.0",${id}"error":{"code":${code},"message":"${message}"}}`;
  it.each([
    ['an error in a 400 body that names no request', 400, error('"id":null,', -32000, 'Bad Request'), true, [7], 7],
    ['an error that names it', 404, error('"id":7,', -32601, 'Method not found'), true, [7], undefined],
    ['a session that is gone', 404, error('"id":null,', -32001, 'Session not found'), true, [7], 7],
    ['the same as 400', 400, error('', -32000, 'No valid session ID provided'), true, [7], 7],
    ['no access', 401, error('"id":null,', -32000, 'Unauthorized'), true, [], undefined],
    ['a result as text', 200, '{"jsonrpc":"2.0","id":"7","result":{}}', true, ['7'], undefined],
    ['another answer', 200, '{"jsonrpc":"2.0","id":8,"result":{}}', true, [8], undefined],
    ['a page', 200, '<p>', false, [], undefined],
    ['other JSON', 200, '{"error":"invalid_token"}', false, [], undefined],
  ])('%s', (_name, status, body, isMessage, answered, answers) => {
    const verdict = judgeAnswer(parseFrame(body), { status, body, contentType: '', hadSession: true }, [7]);
    expect([verdict.isMessage, verdict.answered, verdict.answers]).toEqual([isMessage, answered, answers]);
  });
});
