import { describe, expect, it } from 'vitest';
import type { MessageDetails } from '../../../../../src/core/export/otlp/details.ts';
import { spanOf } from '../../../../../src/core/export/otlp/spanOf.ts';
import type { Exchange } from '../../../../../src/protocol/exchange.ts';
import { OUTCOME_KINDS, type OutcomeKind } from '../../../../../src/protocol/outcome.ts';
import { EPOCH_US, exchange } from './support.ts';

const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1, links: [] };
const span = (more: Partial<Exchange> = {}, details: MessageDetails = {}) =>
  spanOf(exchange(more), { place, connection: {}, details, lastUs: EPOCH_US + 9000 });
const ended = (outcome: OutcomeKind, more: Partial<Exchange> = {}) => ({
  verdict: { outcome, retry: 'never', signals: [] } as const,
  ...more,
});

describe('the span of a request', () => {
  it('says everything that the conventions ask of a tool call, and our own under a name of ours', () => {
    expect(
      spanOf(
        exchange({
          marks: ['retried'],
          chain: { id: 'c' as never, head: 7, attempt: 1, maxAttempts: 3, delayMs: 250, reason: 'retry.first' },
        }),
        {
          place,
          connection: { 'network.transport': 'pipe', 'mcp.protocol.version': '2025-11-25' },
          details: {},
          lastUs: 0,
        },
      ),
    ).toEqual({
      ...place,
      name: 'tools/call get_order',
      kind: 'client',
      startUs: EPOCH_US,
      endUs: EPOCH_US + 1500,
      status: { isError: false },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'get_order',
        'jsonrpc.request.id': '3',
        'network.transport': 'pipe',
        'mcp.protocol.version': '2025-11-25',
        'faultline.outcome': 'success',
        'faultline.server': 'demo:shop',
        'faultline.origin': 'client',
        'faultline.session': 's1',
        'faultline.row': 7,
        'faultline.marks': ['retried'],
        'faultline.attempt.number': 1,
        'faultline.attempt.max': 3,
        'faultline.attempt.delay': 0.25,
        'faultline.attempt.reason': 'retry.first',
      },
    });
  });

  it.each<[string, Partial<Exchange>, string, Readonly<Record<string, unknown>>]>([
    ['a prompt', { method: 'prompts/get', target: 'greet' }, 'prompts/get greet', { 'gen_ai.prompt.name': 'greet' }],
    // A URI has too many values for a name.
    [
      'a resource',
      { method: 'resources/read', target: 'file:///a' },
      'resources/read',
      { 'mcp.resource.uri': 'file:///a' },
    ],
    [
      'a listing',
      { method: 'tools/list', target: undefined as never },
      'tools/list',
      { 'mcp.method.name': 'tools/list' },
    ],
    ['hostile names', { target: 'a\u202eb\nc' }, 'tools/call a\\u202eb c', { 'gen_ai.tool.name': 'a\\u202eb c' }],
  ])('is named after its method and its target: %s', (_, more, name, attributes) => {
    const { attributes: found, ...rest } = span(more);
    expect([rest.name, found]).toEqual([name, expect.objectContaining(attributes)]);
  });

  it.each<[string, Partial<Exchange>, MessageDetails, string | undefined]>([
    ['success', ended('success'), {}, undefined],
    ['a tool that says that it failed', ended('tool_error'), {}, 'tool_error'],
    ['an error object, by its code', ended('protocol_error'), { code: -32_602 }, '-32602'],
    ['an error object that is gone from the log', ended('protocol_error'), {}, 'protocol_error'],
    ['input asked for by an error', ended('input_required'), { code: -32_042 }, '-32042'],
    ['input asked for by a result', ended('input_required'), {}, undefined],
    ['a timeout', ended('timeout'), {}, 'timeout'],
    ['an answer that breaks the protocol', ended('invalid_response'), {}, 'invalid_response'],
    [
      'a system error',
      ended('transport_error', { failure: { reason: 'refused', code: 'ECONNREFUSED', message: '' } }),
      {},
      'ECONNREFUSED',
    ],
    [
      'an HTTP status',
      ended('transport_error', { failure: { reason: 'http-status', status: 503, message: '' } }),
      {},
      '503',
    ],
    [
      'a process that is gone',
      ended('transport_error', { failure: { reason: 'exited', message: '', exitCode: 1 } }),
      {},
      'exited',
    ],
    // No errors by the conventions: `faultline.outcome` tells them.
    ['a failure in the clothes of a success', ended('silent_error'), {}, undefined],
    ['a partial result', ended('partial'), {}, undefined],
    ['a cancelled request', ended('cancelled'), {}, undefined],
    ['a task', ended('task_pending'), {}, undefined],
  ])('has an error type if and only if it failed: %s', (_, more, details, type) => {
    const { attributes, status } = span(more, details);
    expect([attributes['error.type'], status.isError]).toEqual([type, type !== undefined]);
    expect(attributes['rpc.response.status_code']).toBe(details.code === undefined ? undefined : String(details.code));
  });

  it('tells every outcome', () => {
    expect(OUTCOME_KINDS.map((kind) => span(ended(kind)).attributes['faultline.outcome'])).toEqual(OUTCOME_KINDS);
  });

  it.each([
    [-32_603, '-32603'],
    [-32_000, '-32000'],
    [-32_601, undefined],
    [-32_602, undefined],
    [-32_700, undefined],
    [-32_600, undefined],
    [-32_002, undefined],
  ])('of what the server asks is a server span, and %i its fault or not', (code, type) => {
    const { kind, attributes, status } = span(
      ended('protocol_error', { initiator: 'server', method: 'sampling/createMessage' }),
      { code },
    );
    expect([kind, attributes['error.type'], attributes['rpc.response.status_code'], status.isError]).toEqual([
      'server',
      type,
      String(code),
      type !== undefined,
    ]);
  });

  it('has the message of the error as its description, on one line and short', () => {
    expect(span(ended('protocol_error'), { code: -1, message: `no\nsuch ${'x'.repeat(900)}` }).status).toEqual({
      isError: true,
      description: `no such ${'x'.repeat(248)}…`,
    });
    expect(span(ended('success'), { message: 'not told' }).status).toEqual({ isError: false });
  });

  it('says of a partial result what is missing, and of a request that nothing ended that it was given up', () => {
    const partial = { done: 2, total: 3, missing: ['c'] };
    expect(span({ verdict: { outcome: 'partial', retry: 'never', signals: [], partial } }).attributes).toMatchObject({
      'faultline.partial.done': 2,
      'faultline.partial.total': 3,
      'faultline.partial.missing': ['c'],
    });
    const { endUs: _, ...pending } = exchange({ verdict: undefined });
    expect(spanOf(pending, { place, connection: {}, details: {}, lastUs: EPOCH_US + 9000 })).toMatchObject({
      endUs: EPOCH_US + 9000,
      attributes: { 'faultline.outcome': 'cancelled', 'faultline.unfinished': true },
      status: { isError: false },
    });
  });

  it('never ends before it began', () => {
    expect(span({ endUs: EPOCH_US - 5 }).endUs).toBe(EPOCH_US);
  });
});
