import { stepsOf } from '../base/jsonPointer.ts';
import type { JsonObject, JsonValue } from './jsonrpc.ts';

/** True for a JSON object: neither null nor an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` that keeps the element type of a read-only JSON array. */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The own member `key` of an object, never one of the prototype's; `undefined` for anything else, so that hostile shapes read as absent. */
export function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** What is written in the place of a value that nests more deeply than the platform's own writing, a recursion, can go. */
const TOO_DEEP = '"[nested too deeply]"';

/** JSON of a value that another program may have made: never throws, however deeply it nests. `indent`: spaces a level. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    return TOO_DEEP;
  }
}

/** UTF-16 code units of a value's JSON; infinite where it nests more deeply than can be written. */
export function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** JSON in which values that are equal but for the order of members have equal texts; `undefined` where they nest too deeply. */
export function sortedJson(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value, sorted);
  } catch {
    return undefined;
  }
}

function sorted(_key: string, value: JsonValue): JsonValue {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** The value that an RFC 6901 JSON pointer leads to; `undefined` when there is none. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of stepsOf(pointer)) {
    if (isArray(found)) {
      found = /^(?:0|[1-9]\d*)$/.test(name) ? found[Number(name)] : undefined;
    } else {
      found = memberOf(found, name);
    }
  }
  return found;
}
