import * as z from 'zod/mini';
import type { DefinitionInput, HttpDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';

const text = z.object({
  type: z.literal('promptString'),
  id: z.string(),
  description: z.optional(z.string()),
  default: z.optional(z.string()),
  password: z.optional(z.boolean()),
});
const choice = z.object({
  type: z.literal('pickString'),
  id: z.string(),
  description: z.optional(z.string()),
  default: z.optional(z.string()),
  options: z.array(z.union([z.string(), z.object({ label: z.string(), value: z.string() })])),
});
const command = z.object({
  type: z.literal('command'),
  id: z.string(),
  command: z.string(),
  args: z.optional(z.json()),
});
const shape = z.discriminatedUnion('type', [text, choice, command]);

/** Reads `inputs` of an `mcp.json`. One that is malformed is left out: the variable that names it is then unresolved. */
export function readInputs(value: JsonValue | undefined): readonly DefinitionInput[] {
  return Array.isArray(value) ? value.flatMap((each: JsonValue) => readInput(each)) : [];
}

/** Those that the definition names, in the order of the list. */
export function inputsIn(
  transport: StdioDefinition | HttpDefinition,
  inputs: readonly DefinitionInput[],
): readonly DefinitionInput[] {
  const named = new Set(variablesIn(transport));
  return inputs.filter(({ id }) => named.has(`input:${id}`));
}

/** The insides of every `${…}` of a definition, each once, in the order of its members. */
export function variablesIn(transport: StdioDefinition | HttpDefinition): readonly string[] {
  const { type: _, ...members } = transport;
  const found = Object.values(members)
    .flatMap((member) => (typeof member === 'string' ? [member] : Object.values<string>(member)))
    .flatMap((value) => [...value.matchAll(/\$\{([^{}]*)\}/g)].map((match) => match[1] ?? ''));
  return [...new Set(found)];
}

function readInput(value: JsonValue): DefinitionInput[] {
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    return [];
  }
  const input = parsed.data;
  switch (input.type) {
    case 'promptString':
      return [
        {
          type: input.type,
          id: input.id,
          description: input.description ?? input.id,
          password: input.password === true,
          ...(input.default === undefined ? {} : { default: input.default }),
        },
      ];
    case 'pickString':
      return [
        {
          type: input.type,
          id: input.id,
          description: input.description ?? input.id,
          options: input.options.map((option) =>
            typeof option === 'string' ? { label: option, value: option } : option,
          ),
          ...(input.default === undefined ? {} : { default: input.default }),
        },
      ];
    case 'command':
      return [
        {
          type: input.type,
          id: input.id,
          command: input.command,
          ...(input.args === undefined ? {} : { args: input.args as JsonValue }),
        },
      ];
  }
}
