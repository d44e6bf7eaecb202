import type { JsonObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object's own; `undefined` of anything else. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The id of a message, where it has a usable one. */
export function idOf(message: JsonValue): JsonRpcId | undefined {
  const id = memberOf(message, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The progress token that a request's `params` give. */
export function progressTokenOf(params: JsonObject | undefined): JsonRpcId | undefined {
  const token = memberOf(memberOf(params, '_meta'), 'progressToken');
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
