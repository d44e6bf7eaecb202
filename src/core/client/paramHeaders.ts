import { isObject } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { stringOf } from './json.ts';

const KEY = 'x-mcp-header';
/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: ReadonlySet<string> = new Set(['string', 'integer', 'boolean']);
/** A schema is hostile text like any other; what lies deeper than this is not looked at. */
const MAX_DEPTH = 64;

/**
 * What is wrong with the headers that a tool's schema asks for; `undefined` when nothing is, or when it asks for none. A tool
 * with a fault in them must be left out of the list over HTTP (2026-07-28, "Custom Headers from Tool Parameters").
 */
export function paramHeaderProblem(inputSchema: JsonValue | undefined): string | undefined {
  return inputSchema === undefined ? undefined : problemIn(inputSchema, true, true, new Set(), 0);
}

function problemIn(
  schema: JsonValue,
  isRoot: boolean,
  isReachable: boolean,
  seen: Set<string>,
  depth: number,
): string | undefined {
  if (depth > MAX_DEPTH) {
    return undefined;
  }
  if (Array.isArray(schema)) {
    return firstOf(schema as readonly JsonValue[], (item) => problemIn(item, false, false, seen, depth + 1));
  }
  if (!isObject(schema)) {
    return undefined;
  }
  const own = Object.hasOwn(schema, KEY) ? ownProblem(schema, isReachable && !isRoot, seen) : undefined;
  return (
    own ??
    firstOf(Object.entries(schema), ([key, value]) => {
      if (key !== 'properties') {
        // Below anything but `properties`, an argument has no one place.
        return DATA_KEYWORDS.has(key) ? undefined : problemIn(value, false, false, seen, depth + 1);
      }
      const children = isObject(value) ? Object.values(value) : [];
      return firstOf(children, (child) => problemIn(child, false, isReachable, seen, depth + 1));
    })
  );
}

/** Keywords whose values are data and not schemas. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required', KEY]);

function ownProblem(schema: JsonValue, isAllowed: boolean, seen: Set<string>): string | undefined {
  const name = stringOf(schema, KEY);
  if (!isAllowed) {
    return `${KEY} stands where no argument has one place`;
  }
  if (name === undefined || !TOKEN.test(name)) {
    return `${KEY} is no name of a header`;
  }
  if (!TYPES.has(stringOf(schema, 'type') ?? '')) {
    return `${KEY} ${name} is on an argument that is neither string, integer nor boolean`;
  }
  if (seen.has(name.toLowerCase())) {
    return `${KEY} ${name} is there twice`;
  }
  seen.add(name.toLowerCase());
  return undefined;
}

function firstOf<T>(items: readonly T[], problem: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
