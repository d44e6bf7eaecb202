import { jsonLength } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';

/** Longest JSON that stands in a test, UTF-16 code units. */
const MAX_LITERAL = 20_000;

/** Parameters without `_meta`, whose progress token belonged to the recorded request alone. */
export function withoutMeta(params: JsonObject | undefined): JsonObject {
  const { _meta, ...rest } = params ?? {};
  return rest;
}

/** Too long to be read in a test. */
export function isLong(value: JsonValue): boolean {
  return jsonLength(value) > MAX_LITERAL;
}
