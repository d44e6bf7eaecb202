import type { JsonObject } from '../protocol/jsonrpc.ts';

/** What is asked of a server. `lists`: what it offers. */
export type CallWords =
  | { readonly kind: 'lists'; readonly server: string | undefined }
  | {
      readonly kind: 'request';
      readonly server: string | undefined;
      readonly method: 'tools/call' | 'resources/read' | 'prompts/get';
      readonly params: JsonObject;
      /** Tool, resource or prompt. */
      readonly target: string;
    };

export interface WordOptions {
  /** The command line names the server elsewhere, so that the words do not. */
  readonly server?: string;
  readonly hasServer: boolean;
  readonly resource?: string;
  readonly prompt?: string;
  readonly list?: boolean;
}

/**
 * Reads `[SERVER] TOOL [JSON]`; with a resource, a prompt or a list the tool is not among them. What begins like an object is
 * the JSON. A sentence when it is not so.
 */
export function readCallWords(words: readonly string[], options: WordOptions): CallWords | string {
  const { resource, prompt, list = false } = options;
  if ([resource !== undefined, prompt !== undefined, list].filter(Boolean).length > 1) {
    return 'only one of --resource, --prompt and --list can be asked for';
  }
  const last = words.at(-1) ?? '';
  const hasArgs = last.trimStart().startsWith('{');
  const names = hasArgs ? words.slice(0, -1) : words;
  const args = hasArgs ? parseObject(last) : {};
  if (args === undefined) {
    return `the arguments are not valid JSON: ${last}`;
  }
  const isTool = resource === undefined && prompt === undefined && !list;
  const wanted = [...(options.hasServer ? [] : ['SERVER']), ...(isTool ? ['TOOL'] : [])];
  if (names.length > wanted.length) {
    return `the arguments must be a JSON object, and before them stands ${wanted.join(' ') || 'nothing'}; not ${last}`;
  }
  if (names.length < wanted.length) {
    return options.hasServer || !isTool
      ? `name ${isTool ? 'a tool' : 'a server, or describe one by --url or -- COMMAND'}`
      : 'name a server and a tool, or describe the server by --command, --url or -- COMMAND';
  }
  const server = options.hasServer ? options.server : names[0];
  if (list) {
    return { kind: 'lists', server };
  }
  if (resource !== undefined) {
    return { kind: 'request', server, method: 'resources/read', params: { uri: resource }, target: resource };
  }
  const [method, target] =
    prompt === undefined ? (['tools/call', names.at(-1) ?? ''] as const) : (['prompts/get', prompt] as const);
  return { kind: 'request', server, method, params: { name: target, arguments: args }, target };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
