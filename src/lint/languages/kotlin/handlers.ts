import type { Found, ModuleIndex, Scope } from '../../flow/moduleIndex.ts';
import { type Program, soleAssign } from '../../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { HandlerKind, Registration, SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { declaredAt, declaredBy, hintsAmong } from '../shared/registration.ts';

const ANNOTATIONS: Readonly<Record<string, HandlerKind>> = {
  Tool: 'tool',
  McpTool: 'tool',
  Prompt: 'prompt',
  McpPrompt: 'prompt',
  Resource: 'resource',
  McpResource: 'resource',
};
/** Packages whose `@Tool` is not MCP's. */
const FOREIGN = /^(?:dev\.langchain4j|com\.google\.adk|ai\.koog|jakarta|javax)\b/;
const REGISTERS: readonly (readonly [RegExp, HandlerKind])[] = [
  [/^(?:addTool|RegisteredTool)$/, 'tool'],
  [/^(?:addPrompt|RegisteredPrompt)$/, 'prompt'],
  [/^(?:addResource|addResourceTemplate|RegisteredResource|RegisteredResourceTemplate)$/, 'resource'],
];
/** A server's own ways to register a tool, or to run one: what their lambda gives is made a result there. */
const OWN_REGISTERS = /^(?:mcp|register|add|define|create|run)\w*Tool$/;
const HANDLERS = /^(?:handler|promptProvider|readHandler|messageProvider)$/;
/** How the Java SDK registers, used from Kotlin. */
const SPECIFICATION = /^(?:(?:Sync|Async)(?:Stateless)?ToolSpecification|callHandler)$/;
const CARRIES_RESULT = /\bCallToolResult\b|\bToolResponse\b|\bContent\b|\bTextContent\b/;

/** Finds what a Kotlin file registers with an MCP server: by calls that take a handler, and by annotations. */
export function discoverKotlin(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  const sdk = sdkOfFile(index);
  for (const { value: ir } of index.functions) {
    annotated(ir, index, discovery, sdk);
  }
  const plain = sdk === 'java-sdk' ? 'java-sdk' : 'kotlin-sdk';
  for (const found of index.calls) {
    registered(found, discovery, plain);
  }
  for (const { value: ir } of index.functions) {
    const isResult = /\bCallToolResult\b/.test(ir.returnType ?? '') && ir.parameters.some(isRequest);
    // `callTool` itself is a client's.
    if (!discovery.has(ir) && isResult && ir.name !== 'callTool') {
      discovery.add(ir, 'tool', ir.name, plain, 'shaped');
    }
  }
  return discovery.handlers;
}

const isRequest = ({ type }: FunctionIr['parameters'][number]) =>
  /\bCallToolRequest\b|\bJson(?:Object|Element)\b|\bMap\b/.test(type ?? '');

/** Anything but a result of an SDK, or blocks that go into one. */
export const declaresPlainKotlin = ({ returnType }: FunctionIr): boolean =>
  returnType !== undefined && !CARRIES_RESULT.test(returnType);

function annotated(ir: FunctionIr, index: ModuleIndex, discovery: Discovery, sdk: SdkFamily): void {
  for (const annotation of ir.decorators) {
    const name = annotation.kind === 'call' ? (calledName(annotation) ?? '') : '';
    const kind = ANNOTATIONS[name];
    if (annotation.kind !== 'call' || kind === undefined || isForeign(name, index)) {
      continue;
    }
    const given = annotation.named.find(({ key }) => key === 'name')?.value;
    const tool = (given === undefined ? undefined : constantText(given)) ?? ir.name;
    const family = sdk === 'java-quarkus' || sdk === 'java-spring' ? sdk : 'unknown';
    // Spring's own `@Tool` is not MCP's alone and has no room for hints.
    const hasHints = family !== 'unknown' && (name === 'McpTool' || (name === 'Tool' && sdk === 'java-quarkus'));
    const registration = hasHints ? declaredBy(annotation, (key) => key === 'annotations') : undefined;
    const givesPlainValues = !CARRIES_RESULT.test(ir.returnType ?? '');
    discovery.add(ir, kind, tool, family, 'registered', { givesPlainValues, registration });
    return;
  }
}

