import { type Found, type ModuleIndex, pathOf, type Scope } from '../../flow/moduleIndex.ts';
import { lookUp, type Program } from '../../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { HandlerKind, SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery, importOf } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { registrationOf } from './registration.ts';

const DECORATORS: Readonly<Record<string, HandlerKind>> = {
  tool: 'tool',
  call_tool: 'tool',
  prompt: 'prompt',
  get_prompt: 'prompt',
  resource: 'resource',
  read_resource: 'resource',
};

/** Packages whose `@agent.tool` is not MCP's. */
const FOREIGN =
  /^(?:pydantic_ai|langchain|langgraph|autogen|agents|crewai|smolagents|llama_index|openai|google|haystack|click|typer|flask)/;

/** Finds what a Python file registers with an MCP server, by decorators and by calls (lint.md, "Finding handlers"). */
export function discoverPython(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  const fallback = sdkOfFile(index);
  for (const found of index.functions) {
    decorated(found, index, discovery, program, fallback);
  }
  byOwnDecorators(index, discovery, fallback);
  for (const found of index.calls) {
    registered(found, index, discovery, fallback);
  }
  givenContext(index, discovery, fallback);
  for (const { value: ir, scope } of index.functions) {
    if (discovery.has(ir)) {
      continue;
    }
    if (isShapedLikeHandler(ir)) {
      discovery.add(ir, 'tool', ir.name, fallback, 'shaped');
    } else if (fallback !== 'unknown' && isWrapper(ir, scope)) {
      discovery.add(ir, 'tool', undefined, fallback, 'shaped');
    }
  }
  return discovery.handlers;
}

function decorated(
  { value: ir, scope }: Found<FunctionIr>,
  index: ModuleIndex,
  discovery: Discovery,
  program: Program,
  fallback: SdkFamily,
): void {
  for (const [position, decorator] of ir.decorators.entries()) {
    const call = decorator.kind === 'call' ? decorator : undefined;
    const callee = call?.callee ?? decorator;
    const name = callee.kind === 'member' || callee.kind === 'name' ? callee.name : undefined;
    const kind = name === undefined ? undefined : DECORATORS[name];
    if (name === undefined || kind === undefined || !isServers(callee, { value: ir, scope }, index)) {
      continue;
    }
    const isLowLevel = name === 'call_tool';
    const server = callee.kind === 'member' ? callee.object : callee;
    const sdk = sdkOf(server, { value: ir, scope }, index) ?? (isLowLevel ? 'py-lowlevel-v1' : fallback);
    const given = call === undefined ? undefined : nameIn(call);
    const registration = name === 'tool' ? registrationOf(decorator, call, ir) : undefined;
    discovery.add(ir, kind, isLowLevel ? undefined : (given ?? ir.name), sdk, 'registered', { registration });
    // Decorators below the registration wrap the handler: what they return is what the tool returns.
    for (const wrapper of ir.decorators.slice(position + 1)) {
      const made = wrapper.kind === 'call' ? wrapper.callee : wrapper;
      const wrappers = program.resolve(made, scope, index, undefined).filter((ref) => ref.module === index);
      for (const ref of wrappers) {
        for (const inner of discovery.functionsMadeBy(ref)) {
          discovery.add(inner.ir, kind, ir.name, sdk);
        }
      }
    }
    return;
  }
}

/** `@_tool()`, where the server's own `_tool` calls `mcp.tool()` with what it decorates. */
function byOwnDecorators(index: ModuleIndex, discovery: Discovery, fallback: SdkFamily): void {
  const registering = new Map<FunctionIr, SdkFamily>();
  for (const found of index.calls) {
    const { callee } = found.value;
    const isRegistering = callee.kind === 'member' && (callee.name === 'tool' || callee.name === 'add_tool');
    if (isRegistering && found.scope.owner !== undefined && isServers(callee, found, index)) {
      const sdk = sdkOf(callee.object, found, index) ?? fallback;
      for (let at: Scope | undefined = found.scope; at !== undefined; at = at.parent) {
        if (at.owner !== undefined) {
          registering.set(at.owner, sdk);
        }
      }
    }
  }
  for (const { value: ir, scope } of registering.size === 0 ? [] : index.functions) {
    for (const decorator of discovery.has(ir) ? [] : ir.decorators) {
      const callee = decorator.kind === 'call' ? decorator.callee : decorator;
      const own = callee.kind === 'name' ? lookUp(scope, (at) => at.functions.get(callee.name)) : undefined;
      const sdk = own === undefined ? undefined : registering.get(own);
      if (sdk !== undefined) {
        const given = decorator.kind === 'call' ? nameIn(decorator) : undefined;
        discovery.add(ir, 'tool', given ?? ir.name, sdk);
      }
    }
  }
}

