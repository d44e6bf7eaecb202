import type { HttpDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { CopySource } from './copySource.ts';
import { isLong, withoutMeta } from './plainParams.ts';

/** What a test asks for, so that it passes as long as the server does what was recorded. */
export type Expectation =
  /** A result, with `isError` where it is of a tool. */
  | {
      readonly kind: 'result';
      readonly isError: boolean | undefined;
      /** Members of the result to be equal; none where it is too long to stand in a test. */
      readonly members: readonly (readonly [name: string, value: JsonValue])[];
    }
  /** The server refuses with this code. */
  | { readonly kind: 'refused'; readonly code: number }
  /** Nothing comes within the limit. */
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** There is no usable answer. */
  | { readonly kind: 'failed' };

/** The call that a test makes. */
export interface TestCall {
  readonly method: string;
  readonly params: JsonObject;
  readonly expected: Expectation;
}

const DEFAULT_LIMIT_MS = 10_000;

/** The call and what it must come to, or the code of the sentence that says why there is no test of it. */
export function testCall(
  source: CopySource,
): { readonly call: TestCall; readonly transport: StdioDefinition | HttpDefinition } | { readonly refusal: string } {
  const { transport } = source.server;
  if (source.initiator !== 'client' || source.method === 'initialize') {
    return { refusal: 'copy.refused.notACall' };
  }
  const expected = expectation(source);
  return expected === undefined
    ? { refusal: 'copy.refused.noOutcome' }
    : transport === undefined
      ? { refusal: 'copy.refused.noServer' }
      : { call: { method: source.method, params: withoutMeta(source.params), expected }, transport };
}

function expectation(source: CopySource): Expectation | undefined {
  switch (source.outcome) {
    case 'success':
    case 'partial':
    case 'silent_error':
    case 'tool_error':
      return resultOf(source);
    case 'protocol_error':
      return source.error === undefined ? { kind: 'failed' } : { kind: 'refused', code: source.error.code };
    case 'timeout':
      return { kind: 'timeout', limitMs: source.timeoutMs ?? DEFAULT_LIMIT_MS };
    case 'transport_error':
    case 'invalid_response':
      return { kind: 'failed' };
    case 'cancelled':
    case 'input_required':
    case 'task_pending':
    case 'pending':
    case undefined:
      return undefined;
  }
}

function resultOf({ method, result }: CopySource): Expectation {
  const object = isObject(result) ? result : {};
  const isTool = method === 'tools/call';
  const names = isTool
    ? [object['structuredContent'] === undefined ? 'content' : 'structuredContent']
    : Object.keys(object).filter((name) => name !== '_meta' && name !== 'nextCursor');
  const members = names.flatMap((name) => {
    const value = object[name];
    return value === undefined || isLong(value) ? [] : [[name, value] as const];
  });
  return { kind: 'result', isError: isTool ? object['isError'] === true : undefined, members };
}
