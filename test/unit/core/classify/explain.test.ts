import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainRecord } from '../../../../src/core/classify/explain.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { outcomeTexts } from '../../../../src/protocol/texts/outcome.ts';

interface Labelled {
  readonly id: string;
  readonly expected: { readonly outcome: string; readonly retry: string };
}

const corpus = path.resolve(import.meta.dirname, '../../../fixtures/wire/wire.dev.jsonl');
const records = readFileSync(corpus, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Labelled & { readonly [key: string]: JsonValue });

/** Records whose label is held to be wrong, with the reason. */
const disagreements: Readonly<Record<string, string>> = {};

describe('the recorded exchanges', () => {
  it('are many', () => expect(records.length).toBeGreaterThan(200));

  it.each(records.filter(({ id }) => !Object.hasOwn(disagreements, id)))('$id', ({ expected, ...record }) => {
    const { outcome, retry, signals } = explainRecord(record);
    expect({ outcome, retry }).toEqual({ outcome: expected.outcome, retry: expected.retry });
    expect(signals.filter(({ code }) => !Object.hasOwn(outcomeTexts, code))).toEqual([]);
  });
});

describe('a record that cannot be read', () => {
  it.each<[string, JsonValue]>([
    ['no object', 'text'],
    ['no request', { id: 'a', response: {} }],
    ['no response', { id: 'a', request: null }],
    ['a response of the wrong type', { id: 'a', request: { id: 1, method: 'ping' }, response: 7 }],
    ['a request without any end', { id: 'a', request: { id: 1, method: 'ping' }, response: {} }],
    ['deep nonsense', { id: 5, request: [[[]]], response: { __sse: [{}] } }],
  ])('%s: is told, not thrown', (_, record) => {
    const { outcome, signals } = explainRecord(record);
    expect(outcome).toBe('not_a_call');
    expect(signals.every(({ code }) => code === 'signal.record.malformed')).toBe(true);
  });
});

describe('answers in wrappers', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: {} } };
  const ok = { jsonrpc: '2.0', id: 1, result: { content: [] } };
  const sse = (message: JsonValue) => `event: message\ndata: ${JSON.stringify(message)}`;

  it.each<[string, JsonValue, JsonValue, string, string]>([
    [
      'an answer after other events',
      request,
      { __sse: [': ping', sse({ ...ok, id: 9 }), sse(ok)] },
      'success',
      'never',
    ],
    [
      'a stream without an answer',
      request,
      { __sse: [sse({ ...ok, id: 9 })] },
      'transport_error',
      'only_if_idempotent',
    ],
    [
      '202 and silence',
      request,
      { __post: { status: 202, text: 'Accepted' } },
      'transport_error',
      'only_if_idempotent',
    ],
    ['a plain 401', request, { __post: { status: 401, text: 'no' } }, 'transport_error', 'after_fix'],
    [
      'a plain 404 that names the session',
      request,
      { __post: { status: 404, text: 'Session not found' } },
      'transport_error',
      'safe',
    ],
    ['a plain 429', request, { __post: { status: 429, text: 'slow down' } }, 'transport_error', 'safe'],
    ['a plain 500', request, { __post: { status: 500, text: 'oops' } }, 'transport_error', 'only_if_idempotent'],
    ['silence', request, { __timeout: 5000 }, 'timeout', 'only_if_idempotent'],
    [
      'a killed process',
      request,
      { __exit: { code: null, signal: 'SIGKILL' } },
      'transport_error',
      'only_if_idempotent',
    ],
    [
      'result and error at once',
      request,
      { ...ok, error: { code: 1, message: '' } },
      'invalid_response',
      'only_if_idempotent',
    ],
    ['no jsonrpc', request, { id: 1, result: { content: [] } }, 'invalid_response', 'only_if_idempotent'],
    [
      'an error without a message',
      request,
      { jsonrpc: '2.0', id: 1, error: { code: 1 } },
      'invalid_response',
      'only_if_idempotent',
    ],
    ['neither result nor error', request, { jsonrpc: '2.0', id: 1 }, 'invalid_response', 'only_if_idempotent'],
    [
      'a batch with one answer missing',
      [request, { ...request, id: 2 }],
      [ok],
      'invalid_response',
      'only_if_idempotent',
    ],
    ['a batch of answers', [request, { ...request, id: 2 }], [{ ...ok, id: 2 }, ok], 'success', 'never'],
  ])('%s', (_, asked, response, outcome, retry) => {
    const got = explainRecord({ id: 'x', request: asked, response });
    expect({ outcome: got.outcome, retry: got.retry }).toEqual({ outcome, retry });
  });
});
