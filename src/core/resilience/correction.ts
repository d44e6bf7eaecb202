import type { RawEnd } from '../../protocol/call.ts';
import { isObject, jsonText } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcErrorObject, JsonValue } from '../../protocol/jsonrpc.ts';

/**
 * What a server of 2026-07-28 wants changed before it takes a request ("Error Codes"). The numbers of the drafts count only
 * with the data of their successors, since they have no meaning of their own.
 */
export type Correction =
  /** -32022: another version. */
  | { readonly kind: 'version'; readonly supported: readonly string[] }
  /** -32020 on `Mcp-Param-*`: the tool's schema has changed, so the tools have to be listed again. */
  | { readonly kind: 'headers' }
  /** -32021: a capability that was not declared. */
  | { readonly kind: 'capabilities'; readonly required: JsonObject };

/** What would correct the request that ended so; `undefined` when nothing that the answer names would. */
export function correctionOf(end: RawEnd): Correction | undefined {
  if (end.kind !== 'error') {
    return undefined;
  }
  const { error } = end;
  switch (error.code) {
    case -32022:
    case -32004: {
      const supported = memberOf(error, 'supported');
      return Array.isArray(supported)
        ? { kind: 'version', supported: supported.filter((item) => typeof item === 'string') }
        : undefined;
    }
    case -32020:
      return /mcp-param-/i.test(`${error.message} ${jsonText(error.data ?? null)}`) ? { kind: 'headers' } : undefined;
    case -32021:
    case -32003: {
      const required = memberOf(error, 'requiredCapabilities');
      return isObject(required) ? { kind: 'capabilities', required } : undefined;
    }
    default:
      return undefined;
  }
}

function memberOf({ data }: JsonRpcErrorObject, key: string): JsonValue | undefined {
  return isObject(data) && Object.hasOwn(data, key) ? data[key] : undefined;
}
