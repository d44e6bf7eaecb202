import type { Program } from '../../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { HandlerKind, Registration } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { declaredAt, declaredBy, hintsAmong } from '../shared/registration.ts';

const ATTRIBUTES: Readonly<Record<string, HandlerKind>> = {
  McpServerTool: 'tool',
  McpToolTrigger: 'tool',
  McpServerPrompt: 'prompt',
  McpServerResource: 'resource',
};
const HINTS = new Set(['ReadOnly', 'Destructive', 'Idempotent', 'OpenWorld']);
/** Results that have room for the flag, or blocks that go into one. */
const CARRIES_RESULT = /\bCallToolRe(?:sult|sponse)\b|\bContentBlock\b|\bAIContent\b/;

/** Finds what a C# file registers with an MCP server: by attributes, and by handlers that are set. */
export function discoverCSharp(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  for (const { value: ir } of index.functions) {
    const attribute = ir.decorators.find((it) => it.kind === 'call' && ATTRIBUTES[calledName(it) ?? ''] !== undefined);
    const kind = attribute?.kind === 'call' ? ATTRIBUTES[calledName(attribute) ?? ''] : undefined;
    if (attribute?.kind === 'call' && kind !== undefined) {
      // A trigger has no room for hints.
      const registration =
        calledName(attribute) === 'McpServerTool' ? declaredBy(attribute, (key) => HINTS.has(key)) : undefined;
      const givesPlainValues = isPlain(ir);
      discovery.add(ir, kind, nameIn(attribute) ?? ir.name, 'csharp', 'registered', { givesPlainValues, registration });
    }
  }
  for (const { value: call, scope } of index.calls) {
    const name = calledName(call);
    const [first] = call.args;
    const isCreate =
      name === 'Create' && call.callee.kind === 'member' && lastName(call.callee.object) === 'McpServerTool';
    const set = call.named.find(({ key }) => key === 'CallToolHandler')?.value;
    const handler = isCreate || name === 'WithCallToolHandler' ? first : set;
    for (const { ir } of handler === undefined ? [] : discovery.functionsOf(handler, scope)) {
      discovery.add(ir, 'tool', isCreate ? createdName(call) : undefined, 'csharp', 'registered', {
        givesPlainValues: isCreate && !CARRIES_RESULT.test(ir.returnType ?? ''),
        registration: isCreate ? createdAt(call) : undefined,
      });
    }
  }
  for (const { value: ir } of index.functions) {
    if (!discovery.has(ir) && /\bCallToolRe(?:sult|sponse)\b/.test(ir.returnType ?? '') && ir.parameters.length > 0) {
      discovery.add(ir, 'tool', ir.name, 'csharp', 'shaped');
    }
  }
  return discovery.handlers;
}

const isPlain = ({ returnType }: FunctionIr) => returnType !== undefined && !CARRIES_RESULT.test(returnType);

/** Anything but a result of the SDK, or blocks that go into one. */
export const declaresPlainCSharp = isPlain;

const lastName = (expression: Expression) =>
  expression.kind === 'name' || expression.kind === 'member' ? expression.name : undefined;

/** `[McpServerTool(Name = "x")]`, `[McpToolTrigger("x", …)]`. */
function nameIn(attribute: Call): string | undefined {
  const given = attribute.named.find(({ key }) => key === 'Name')?.value ?? attribute.args[0];
  return given === undefined ? undefined : constantText(given);
}

/** `McpServerTool.Create(run, new() { ReadOnly = true })`. */
function createdAt({ callee, args }: Call): Registration | undefined {
  const options = args[1];
  return options === undefined
    ? declaredAt(callee, 'missing')
    : options.kind === 'call'
      ? declaredAt(
          callee,
          hintsAmong(options.named, (key) => HINTS.has(key)),
        )
      : undefined;
}

function createdName({ args }: Call): string | undefined {
  const options = args[1];
  const given = options?.kind === 'call' ? options.named.find(({ key }) => key === 'Name')?.value : undefined;
  return given === undefined ? undefined : constantText(given);
}
