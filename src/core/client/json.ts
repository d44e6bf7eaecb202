import { memberOf } from '../../protocol/json.ts';
import type { JsonRpcErrorObject, JsonValue } from '../../protocol/jsonrpc.ts';

export function stringOf(value: JsonValue | undefined, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === 'string' ? member : undefined;
}

export function numberOf(value: JsonValue | undefined, key: string): number | undefined {
  const member = memberOf(value, key);
  return typeof member === 'number' ? member : undefined;
}

export function booleanOf(value: JsonValue | undefined, key: string): boolean | undefined {
  const member = memberOf(value, key);
  return typeof member === 'boolean' ? member : undefined;
}

/** A JSON-RPC error object as its envelope promised it; what is amiss reads as 0 and ''. */
export function errorOf(value: JsonValue | undefined): JsonRpcErrorObject {
  const data = memberOf(value, 'data');
  return {
    code: numberOf(value, 'code') ?? 0,
    message: stringOf(value, 'message') ?? '',
    ...(data === undefined ? {} : { data }),
  };
}
