import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/core/classify/judge.ts';
import type { JudgedRequest, RawEnd } from '../../../../src/protocol/call.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { outcomeTexts } from '../../../../src/protocol/texts/outcome.ts';

const call: JudgedRequest = { method: 'tools/call', target: 'pay', params: { name: 'pay', arguments: {} } };

function short(request: JudgedRequest, end: RawEnd): string {
  const { outcome, retry, signals } = judge(request, end);
  expect(signals.filter(({ code }) => !Object.hasOwn(outcomeTexts, code))).toEqual([]);
  return [outcome, retry, signals[0]?.code ?? ''].join(' ').trim();
}

const result = (value: JsonValue): RawEnd => ({ kind: 'result', result: value, raw: '' });

describe('JSON-RPC errors', () => {
  it.each<[code: number, message: string, httpStatus: number | undefined, expected: string]>([
    [-32601, 'Method not found', undefined, 'protocol_error safe'],
    [-32601, 'Method not found', 404, 'protocol_error safe'],
    [-32602, 'Tool pay not found', undefined, 'protocol_error safe'],
    [-32602, 'unknown tool "pay"', undefined, 'protocol_error safe'],
    [-32602, 'Invalid arguments for tool pay: x', undefined, 'protocol_error after_fix'],
    [-32602, 'Invalid tools/call result: expected object', undefined, 'protocol_error never'],
    [-32603, 'boom', undefined, 'protocol_error only_if_idempotent'],
    [-32603, 'Unknown tool', undefined, 'protocol_error after_fix'],
    [-32603, 'fetch failed', undefined, 'protocol_error only_if_idempotent'],
    [0, 'boom', undefined, 'protocol_error only_if_idempotent'],
    [404, 'boom', undefined, 'protocol_error only_if_idempotent'],
    [-32700, 'Parse error', 400, 'protocol_error never'],
    [-32600, 'Invalid Request', undefined, 'protocol_error never'],
    [-32002, 'Resource not found', undefined, 'protocol_error after_fix'],
    [-32020, 'Header mismatch', 400, 'protocol_error safe'],
    [-32021, 'Missing capability', 400, 'protocol_error safe'],
    [-32022, 'Unsupported version', 400, 'protocol_error safe'],
    [-32000, 'Bad Request: No valid session ID provided', 400, 'protocol_error safe'],
    [-32000, 'Not Acceptable', 406, 'protocol_error safe'],
    [-32000, 'Too many', 429, 'protocol_error safe'],
    [-32000, 'boom', 500, 'protocol_error only_if_idempotent'],
    [-32001, 'Session not found', 404, 'protocol_error safe'],
    [-32000, 'Connection closed', undefined, 'protocol_error only_if_idempotent'],
    [-32042, 'URL elicitation required', undefined, 'input_required after_fix'],
  ])('%i %s (HTTP %s) is %s', (code, message, httpStatus, expected) => {
    const end: RawEnd = {
      kind: 'error',
      error: { code, message },
      raw: '',
      ...(httpStatus === undefined ? {} : { httpStatus }),
    };
    const { outcome, retry } = judge(call, end);
    expect(`${outcome} ${retry}`).toBe(expected);
    short(call, end);
  });
});

describe('transport failures', () => {
  it.each<[Partial<TransportFailure> & Pick<TransportFailure, 'reason'>, string]>([
    [{ reason: 'spawn-failed', code: 'ENOENT' }, 'after_fix'],
    [{ reason: 'exited', exitCode: 1 }, 'only_if_idempotent'],
    [{ reason: 'refused', code: 'ECONNREFUSED' }, 'safe'],
    [{ reason: 'unresolved', code: 'ENOTFOUND' }, 'after_fix'],
    [{ reason: 'unresolved', code: 'EAI_AGAIN' }, 'safe'],
    [{ reason: 'reset' }, 'only_if_idempotent'],
    [{ reason: 'tls' }, 'after_fix'],
    [{ reason: 'stream-ended' }, 'only_if_idempotent'],
    [{ reason: 'http-status', status: 404 }, 'after_fix'],
    [{ reason: 'http-status', status: 415 }, 'after_fix'],
    [{ reason: 'http-status', status: 429 }, 'safe'],
    [{ reason: 'http-status', status: 500 }, 'only_if_idempotent'],
    [{ reason: 'http-status', status: 503 }, 'only_if_idempotent'],
    [{ reason: 'http-status', status: 503, retryAfterMs: 1000 }, 'safe'],
    [{ reason: 'not-json-rpc', status: 200 }, 'after_fix'],
    [{ reason: 'unauthorized', status: 401 }, 'after_fix'],
    [{ reason: 'accepted-without-answer', status: 202 }, 'only_if_idempotent'],
    [{ reason: 'session-lost', status: 404 }, 'safe'],
    [{ reason: 'closed' }, 'only_if_idempotent'],
    [{ reason: 'unknown' }, 'only_if_idempotent'],
  ])('%j', (failure, retry) => {
    const end: RawEnd = { kind: 'transport', failure: { message: 'x', ...failure } };
    expect(short(call, end)).toBe(`transport_error ${retry} signal.transport.${failure.reason}`);
  });
});

describe('local ends', () => {
  it.each<[RawEnd, string]>([
    [
      { kind: 'timeout', limit: 'idle', afterMs: 1, progressSeen: true },
      'timeout only_if_idempotent signal.timeout.idle',
    ],
    [
      { kind: 'timeout', limit: 'total', afterMs: 1, progressSeen: false },
      'timeout only_if_idempotent signal.timeout.total',
    ],
    [{ kind: 'cancelled', by: 'user' }, 'cancelled never signal.cancelled.user'],
    [{ kind: 'cancelled', by: 'shutdown' }, 'cancelled never signal.cancelled.shutdown'],
    [
      { kind: 'invalid', raw: '', problem: 'missing-jsonrpc' },
      'invalid_response only_if_idempotent signal.invalid.envelope',
    ],
  ])('%j', (end, expected) => expect(short(call, end)).toBe(expected));
});

