import type { JsonValue } from '../../protocol/jsonrpc.ts';

/** The object or list that a text is the JSON of; `undefined` for any other text. */
export function jsonWithin(text: string): JsonValue | undefined {
  if (!/^\s*[{[]/.test(text)) {
    return undefined;
  }
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