/**
 * Functions and methods of a module that another file registers: the SDK gives its `Context` to handlers alone. One that
 * is called in this file, or gives something back that no client could read, is a helper. What stands open beside them
 * is a tool too, most likely.
 */
function givenContext(index: ModuleIndex, discovery: Discovery, fallback: SdkFamily): void {
  const { name, module } = index.imports.get('Context') ?? {};
  if (
    name !== 'Context' ||
    module === undefined ||
    !/^(?:fastmcp|mcp)\b/.test(module) ||
    discovery.handlers.length > 0
  ) {
    return;
  }
  const called = new Set(index.calls.map(({ value }) => calledName(value)));
  const open = index.functions.filter(
    ({ value: ir, scope }) =>
      scope.owner === undefined &&
      ir.name?.startsWith('_') === false &&
      !called.has(ir.name) &&
      declaresPlainPython(ir),
  );
  const given = open.filter(({ value: { parameters } }) =>
    parameters.some(({ type }) => type?.match(/\w+/g)?.includes('Context') === true),
  );
  for (const { value: ir } of given) {
    discovery.add(ir, 'tool', ir.name, fallback);
  }
  for (const { value: ir } of given.some(({ value: { owner } }) => owner === undefined) ? open : []) {
    if (ir.owner === undefined && ir.decorators.length === 0) {
      discovery.add(ir, 'tool', ir.name, fallback, 'shaped');
    }
  }
}

function registered(found: Found<Call>, index: ModuleIndex, discovery: Discovery, fallback: SdkFamily): void {
  const { value: call, scope } = found;
  const { callee } = call;
  const name = calledName(call);
  const first = call.args[0];
  const sdkAt = (server: Expression) => sdkOf(server, found, index) ?? fallback;
  // mcp.tool(...)(fn)
  if (
    callee.kind === 'call' &&
    callee.callee.kind === 'member' &&
    callee.callee.name === 'tool' &&
    first !== undefined
  ) {
    const [ref] = discovery.functionsOf(first, scope);
    const registration = registrationOf(callee, callee, ref?.ir);
    discovery.addExpression(first, scope, 'tool', nameIn(callee), sdkAt(callee.callee.object), registration);
    return;
  }
  if (callee.kind === 'member' && first !== undefined && (name === 'add_tool' || name === 'tool')) {
    const inner = first.kind === 'call' && calledName(first) === 'from_function' ? first.args[0] : first;
    if (inner !== undefined && inner.kind !== 'text') {
      const toolName = nameIn(call) ?? (first.kind === 'call' ? nameIn(first) : undefined);
      const [ref] = discovery.functionsOf(inner, scope);
      const registration = registrationOf(first, first.kind === 'call' && inner !== first ? first : call, ref?.ir);
      discovery.addExpression(inner, scope, 'tool', toolName, sdkAt(callee.object), registration);
    }
    return;
  }
  for (const { key, value } of call.named) {
    if (key === 'on_call_tool') {
      for (const { ir } of discovery.functionsOf(value, scope)) {
        discovery.add(ir, 'tool', undefined, 'py-lowlevel-v2');
      }
    } else if (key === 'tools' && value.kind === 'list' && sdkOf(call, found, index) !== undefined) {
      for (const item of value.items) {
        discovery.addExpression(item, scope, 'tool', undefined, sdkAt(call));
      }
    }
  }
}

/** `@x.tool`: any object counts unless it is known to be another library's; a bare `@tool` must come from an MCP package. */
function isServers(callee: Expression, found: Found<unknown>, index: ModuleIndex): boolean {
  if (callee.kind === 'name') {
    return /^(?:fastmcp|mcp)\b/.test(index.imports.get(callee.name)?.module ?? '');
  }
  if (callee.kind !== 'member') {
    return false;
  }
  const origin = importOf(callee.object, found, index);
  const path = pathOf(callee.object);
  return !(origin !== undefined && FOREIGN.test(origin.module)) && path !== 'agent';
}

