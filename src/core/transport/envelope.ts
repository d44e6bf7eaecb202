import { isArray, isObject, memberOf } from '../../protocol/json.ts';
import type { Envelope, EnvelopeProblem, JsonObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';

/** A message with its shape. `message` is `undefined` when the text is not JSON. */
export interface ParsedFrame {
  readonly message: JsonValue | undefined;
  readonly envelope: Envelope;
}

/**
 * Parses one frame and reads its shape. A leading byte order mark is ignored, as RFC 8259 §8.1 allows. Never throws:
 * text that is not JSON gives the problem `not-json`.
 */
export function parseFrame(raw: string): ParsedFrame {
  let message: JsonValue;
  try {
    message = JSON.parse(raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw);
  } catch {
    return { message: undefined, envelope: { kind: 'invalid', problem: 'not-json' } };
  }
  return { message, envelope: readEnvelope(message) };
}

/**
 * What `message` is by JSON-RPC 2.0 §4 to §6 and by MCP, which forbids a null id in requests. An error may lack its id
 * (MCP 2026-07-28), which is then given as `null`. Members beyond the rules are ignored.
 */
export function readEnvelope(message: JsonValue): Envelope {
  if (isArray(message)) {
    return message.length === 0 ? { kind: 'invalid', problem: 'empty-batch' } : { kind: 'batch', size: message.length };
  }
  if (!isObject(message)) {
    return { kind: 'invalid', problem: 'not-an-object' };
  }
  const id = readId(message);
  if (memberOf(message, 'jsonrpc') !== '2.0') {
    return invalid('missing-jsonrpc', id);
  }
  if (id.kind === 'bad') {
    return invalid('bad-id', id);
  }
  return Object.hasOwn(message, 'method') ? readCall(message, id) : readAnswer(message, id);
}

/**
 * Whether JSON was meant as JSON-RPC, well formed or not: it names a version or a method, or both an id and an outcome.
 * Anything else, such as the line of a JSON logger that has an `id` of its own, answers nothing and is noise.
 */
export function isMeantAsJsonRpc(message: JsonValue | undefined): boolean {
  if (isArray(message)) {
    return message.length === 0 || message.some((item) => isObject(item) && isObjectMeant(item));
  }
  return isObject(message) && isObjectMeant(message);
}

/** The envelopes within a frame: its own, or one for each item of a batch. */
export function envelopesOf(frame: ParsedFrame): readonly Envelope[] {
  return frame.envelope.kind === 'batch' && isArray(frame.message) ? frame.message.map(readEnvelope) : [frame.envelope];
}

type ReadId = { readonly kind: 'valid'; readonly id: JsonRpcId } | { readonly kind: 'null' | 'absent' | 'bad' };

function readId(message: JsonObject): ReadId {
  if (!Object.hasOwn(message, 'id')) {
    return { kind: 'absent' };
  }
  const id = memberOf(message, 'id');
  if (isId(id)) {
    return { kind: 'valid', id };
  }
  return { kind: id === null ? 'null' : 'bad' };
}

function readCall(message: JsonObject, id: ReadId): Envelope {
  const method = memberOf(message, 'method');
  if (typeof method !== 'string') {
    return invalid('bad-method', id);
  }
  if (id.kind === 'absent') {
    return { kind: 'notification', method };
  }
  if (id.kind !== 'valid') {
    return invalid('bad-id', id);
  }
  const progressToken = readProgressToken(message);
  return { kind: 'request', id: id.id, method, ...(progressToken === undefined ? {} : { progressToken }) };
}

function readAnswer(message: JsonObject, id: ReadId): Envelope {
  const hasResult = Object.hasOwn(message, 'result');
  const hasError = Object.hasOwn(message, 'error');
  if (hasResult === hasError) {
    return invalid(hasResult ? 'result-and-error' : 'neither-result-nor-error', id);
  }
  if (hasResult) {
    return id.kind === 'valid' ? { kind: 'result', id: id.id } : invalid('bad-id', id);
  }
  const error = memberOf(message, 'error');
  const code = memberOf(error, 'code');
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof memberOf(error, 'message') !== 'string') {
    return invalid('bad-error-object', id);
  }
  return { kind: 'error', id: id.kind === 'valid' ? id.id : null, code };
}

function readProgressToken(message: JsonObject): JsonRpcId | undefined {
  const token = memberOf(memberOf(memberOf(message, 'params'), '_meta'), 'progressToken');
  return isId(token) ? token : undefined;
}

function invalid(problem: EnvelopeProblem, id: ReadId): Envelope {
  switch (id.kind) {
    case 'valid':
      return { kind: 'invalid', id: id.id, problem };
    case 'null':
      return { kind: 'invalid', id: null, problem };
    default:
      return { kind: 'invalid', problem };
  }
}

function isObjectMeant(message: JsonObject): boolean {
  const has = (key: string) => Object.hasOwn(message, key);
  return has('jsonrpc') || has('method') || (has('id') && (has('result') || has('error')));
}

/** A number that JSON cannot hold, such as 1e999, is no id: it could not be sent back. */
function isId(value: JsonValue | undefined): value is JsonRpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
