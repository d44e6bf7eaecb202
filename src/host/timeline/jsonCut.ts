import { pointerStep } from '../../base/jsonPointer.ts';
import type { JsonCut } from '../../protocol/details.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';

export interface CutJson {
  readonly json: string;
  readonly cuts: readonly JsonCut[];
}

interface Limits {
  readonly text: number;
  readonly items: number;
  readonly depth: number;
}

/** From generous to what fits whatever comes. */
const LIMITS: readonly Limits[] = [
  { text: 8000, items: 500, depth: 100 },
  { text: 2000, items: 200, depth: 60 },
  { text: 500, items: 60, depth: 30 },
  { text: 120, items: 20, depth: 12 },
  { text: 80, items: 10, depth: 5 },
];

/**
 * A value with its long texts, lists and objects cut until it takes at most `maxLength` UTF-16 code units as JSON, and
 * what was cut. What is too deep becomes null.
 */
export function cutJson(value: JsonValue, maxLength: number): CutJson {
  let cut: CutJson = { json: 'null', cuts: [] };
  for (const limits of LIMITS) {
    const cuts: JsonCut[] = [];
    cut = { json: JSON.stringify(within(value, '', 0, limits, cuts)), cuts };
    if (cut.json.length <= maxLength) {
      return cut;
    }
  }
  return { json: 'null', cuts: [{ pointer: '', kind: 'items', total: 1 }] };
}

function within(value: JsonValue, pointer: string, depth: number, limits: Limits, cuts: JsonCut[]): JsonValue {
  if (typeof value === 'string') {
    if (value.length > limits.text) {
      cuts.push({ pointer, kind: 'text', total: value.length });
    }
    return value.slice(0, limits.text);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((item, index) => [String(index), item as JsonValue] as const)
    : Object.entries(value);
  const shown = depth > limits.depth ? [] : entries.slice(0, limits.items);
  if (shown.length < entries.length) {
    cuts.push({ pointer, kind: 'items', total: entries.length });
  }
  const parts = shown.map(
    ([name, item]) => [name, within(item, `${pointer}${pointerStep(name)}`, depth + 1, limits, cuts)] as const,
  );
  return isList ? parts.map(([, item]) => item) : Object.fromEntries(parts);
}