/** The name that a registration gives: `name="…"`, or a first argument that is a text. */
function nameIn(call: Call): string | undefined {
  const named =
    call.named.find(({ key }) => key === 'name')?.value ?? call.args.find((argument) => argument.kind === 'text');
  return named === undefined ? undefined : constantText(named);
}

function sdkOf(server: Expression, found: Found<unknown>, index: ModuleIndex): SdkFamily | undefined {
  const origin = importOf(server, found, index) ?? typeOf(server, found.scope, index);
  return origin === undefined ? undefined : family(origin.module, origin.name, index);
}

/** The declared type of a parameter: `def register(mcp: FastMCP)`. */
function typeOf(server: Expression, scope: Scope, index: ModuleIndex) {
  if (server.kind !== 'name') {
    return undefined;
  }
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const type = at.owner?.parameters.find(({ name }) => name === server.name)?.type;
    if (type !== undefined) {
      return index.imports.get(type.replace(/["'\s]|\[.*/g, '').split('.')[0] ?? '');
    }
  }
  return undefined;
}

function family(module: string, name: string, index: ModuleIndex): SdkFamily | undefined {
  if (module === 'fastmcp' || module.startsWith('fastmcp.')) {
    return 'py-fastmcp-standalone';
  }
  if (module !== 'mcp' && !module.startsWith('mcp.')) {
    return undefined;
  }
  if (module.startsWith('mcp.server.fastmcp') || name === 'FastMCP') {
    return 'py-fastmcp-v1';
  }
  if (module.startsWith('mcp.server.mcpserver') || name === 'MCPServer') {
    return 'py-mcpserver-v2';
  }
  if (name === 'Server') {
    const isV2 = index.calls.some(({ value }) => value.named.some(({ key }) => key === 'on_call_tool'));
    return isV2 ? 'py-lowlevel-v2' : 'py-lowlevel-v1';
  }
  return undefined;
}

/** The SDK that a file's imports tell, for servers that come from elsewhere. */
function sdkOfFile(index: ModuleIndex): SdkFamily {
  for (const { module, name } of index.imports.values()) {
    const sdk = family(module, name, index);
    if (sdk !== undefined) {
      return sdk;
    }
  }
  return [...index.imports.values()].some(({ module }) => module === 'mcp.types') ? 'py-lowlevel-v1' : 'unknown';
}

const RETURNS_CONTENT = /^(?:list|List|Sequence|Iterable)\[.*Content\b|CallToolResult|\bToolResult/;

const PLAIN =
  /^(?:Awaitable\[)?(?:Optional\[|Union\[)?(?:str|bytes|int|float|bool|None|dict|Dict|list|List|tuple|Tuple|set|Sequence|Iterable|Mapping)\b/;

/** Text, data or content blocks; a type of the server's own may be anything. */
export const declaresPlainPython = ({ returnType }: FunctionIr): boolean =>
  returnType !== undefined && PLAIN.test(returnType.replace(/["']/g, '')) && !/ToolResult|\bAny$/.test(returnType);

/** A function that returns content blocks, or takes a call's arguments, is called by a tool handler in another file, most likely. */
function isShapedLikeHandler({ name, parameters, returnType }: FunctionIr): boolean {
  return returnType === undefined || parameters.length === 0
    ? false
    : RETURNS_CONTENT.test(returnType) ||
        (/^_*handle_|_handler$/.test(name ?? '') && parameters.some((it) => it.name === 'arguments'));
}

/** What a decorator of this file puts around the tools of other files: `@wraps(func)`, where `func` is what it decorates. */
function isWrapper({ decorators }: FunctionIr, { owner }: Scope): boolean {
  return decorators.some((decorator) => {
    const wrapped = decorator.kind === 'call' && calledName(decorator) === 'wraps' ? decorator.args[0] : undefined;
    return wrapped?.kind === 'name' && owner?.parameters.some(({ name }) => name === wrapped.name) === true;
  });
}
