import { isArray, isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import { get, getString, shorten } from '../json.ts';
import type { ListedDefinition, ToolListing } from '../memory/serverMemory.ts';
import { stableHash } from '../memory/stableHash.ts';
import { type AnomalyDetector, type Found, NONE, type Scene } from './scene.ts';

const MAX_TOOLS = 5000;
const MAX_TOLD = 3;
/** 2025-11-25, "Tool Names". */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const PARTS = ['description', 'input', 'output', 'annotations'] as const;
const PART_NAMES: Readonly<Record<(typeof PARTS)[number], string>> = {
  description: 'description',
  input: 'input schema',
  output: 'output schema',
  annotations: 'annotations',
};

/** Each tool of a listing by itself, and the whole listing against the one before it, of whatever session. */
export const detectToolList: AnomalyDetector = (scene) => {
  const { connection, method, placed, result } = scene;
  if (method === 'notifications/tools/list_changed') {
    connection.facts.hasListing = false;
  }
  if (placed.as !== 'settled' || placed.state.method !== 'tools/list' || result === undefined) {
    return NONE;
  }
  const tools = get(result, 'tools');
  if (!isArray(tools)) {
    return NONE;
  }
  if (placed.state.cursor === undefined) {
    connection.listing.clear();
  }
  const found = [...each(tools, scene)];
  if (getString(result, 'nextCursor') === undefined) {
    found.push(...whole(scene));
  }
  return found;
};

function* each(tools: readonly JsonValue[], { connection }: Scene): Iterable<Found> {
  const { listing } = connection;
  let told = 0;
  for (const [index, tool] of tools.slice(0, MAX_TOOLS).entries()) {
    const name = isObject(tool) ? getString(tool, 'name') : undefined;
    if (!isObject(tool) || name === undefined || listing.size >= MAX_TOOLS) {
      continue;
    }
    const found = problemOf(tool, name, listing.has(name));
    if (found !== undefined && told < MAX_TOLD) {
      told += 1;
      yield { ...found, args: { tool: shorten(name, 80) }, pointer: `/result/tools/${index}` };
    }
    listing.set(name, definitionOf(tool));
  }
}

function problemOf(tool: JsonObject, name: string, isTwice: boolean): Found | undefined {
  if (isTwice) {
    return { code: 'toolTwice' };
  }
  if (!NAME.test(name)) {
    return { code: 'toolName' };
  }
  const schema = get(tool, 'inputSchema');
  const type = isObject(schema) ? get(schema, 'type') : undefined;
  return type === 'object' ? undefined : { code: 'toolSchemaInvalid' };
}

function definitionOf(tool: JsonObject): ListedDefinition {
  return {
    description: stableHash([get(tool, 'title') ?? null, get(tool, 'description') ?? null]),
    input: stableHash(get(tool, 'inputSchema')),
    output: stableHash(get(tool, 'outputSchema')),
    annotations: stableHash(get(tool, 'annotations')),
  };
}

function whole({ connection, memory }: Scene): readonly Found[] {
  connection.facts.hasListing = true;
  const before = memory.listing;
  const now: ToolListing = new Map(connection.listing);
  memory.listing = now;
  connection.listing.clear();
  return before === undefined ? NONE : compare(before, now);
}

function compare(before: ToolListing, now: ToolListing): readonly Found[] {
  const found: Found[] = [];
  for (const [tool, definition] of now) {
    const old = before.get(tool);
    const what = old === undefined ? [] : PARTS.filter((part) => old[part] !== definition[part]);
    if (what.length > 0 && found.length < MAX_TOLD) {
      const args = { tool: shorten(tool, 80), what: what.map((part) => PART_NAMES[part]).join(', ') };
      found.push({ code: 'toolChanged', args, pointer: '/result/tools' });
    }
  }
  const added = [...now.keys()].filter((tool) => !before.has(tool));
  const removed = [...before.keys()].filter((tool) => !now.has(tool));
  if (added.length > 0) {
    found.push({ code: 'toolsAdded', args: { tools: named(added) }, pointer: '/result/tools' });
  }
  if (removed.length > 0) {
    found.push({ code: 'toolsRemoved', args: { tools: named(removed) }, pointer: '/result/tools' });
  }
  const order = [...before.keys()].filter((tool) => now.has(tool));
  const moved = [...now.keys()].filter((tool) => before.has(tool)).find((tool, index) => order[index] !== tool);
  if (moved !== undefined) {
    found.push({ code: 'toolOrderUnstable', args: { tool: shorten(moved, 80) }, pointer: '/result/tools' });
  }
  return found;
}

function named(tools: readonly string[]): string {
  const first = tools.slice(0, 5).map((tool) => shorten(tool, 60));
  return tools.length > first.length ? `${first.join(', ')} (+${tools.length - first.length})` : first.join(', ');
}