/** An annotation of a framework that serves no MCP, imported by name or with its package. */
function isForeign(name: string, index: ModuleIndex): boolean {
  const own = index.imports.get(name);
  return own === undefined
    ? [...index.imports.values()].some(
        (it) => it.name === '*' && FOREIGN.test(it.module) && /tool|annotation/i.test(it.module),
      )
    : FOREIGN.test(own.module);
}

function registered({ value: call, scope }: Found<Call>, discovery: Discovery, sdk: SdkFamily): void {
  const name = calledName(call) ?? '';
  const isJava = SPECIFICATION.test(name);
  const kind = isJava ? 'tool' : REGISTERS.find(([names]) => names.test(name))?.[1];
  if (kind === undefined) {
    const own = call.args.at(-1);
    if (own?.kind === 'function' && OWN_REGISTERS.test(name)) {
      discovery.add(own.value, 'tool', toolName(call.args[0], scope), 'unknown', 'registered', {
        givesPlainValues: true,
      });
    }
    return;
  }
  const handler = call.named.find(({ key }) => key !== undefined && HANDLERS.test(key))?.value ?? call.args.at(-1);
  const tool = call.named.find(({ key }) => key === 'tool' || key === 'name')?.value ?? call.args[0];
  for (const { ir } of handler === undefined || handler === tool ? [] : discovery.functionsOf(handler, scope)) {
    discovery.add(ir, kind, toolName(tool, scope) ?? ir.name, isJava ? 'java-sdk' : sdk, 'registered', {
      givesPlainValues: false,
      registration: isJava || kind !== 'tool' ? undefined : registrationOf(call, tool, scope),
    });
  }
}

/** The call of `Tool(…)` that an argument is or holds. */
function toolCall(tool: Expression | undefined, scope: Scope): Call | undefined {
  const value = tool?.kind === 'name' ? soleAssign(scope, tool.name) : tool;
  return value?.kind === 'call' && calledName(value) === 'Tool' ? value : undefined;
}

function nameGiven(tool: Expression | undefined, scope: Scope): Expression | undefined {
  const made = toolCall(tool, scope);
  const given = made === undefined ? tool : (made.named.find(({ key }) => key === 'name')?.value ?? made.args[0]);
  return given?.kind === 'name' ? soleAssign(scope, given.name) : given;
}

function toolName(tool: Expression | undefined, scope: Scope): string | undefined {
  const given = nameGiven(tool, scope);
  return given === undefined ? undefined : constantText(given);
}

/** Hints stand among the named arguments of the call or of its `Tool(…)`; by place no one can tell. */
function registrationOf(call: Call, tool: Expression | undefined, scope: Scope): Registration | undefined {
  const made = toolCall(tool, scope);
  const name = made === undefined ? tool : (made.named.find(({ key }) => key === 'name')?.value ?? made.args[0]);
  if (name === undefined || toolName(tool, scope) === undefined) {
    return undefined;
  }
  const declaring = made ?? call;
  const isByPlace = declaring.args.length > 5;
  return declaredAt(name, isByPlace ? 'unknown' : hintsAmong(declaring.named, (key) => /annotations$/i.test(key)));
}

function sdkOfFile(index: ModuleIndex): SdkFamily {
  const modules = [...index.imports.values()].map(({ module }) => module);
  const has = (pattern: RegExp) => modules.some((module) => pattern.test(module));
  if (has(/^io\.modelcontextprotocol\.kotlin\b/)) {
    return 'kotlin-sdk';
  }
  if (has(/^io\.quarkiverse\.mcp\b/)) {
    return 'java-quarkus';
  }
  if (has(/^org\.spring(?:framework\.ai|aicommunity)\b/)) {
    return 'java-spring';
  }
  return has(/^io\.modelcontextprotocol\.(?:server|spec|common)\b/) ? 'java-sdk' : 'unknown';
}
