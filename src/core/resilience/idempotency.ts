import type { ToolPolicy } from '../../protocol/definition.ts';
import { isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { SIDE_EFFECT_FREE_METHODS } from '../../protocol/revisions.ts';

/** A tool's own claims (specification, "Tool annotations"); to be believed only of a trusted server. */
export interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Whether a request may be sent twice, and who says so. `reason` names a sentence in `protocol/texts.ts`. */
export interface Idempotency {
  readonly isIdempotent: boolean;
  readonly reason:
    | 'idempotent.method'
    | 'idempotent.setting'
    | 'idempotent.key'
    | 'idempotent.readOnlyHint'
    | 'idempotent.idempotentHint'
    | 'notIdempotent.setting'
    | 'notIdempotent.untrusted'
    | 'notIdempotent.unknown'
    | 'notIdempotent.method';
}

export interface IdempotencyFacts {
  readonly method: string;
  readonly policy?: ToolPolicy | undefined;
  readonly hints?: ToolHints | undefined;
  readonly isTrusted: boolean;
}

/** Outcome reference, "Idempotent": the method, then the user's word, then a trusted server's; no annotation means no. */
export function idempotencyOf({ method, policy, hints, isTrusted }: IdempotencyFacts): Idempotency {
  if (SIDE_EFFECT_FREE_METHODS.has(method)) {
    return { isIdempotent: true, reason: 'idempotent.method' };
  }
  if (method !== 'tools/call') {
    return { isIdempotent: false, reason: 'notIdempotent.method' };
  }
  if (policy?.isIdempotent !== undefined) {
    return policy.isIdempotent
      ? { isIdempotent: true, reason: 'idempotent.setting' }
      : { isIdempotent: false, reason: 'notIdempotent.setting' };
  }
  if (policy?.idempotencyKeyArgument !== undefined) {
    return { isIdempotent: true, reason: 'idempotent.key' };
  }
  if (hints?.readOnlyHint === true || hints?.idempotentHint === true) {
    if (!isTrusted) {
      return { isIdempotent: false, reason: 'notIdempotent.untrusted' };
    }
    return {
      isIdempotent: true,
      reason: hints.readOnlyHint === true ? 'idempotent.readOnlyHint' : 'idempotent.idempotentHint',
    };
  }
  return { isIdempotent: false, reason: 'notIdempotent.unknown' };
}

/**
 * `params` of a `tools/call` with `key` in the argument that the policy names. A key that the caller gave stays: it is the
 * caller's promise, and a replay must repeat it.
 */
export function withIdempotencyKey(
  method: string,
  params: JsonObject | undefined,
  policy: ToolPolicy | undefined,
  key: () => string,
): JsonObject | undefined {
  const argument = policy?.idempotencyKeyArgument;
  if (method !== 'tools/call' || argument === undefined) {
    return params;
  }
  const given: JsonValue | undefined = params?.['arguments'];
  const args: JsonObject = isObject(given) ? given : {};
  return Object.hasOwn(args, argument) ? params : { ...params, arguments: { ...args, [argument]: key() } };
}
