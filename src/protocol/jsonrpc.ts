/** Any JSON value, as `JSON.parse` gives it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export type JsonObject = { readonly [key: string]: JsonValue };

/** JSON-RPC 2.0 §4: a request id is a string or a number; `null` only in an answer to a request that could not be read. */
export type JsonRpcId = string | number;

export interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/**
 * What a message is, read off its shape alone, as the tap records it beside the raw text. `invalid` is JSON that is no
 * JSON-RPC message; `id` is kept where there was one, because an answer that breaks the rules still answers something.
 */
export type Envelope =
  | { readonly kind: 'request'; readonly id: JsonRpcId; readonly method: string; readonly progressToken?: JsonRpcId }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'result'; readonly id: JsonRpcId }
  | { readonly kind: 'error'; readonly id: JsonRpcId | null; readonly code: number }
  | { readonly kind: 'batch'; readonly size: number }
  | { readonly kind: 'invalid'; readonly id?: JsonRpcId | null; readonly problem: EnvelopeProblem };

/** Why JSON is not a JSON-RPC message. */
export type EnvelopeProblem =
  | 'not-json'
  | 'not-an-object'
  | 'empty-batch'
  | 'missing-jsonrpc'
  | 'bad-id'
  | 'result-and-error'
  | 'neither-result-nor-error'
  | 'bad-error-object'
  | 'bad-method';
