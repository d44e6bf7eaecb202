import type { RawEnd } from '../../protocol/call.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { ToolHints } from '../resilience/idempotency.ts';
import { booleanOf, isJsonObject, memberOf, stringOf } from './json.ts';

/** A tool as its server describes it. All text is the server's and hostile. */
export interface ToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonValue;
  readonly outputSchema?: JsonValue;
  readonly hints: ToolHints;
}

/** What `tools/list` gave. `isComplete` is false when a page failed or paging never came to an end. */
export interface ToolCatalogue {
  readonly tools: readonly ToolInfo[];
  readonly isComplete: boolean;
}

/** A server whose cursors never converge must not hold us for ever. */
const MAX_PAGES = 100;

/**
 * Reads the catalogue page by page, since a page that fails must not cost those before it. `ask` sends one `tools/list`.
 * An empty string is a cursor like any other (specification, "Pagination").
 */
export async function readTools(ask: (params: JsonObject) => Promise<RawEnd>): Promise<ToolCatalogue> {
  const tools: ToolInfo[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const end = await ask(cursor === undefined ? {} : { cursor });
    const listed = end.kind === 'result' ? memberOf(end.result, 'tools') : undefined;
    if (end.kind !== 'result' || !Array.isArray(listed)) {
      return { tools, isComplete: false };
    }
    tools.push(...(listed as readonly JsonValue[]).flatMap(readTool));
    cursor = stringOf(end.result, 'nextCursor');
    if (cursor === undefined) {
      return { tools, isComplete: true };
    }
    if (seen.has(cursor)) {
      return { tools, isComplete: false };
    }
    seen.add(cursor);
  }
  return { tools, isComplete: false };
}

/** None for what has no name: such a tool could not be called. */
function readTool(value: JsonValue): ToolInfo[] {
  const name = stringOf(value, 'name');
  if (name === undefined || !isJsonObject(value)) {
    return [];
  }
  const title = stringOf(value, 'title');
  const description = stringOf(value, 'description');
  const { inputSchema, outputSchema } = value;
  return [
    {
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(inputSchema === undefined ? {} : { inputSchema }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      hints: readHints(memberOf(value, 'annotations')),
    },
  ];
}

function readHints(annotations: JsonValue | undefined): ToolHints {
  const hints: { -readonly [Key in keyof ToolHints]: boolean } = {};
  for (const key of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
    const value = booleanOf(annotations, key);
    if (value !== undefined) {
      hints[key] = value;
    }
  }
  return hints;
}
