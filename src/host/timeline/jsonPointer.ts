import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';

/** The steps of an RFC 6901 pointer, unescaped. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that an RFC 6901 pointer names, never one of a prototype. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of stepsOf(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = (found as JsonObject)[name];
  }
  return found;
}
