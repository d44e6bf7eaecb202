import { memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { ToolHints } from '../resilience/idempotency.ts';
import { booleanOf, stringOf } from './json.ts';
import { type ListingProblem, type ListingSpec, malformed } from './listing.ts';
import { paramHeaderProblem } from './paramHeaders.ts';
import type { ToolInfo } from './tools.ts';

/** A resource as its server describes it. All text is the server's and hostile. */
export interface ResourceInfo {
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ResourceTemplateInfo {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface PromptInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly isRequired: boolean;
  }[];
}

/** The tools. Over HTTP in 2026-07-28, one whose schema asks for headers that cannot be is left out, as it must be. */
export function toolSpec(checksHeaders: boolean): ListingSpec<ToolInfo> {
  const method = 'tools/list';
  return {
    method,
    member: 'tools',
    key: ({ name }) => name,
    read: (value) => {
      const name = stringOf(value, 'name');
      if (name === undefined) {
        return malformed(method);
      }
      const problem = checksHeaders ? paramHeaderProblem(value['inputSchema']) : undefined;
      return problem === undefined ? readTool(name, value) : badHeader(name, problem);
    },
  };
}

export const RESOURCE_SPEC: ListingSpec<ResourceInfo> = {
  method: 'resources/list',
  member: 'resources',
  key: ({ uri }) => uri,
  read: (value) => {
    const uri = stringOf(value, 'uri');
    return uri === undefined
      ? malformed('resources/list')
      : { uri, ...texts(value, ['name', 'title', 'description', 'mimeType']) };
  },
};

export const TEMPLATE_SPEC: ListingSpec<ResourceTemplateInfo> = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  key: ({ uriTemplate }) => uriTemplate,
  read: (value) => {
    const uriTemplate = stringOf(value, 'uriTemplate');
    return uriTemplate === undefined
      ? malformed('resources/templates/list')
      : { uriTemplate, ...texts(value, ['name', 'title', 'description', 'mimeType']) };
  },
};

export const PROMPT_SPEC: ListingSpec<PromptInfo> = {
  method: 'prompts/list',
  member: 'prompts',
  key: ({ name }) => name,
  read: (value) => {
    const name = stringOf(value, 'name');
    const given = memberOf(value, 'arguments');
    return name === undefined
      ? malformed('prompts/list')
      : {
          name,
          ...texts(value, ['title', 'description']),
          arguments: (Array.isArray(given) ? (given as readonly JsonValue[]) : []).flatMap(readArgument),
        };
  },
};

function readArgument(value: JsonValue): PromptInfo['arguments'] {
  const name = stringOf(value, 'name');
  return name === undefined
    ? []
    : [{ name, ...texts(value, ['description']), isRequired: booleanOf(value, 'required') === true }];
}

function readTool(name: string, value: JsonObject): ToolInfo {
  const { inputSchema, outputSchema } = value;
  const taskSupport = stringOf(memberOf(value, 'execution'), 'taskSupport');
  return {
    name,
    ...texts(value, ['title', 'description']),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(taskSupport === 'required' || taskSupport === 'optional' ? { taskSupport } : {}),
    hints: readHints(memberOf(value, 'annotations')),
  };
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

function badHeader(tool: string, problem: string): ListingProblem {
  return { code: 'catalogue.badHeader', args: { tool, problem } };
}

function texts<Key extends string>(value: JsonValue, keys: readonly Key[]): { readonly [K in Key]?: string } {
  const read: { [K in Key]?: string } = {};
  for (const key of keys) {
    const text = stringOf(value, key);
    if (text !== undefined) {
      read[key] = text;
    }
  }
  return read;
}