describe('results', () => {
  const schema = { type: 'object', required: ['sum'], properties: { sum: { type: 'number' } } };
  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

  it.each<[JudgedRequest, JsonValue, string]>([
    [call, text('Paid'), 'success never'],
    [call, { content: [] }, 'success never'],
    [call, {}, 'invalid_response only_if_idempotent signal.invalid.missing'],
    [call, 'Paid', 'invalid_response only_if_idempotent signal.invalid.notObject'],
    [call, null, 'invalid_response only_if_idempotent signal.invalid.notObject'],
    [call, { content: 'Paid' }, 'invalid_response only_if_idempotent signal.invalid.item'],
    [call, { content: [{ text: 'Paid' }] }, 'invalid_response only_if_idempotent signal.invalid.item'],
    [call, { structuredContent: { sum: 1 } }, 'success never'],
    [call, { isError: true }, 'tool_error never signal.tool.isError'],
    [{ ...call, outputSchema: schema }, { ...text('no disk'), isError: true }, 'tool_error never signal.tool.isError'],
    [{ ...call, outputSchema: schema }, text('3'), 'invalid_response only_if_idempotent signal.invalid.noStructured'],
    [
      { ...call, outputSchema: schema },
      { content: [], structuredContent: {} },
      'invalid_response only_if_idempotent signal.invalid.schema.missing',
    ],
    [
      { ...call, outputSchema: schema },
      { content: [], structuredContent: { sum: '3' } },
      'invalid_response only_if_idempotent signal.invalid.schema.type',
    ],
    [{ ...call, outputSchema: schema }, { content: [], structuredContent: { sum: 3 } }, 'success never'],
    [{ ...call, outputSchema: schema }, text('Error: no disk'), 'silent_error never signal.silent.exception'],
    [call, { resultType: 'complete', ...text('Paid') }, 'success never'],
    [call, { resultType: 'new', ...text('Paid') }, 'invalid_response only_if_idempotent signal.invalid.resultType'],
    [call, { resultType: 'input_required', requestState: 's' }, 'input_required after_fix signal.input.rounds'],
    [call, { resultType: 'input_required' }, 'invalid_response only_if_idempotent signal.invalid.inputRequired'],
    [call, { resultType: 'task', taskId: 't', status: 'working' }, 'task_pending never signal.task.working'],
    [call, { task: { taskId: 't', status: 'working' } }, 'task_pending never signal.task.working'],
    [{ method: 'tasks/get' }, { taskId: 't', status: 'working' }, 'task_pending never signal.task.working'],
    [{ method: 'tasks/get' }, { taskId: 't', status: 'input_required' }, 'input_required after_fix signal.task.input'],
    [
      { method: 'tasks/get' },
      { taskId: 't', status: 'failed', statusMessage: 'x' },
      'tool_error never signal.task.failed',
    ],
    [
      { method: 'tasks/get' },
      { taskId: 't', status: 'completed', result: { ...text('x'), isError: true } },
      'tool_error never signal.tool.isError',
    ],
    [
      { method: 'tasks/get' },
      { taskId: 't', status: 'odd' },
      'invalid_response only_if_idempotent signal.invalid.taskStatus',
    ],
    [{ method: 'tasks/cancel' }, { taskId: 't', status: 'cancelled' }, 'success never'],
    [{ method: 'tools/list' }, { tools: [{ name: 'a' }], nextCursor: 'c' }, 'success never signal.more.cursor'],
    [{ method: 'tools/list' }, { tools: {} }, 'invalid_response only_if_idempotent signal.invalid.missing'],
    [{ method: 'tools/list' }, { tools: [{ title: 'a' }] }, 'invalid_response only_if_idempotent signal.invalid.item'],
    [{ method: 'initialize' }, { serverInfo: {} }, 'invalid_response only_if_idempotent signal.invalid.missing'],
    [{ method: 'server/discover' }, { supportedVersions: [] }, 'success never'],
    [{ method: 'ping' }, {}, 'success never'],
    [{ method: 'resources/read' }, { contents: [{ uri: 'a', text: 'Error: in a file' }] }, 'success never'],
    [{ method: 'constructor' }, {}, 'success never'],
  ])('%j %j', (request, value, expected) => expect(short(request, result(value))).toBe(expected));

  it('points at the place in the raw answer', () => {
    const { signals } = judge(
      call,
      result({ content: [], structuredContent: { 'a/b': [], failed: [{ id: 7, reason: 'x' }], sent: [1] } }),
    );
    expect(signals[0]?.pointer).toBe('/result/structuredContent/failed');
  });

  it('names what is missing and how much was done', () => {
    const { partial } = judge(
      call,
      result({ content: [], structuredContent: { sent: ['a', 'b'], failed: [{ id: 'c', error: 'x' }] } }),
    );
    expect(partial).toEqual({ done: 2, total: 3, missing: ['c'] });
  });

  it.each([
    'a'.repeat(2_000_000),
    ' '.repeat(2_000_000),
    'x: y\n'.repeat(400_000),
    '<html>'.repeat(50_000),
    `[${'[],'.repeat(100_000)}[]]`,
  ])('takes large hostile text', (words) => expect(judge(call, result(text(words))).outcome).toBe('success'));
});
