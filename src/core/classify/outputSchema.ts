import { pointerStep } from '../../base/jsonPointer.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { get } from './json.ts';

/** Where structured content breaks its schema: the pointer below it, and what is wrong in a word. */
export interface SchemaBreak {
  readonly pointer: string;
  readonly problem: 'missing' | 'type';
  readonly member: string;
}

const MAX_DEPTH = 8;

/**
 * The first break of `schema` by `value`, or `undefined`. Knows `type`, `required`, `properties` and `items` and takes
 * whatever it does not know as kept, so that a break found is a break. Follows no reference.
 */
export function schemaBreak(schema: JsonValue, value: JsonValue, pointer = '', depth = 0): SchemaBreak | undefined {
  if (!isObject(schema) || depth > MAX_DEPTH || get(schema, '$ref') !== undefined) {
    return undefined;
  }
  if (!isOfType(get(schema, 'type'), value)) {
    return { pointer, problem: 'type', member: pointer === '' ? 'structuredContent' : pointer };
  }
  if (isObject(value)) {
    const required = get(schema, 'required');
    const missing = isArray(required)
      ? required.find((key): key is string => typeof key === 'string' && !Object.hasOwn(value, key))
      : undefined;
    if (missing !== undefined) {
      return { pointer, problem: 'missing', member: missing };
    }
    const properties = get(schema, 'properties');
    for (const [key, inner] of isObject(properties) ? Object.entries(properties) : []) {
      const member = get(value, key);
      const found =
        member === undefined ? undefined : schemaBreak(inner, member, pointer + pointerStep(key), depth + 1);
      if (found !== undefined) {
        return found;
      }
    }
  }
  const items = get(schema, 'items');
  if (isArray(value) && isObject(items)) {
    for (const [index, item] of value.slice(0, 100).entries()) {
      const found = schemaBreak(items, item, pointer + pointerStep(index), depth + 1);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

function isOfType(type: JsonValue | undefined, value: JsonValue): boolean {
  if (isArray(type)) {
    return type.length === 0 || type.some((one) => isOfType(one, value));
  }
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return isArray(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}
