import { isObject } from '../../../src/protocol/json.ts';
import type { JsonValue } from '../../../src/protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../src/protocol/outcome.ts';

/**
 * What a client can tell that goes by the flags of the specification and by nothing else: an `error` of JSON-RPC, `isError`,
 * `resultType` and `task`, HTTP's status, an exit, its own timeout; else a success. Answers that are not JSON are in wrappers,
 * as in test/fixtures/wire.
 */
export function flagAlone(response: JsonValue | undefined): OutcomeKind {
  if (!isObject(response)) {
    return 'invalid_response';
  }
  const [last] = Array.isArray(response['__sse']) ? response['__sse'].slice(-1) : [];
  if (typeof last === 'string') {
    return flagAlone(dataOf(last));
  }
  if ('__timeout' in response) {
    return 'timeout';
  }
  if (Object.keys(response).some((key) => key === '__exit' || key === '__post' || key === '__text')) {
    return 'transport_error';
  }
  if (typeof response['__truncated'] === 'string') {
    return response['__truncated'].includes('"result"') ? 'success' : 'protocol_error';
  }
  if ('error' in response) {
    return 'protocol_error';
  }
  const result = response['result'];
  if (!isObject(result)) {
    return 'invalid_response';
  }
  if (result['isError'] === true) {
    return 'tool_error';
  }
  if (result['resultType'] === 'input_required') {
    return 'input_required';
  }
  return 'task' in result || result['resultType'] === 'task' ? 'task_pending' : 'success';
}

/** The message in an event of a stream. */
function dataOf(event: string): JsonValue | undefined {
  const data = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n');
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
