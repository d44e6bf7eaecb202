import { isObject } from '../../protocol/json.ts';
import type { Envelope, EnvelopeProblem, JsonObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { get, getString } from './json.ts';

/** The envelope of one message inside a batch, which the tap records as a whole (JSON-RPC 2.0, §4 to §6). */
export function envelopeOf(message: JsonValue): Envelope {
  if (!isObject(message)) {
    return { kind: 'invalid', problem: 'not-an-object' };
  }
  const id = get(message, 'id');
  const isId = typeof id === 'string' || typeof id === 'number';
  const invalid = (problem: EnvelopeProblem): Envelope =>
    isId || id === null ? { kind: 'invalid', id: id as JsonRpcId | null, problem } : { kind: 'invalid', problem };
  if (get(message, 'jsonrpc') !== '2.0') {
    return invalid('missing-jsonrpc');
  }
  if (id !== undefined && id !== null && !isId) {
    return invalid('bad-id');
  }
  if (get(message, 'method') !== undefined) {
    const method = getString(message, 'method');
    if (method === undefined) {
      return invalid('bad-method');
    }
    return isId ? { kind: 'request', id, method } : id === null ? invalid('bad-id') : { kind: 'notification', method };
  }
  return answerEnvelope(message, isId ? id : null, invalid);
}

function answerEnvelope(
  message: JsonObject,
  id: JsonRpcId | null,
  invalid: (problem: EnvelopeProblem) => Envelope,
): Envelope {
  const error = get(message, 'error');
  const hasResult = get(message, 'result') !== undefined;
  if (hasResult === (error !== undefined)) {
    return invalid(hasResult ? 'result-and-error' : 'neither-result-nor-error');
  }
  if (hasResult) {
    return id === null ? invalid('bad-id') : { kind: 'result', id };
  }
  const code = isObject(error) ? get(error, 'code') : undefined;
  return typeof code === 'number' && isObject(error) && getString(error, 'message') !== undefined
    ? { kind: 'error', id, code }
    : invalid('bad-error-object');
}

/** Tool, prompt, resource, task or reference that a message's `params` name. */
export function targetOf(method: string, params: JsonObject | undefined): string | undefined {
  if (params === undefined) {
    return undefined;
  }
  if (method === 'notifications/message') {
    return getString(params, 'level');
  }
  const ref = get(params, 'ref');
  const named = getString(params, 'name') ?? getString(params, 'uri') ?? getString(params, 'taskId');
  return named ?? (isObject(ref) ? (getString(ref, 'name') ?? getString(ref, 'uri')) : undefined);
}

/** `params` when it is an object. */
export function paramsOf(message: JsonValue | undefined): JsonObject | undefined {
  const params = isObject(message) ? get(message, 'params') : undefined;
  return isObject(params) ? params : undefined;
}

/** Progress token of a request or of a progress notification, as a key; its type does not matter to any SDK. */
export function tokenOf(holder: JsonObject | undefined): string | undefined {
  const token = holder === undefined ? undefined : get(holder, 'progressToken');
  return typeof token === 'string' || typeof token === 'number' ? String(token) : undefined;
}

/** Progress token that a request's `params._meta` gives. */
export function requestToken(params: JsonObject | undefined): string | undefined {
  const meta = params === undefined ? undefined : get(params, '_meta');
  return tokenOf(isObject(meta) ? meta : undefined);
}

/** Revision that a request names itself (2026-07-28, `_meta`). */
export function requestRevision(params: JsonObject | undefined): string | undefined {
  const meta = params === undefined ? undefined : get(params, '_meta');
  return isObject(meta) ? getString(meta, PROTOCOL_VERSION) : undefined;
}

/** Members of `_meta` that every request of 2026-07-28 carries. */
export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
