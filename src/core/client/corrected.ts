import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { REVISIONS } from '../../protocol/revisions.ts';
import { CLIENT_CAPABILITIES_KEY, TASKS_EXTENSION } from './era.ts';
import type { ToolInfo } from './tools.ts';

/** What can be declared although nobody answers it at once: the caller is given what the server asks for in rounds. */
const DECLARABLE: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots', 'extensions']);

/**
 * `params` with the capabilities that the server requires beside those that are declared anyway, for one request (2026-07-28,
 * `_meta`); `undefined` when one is required that we do not have.
 */
export function withCapabilities(
  params: JsonObject | undefined,
  required: JsonObject,
  declared: JsonObject = {},
): JsonObject | undefined {
  const extensions = memberOf(required, 'extensions');
  const areKnown =
    Object.keys(required).every((name) => DECLARABLE.has(name)) &&
    (extensions === undefined ||
      (isObject(extensions) && Object.keys(extensions).every((name) => name === TASKS_EXTENSION)));
  if (!areKnown) {
    return undefined;
  }
  const meta = memberOf(params, '_meta');
  return {
    ...params,
    _meta: { ...(isObject(meta) ? meta : {}), [CLIENT_CAPABILITIES_KEY]: merged(declared, required) },
  };
}

/** Whether there is a version that both sides know, other than the one that was refused. */
export function canSpeak(supported: readonly string[], refused: string | undefined): boolean {
  return REVISIONS.some((revision) => revision !== refused && supported.includes(revision));
}

/** A tool that only runs as a task (2025-11-25, "Tasks") is called as one. */
export function asTask(
  params: JsonObject | undefined,
  tool: ToolInfo | undefined,
  revision: string | undefined,
): JsonObject | undefined {
  const isNeeded = revision === '2025-11-25' && tool?.taskSupport === 'required' && params?.['task'] === undefined;
  return isNeeded ? { ...params, task: {} } : params;
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const both: Record<string, JsonValue> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const own = both[key];
    both[key] = isObject(own) && isObject(value) ? merged(own, value) : value;
  }
  return both;
}
