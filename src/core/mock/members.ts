import { memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';

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
