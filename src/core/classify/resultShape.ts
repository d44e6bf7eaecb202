import type { JudgedRequest } from '../../protocol/call.ts';
import { isArray, isObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { get, getString } from './json.ts';

/** What a result lacks of what MCP requires of its method: the member's name, or the pointer of the bad item. */
export interface ShapeProblem {
  readonly code: string;
  readonly member: string;
  readonly pointer: string;
}

/** The list that each listing method must answer with, and the member that names each of its items. */
const LISTS: Readonly<Record<string, readonly [list: string, name: string]>> = {
  'tools/list': ['tools', 'name'],
  'prompts/list': ['prompts', 'name'],
  'resources/list': ['resources', 'uri'],
  'resources/templates/list': ['resourceTemplates', 'uriTemplate'],
  'resources/read': ['contents', 'uri'],
  'prompts/get': ['messages', 'role'],
  'tasks/list': ['tasks', 'taskId'],
};

/**
 * Checks a result against the schema of its method, as far as a client depends on it (MCP 2025-11-25 and 2026-07-28,
 * `schema.ts`). Members that servers are known to leave out without harm are not asked for.
 */
export function shapeProblem(request: JudgedRequest, result: JsonObject, pointer: string): ShapeProblem | undefined {
  const list = Object.hasOwn(LISTS, request.method) ? LISTS[request.method] : undefined;
  if (list !== undefined) {
    return listProblem(result, list[0], list[1], pointer);
  }
  switch (request.method) {
    case 'initialize':
      return getString(result, 'protocolVersion') === undefined ? missing('protocolVersion', pointer) : undefined;
    case 'server/discover':
      return isArray(get(result, 'supportedVersions')) ? undefined : missing('supportedVersions', pointer);
    case 'completion/complete':
      return isObject(get(result, 'completion')) ? undefined : missing('completion', pointer);
    case 'tools/call':
    case 'tasks/result':
      return contentProblem(result, pointer);
    default:
      return undefined;
  }
}

function missing(member: string, pointer: string): ShapeProblem {
  return { code: 'signal.invalid.missing', member, pointer };
}

function listProblem(result: JsonObject, list: string, name: string, pointer: string): ShapeProblem | undefined {
  const items = get(result, list);
  if (!isArray(items)) {
    return missing(list, pointer);
  }
  const index = items.findIndex((item) => !isObject(item) || getString(item, name) === undefined);
  return index < 0
    ? undefined
    : { code: 'signal.invalid.item', member: `${list}[${index}].${name}`, pointer: `${pointer}/${list}/${index}` };
}

/**
 * A tool result must have `content`; a result with structured content alone, or in the shape of before 2024-11-05
 * (`toolResult`), is read by every client and passes.
 */
function contentProblem(result: JsonObject, pointer: string): ShapeProblem | undefined {
  const content = get(result, 'content');
  if (content === undefined) {
    const hasOther = ['structuredContent', 'toolResult'].some((key) => get(result, key) !== undefined);
    return hasOther || get(result, 'isError') === true ? undefined : missing('content', pointer);
  }
  if (!isArray(content)) {
    return { code: 'signal.invalid.item', member: 'content', pointer: `${pointer}/content` };
  }
  const index = content.findIndex(
    (block) =>
      !isObject(block) ||
      getString(block, 'type') === undefined ||
      (get(block, 'type') === 'text' && getString(block, 'text') === undefined),
  );
  return index < 0
    ? undefined
    : { code: 'signal.invalid.item', member: `content[${index}]`, pointer: `${pointer}/content/${index}` };
}
