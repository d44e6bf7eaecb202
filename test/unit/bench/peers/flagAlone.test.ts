import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { flagAlone } from '../../../bench/peers/flagAlone.ts';

const ok = { jsonrpc: '2.0', id: 1, result: { content: [] } };

describe('an outcome by the flags of the specification alone', () => {
  it.each<[string, JsonValue | undefined]>([
    ['success', ok],
    ['success', { __sse: [': ping', `event: message\ndata: ${JSON.stringify(ok)}`] }],
    ['success', { ...ok, result: { content: [{ type: 'text', text: 'Error: not found' }] } }],
    ['tool_error', { ...ok, result: { content: [], isError: true } }],
    ['protocol_error', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: '' } }],
    ['input_required', { ...ok, result: { resultType: 'input_required' } }],
    ['task_pending', { ...ok, result: { task: { taskId: '1' } } }],
    ['timeout', { __timeout: 5000 }],
    ['transport_error', { __post: { status: 500, text: '' } }],
    ['transport_error', { __exit: { code: 1, signal: null } }],
    ['invalid_response', { jsonrpc: '2.0', id: 1 }],
    ['invalid_response', { __sse: ['data: {'] }],
    ['invalid_response', [ok]],
    ['invalid_response', undefined],
  ])('%s: %j', (outcome, response) => expect(flagAlone(response)).toBe(outcome));
});
