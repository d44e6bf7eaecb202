import { isArray, isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';

/** The own property `key`, never one of the prototype's. */
export function get(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The own string property `key`, or `undefined` when it is absent or of another type. */
export function getString(object: JsonObject, key: string): string | undefined {
  const value = get(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** What JSON can begin with. Most texts are prose, and an error with its stack costs ten times what a parse does. */
const JSON_START = /^\s*(?:[{["\d-]|true\b|false\b|null\b)/;

/** Parsed JSON, or `undefined` when `text` is none. */
export function parseJson(text: string): JsonValue | undefined {
  if (!JSON_START.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Nothing to read in it: null, blank text, `false`, zero, an empty list or object. */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0) {
    return true;
  }
  if (typeof value === 'string') {
    return value.trim() === '';
  }
  if (isArray(value)) {
    return value.length === 0;
  }
  return isObject(value) && Object.keys(value).length === 0;
}

/** `text` cut to `max` UTF-16 units for use in a sentence. */
export function shorten(text: string, max = 160): string {
  const line = text.trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
