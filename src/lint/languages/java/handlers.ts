import type { Found, ModuleIndex, Scope } from '../../flow/moduleIndex.ts';
import { type Program, soleAssign } from '../../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { HandlerKind, Registration, SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { declaredAt, declaredBy } from '../shared/registration.ts';
import { chainOf } from './chain.ts';

const ANNOTATIONS: Readonly<Record<string, HandlerKind>> = {
  Tool: 'tool',
  McpTool: 'tool',
  ToolMapping: 'tool',
  Prompt: 'prompt',
  McpPrompt: 'prompt',
  Resource: 'resource',
  McpResource: 'resource',
};
/** Packages whose `@Tool` is not MCP's. */
const FOREIGN = /^(?:dev\.langchain4j|com\.google\.adk|jakarta|javax)\b/;
const SPECIFICATION = /^(?:Sync|Async)(?:Stateless)?ToolSpecification$/;
const CARRIES_RESULT = /\bCallToolResult\b|\bToolResponse\b|\bContent\b|\bTextContent\b/;

/** Finds what a Java file registers with an MCP server: by annotations, and by handlers in specifications. */
export function discoverJava(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  const sdk = sdkOfFile(index);
  for (const { value: ir } of index.functions) {
    annotated(ir, index, discovery, sdk === 'java-sdk' || sdk === 'unknown' ? 'java-spring' : sdk);
  }
  for (const found of index.calls) {
    registered(found, discovery);
  }
  for (const { value: ir } of index.functions) {
    const isResult = /\bCallToolResult\b/.test(ir.returnType ?? '') && ir.parameters.length > 0;
    // `callTool` itself is a client's.
    if (!discovery.has(ir) && isResult && ir.name !== 'callTool') {
      discovery.add(ir, 'tool', ir.name, 'java-sdk', 'shaped');
    }
  }
  return discovery.handlers;
}

/** Anything but a result of the SDK, or blocks that go into one. */
export const declaresPlainJava = ({ returnType }: FunctionIr): boolean =>
  returnType !== undefined && !CARRIES_RESULT.test(returnType);

function annotated(ir: FunctionIr, index: ModuleIndex, discovery: Discovery, sdk: SdkFamily): void {
  for (const annotation of ir.decorators) {
    const name = annotation.kind === 'call' ? (calledName(annotation) ?? '') : '';
    const kind = ANNOTATIONS[name];
    if (annotation.kind !== 'call' || kind === undefined || FOREIGN.test(index.imports.get(name)?.module ?? '')) {
      continue;
    }
    const given = annotation.named.find(({ key }) => key === 'name')?.value;
    const givesPlainValues = !CARRIES_RESULT.test(ir.returnType ?? '');
    const tool = (given === undefined ? undefined : constantText(given)) ?? ir.name;
    // Spring's own `@Tool` is not MCP's alone and has no room for hints.
    const hasHints = name === 'McpTool' || (name === 'Tool' && sdk === 'java-quarkus');
    const registration = hasHints ? declaredBy(annotation, (key) => key === 'annotations') : undefined;
    discovery.add(ir, kind, tool, sdk, 'registered', { givesPlainValues, registration });
    return;
  }
}

function registered({ value: call, scope }: Found<Call>, discovery: Discovery): void {
  const name = calledName(call) ?? '';
  const isSpecification = call.isNew && SPECIFICATION.test(name);
  const isMethod = !call.isNew && ((name === 'tool' && call.args.length === 2) || name === 'callHandler');
  if (!isSpecification && !isMethod) {
    return;
  }
  const handler = call.args.at(-1);
  const tool = call.args.length > 1 ? call.args[0] : chainOf(call).calls.find((it) => it.name === 'tool')?.args[0];
  for (const { ir } of handler === undefined ? [] : discovery.functionsOf(handler, scope)) {
    discovery.add(ir, 'tool', toolName(tool, scope) ?? ir.name, 'java-sdk', 'registered', {
      givesPlainValues: false,
      registration: registrationOf(tool, scope),
    });
  }
}

/** `new Tool("x", …)`, `Tool.builder().name("x")…`, or a variable that holds one. */
function toolName(tool: Expression | undefined, scope: Scope): string | undefined {
  const value = tool?.kind === 'name' ? soleAssign(scope, tool.name) : tool;
  if (value?.kind !== 'call') {
    return undefined;
  }
  const { calls } = chainOf(value);
  const given = value.isNew
    ? value.args[0]
    : (calls.find(({ name }) => name === 'name') ?? calls.find(({ name }) => name === 'builder'))?.args[0];
  return given === undefined ? undefined : constantText(given);
}

/** `Tool.builder().name("x").annotations(…).build()`; the constructor has no room for hints in most releases. */
function registrationOf(tool: Expression | undefined, scope: Scope): Registration | undefined {
  const value = tool?.kind === 'name' ? soleAssign(scope, tool.name) : tool;
  const { root, calls } = value?.kind === 'call' && !value.isNew ? chainOf(value) : { root: undefined, calls: [] };
  const name = calls.find((it) => it.name === 'name')?.args[0];
  return root !== 'Tool' || name === undefined
    ? undefined
    : declaredAt(name, calls.some((it) => it.name === 'annotations') ? 'given' : 'missing');
}

function sdkOfFile(index: ModuleIndex): SdkFamily {
  const modules = [...index.imports.values()].map(({ module }) => module);
  if (modules.some((module) => module.startsWith('io.quarkiverse.mcp'))) {
    return 'java-quarkus';
  }
  if (modules.some((module) => /^org\.spring(?:framework\.ai|aicommunity)\b/.test(module))) {
    return 'java-spring';
  }
  return modules.some((module) => module.startsWith('io.modelcontextprotocol')) ? 'java-sdk' : 'unknown';
}
