import {
  type ClassIndex,
  type Found,
  type ModuleIndex,
  type ObjectIr,
  pathOf,
  type Scope,
} from '../../flow/moduleIndex.ts';
import { type Program, soleAssign } from '../../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { HandlerKind, SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery, importOf } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { registrationOfCall, registrationOfObject } from './registration.ts';

const RUNS = new Set([
  'handler',
  'execute',
  'cb',
  'callback',
  'run',
  'handle',
  'call',
  'func',
  'fn',
  'invoke',
  'implementation',
]);
const SCHEMAS = new Set([
  'inputSchema',
  'schema',
  'parameters',
  'input_schema',
  'paramsSchema',
  'args',
  'argsSchema',
  'input',
  'inputs',
]);
const REGISTERS = /^(?:(?:register|add|create|define|make|build|server)\w*)?[tT]ool$/;
const OTHER_KINDS: Readonly<Record<string, HandlerKind>> = {
  prompt: 'prompt',
  registerPrompt: 'prompt',
  addPrompt: 'prompt',
  resource: 'resource',
  registerResource: 'resource',
  addResource: 'resource',
};

/** Finds what a file of TypeScript or JavaScript registers with an MCP server (lint.md, "Finding handlers"). */
export function discoverTypeScript(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  const fallback = sdkOfFile(index);
  for (const found of index.calls) {
    registered(found, index, discovery, fallback);
  }
  for (const { value, scope } of index.objects) {
    toolObject(value, scope, undefined, discovery, fallback);
    for (const { key, value: entry } of value.entries) {
      if (key !== undefined && entry.kind === 'object' && isNamedByKey(entry)) {
        toolObject(entry, scope, fallback, discovery, fallback, key);
      }
    }
  }
  for (const found of index.classes.values()) {
    toolClass(found, discovery, fallback);
  }
  for (const { value: ir } of index.functions) {
    if (ir.isDefaultExport && fallback === 'ts-xmcp') {
      discovery.add(ir, 'tool', ir.name, fallback);
    }
    if (ir.decorators.some((decorator) => decorator.kind === 'call' && calledName(decorator) === 'Tool')) {
      discovery.add(ir, 'tool', ir.name, fallback);
    }
  }
  const definitions = index.objects.flatMap(({ value }) => definedName(value) ?? []);
  if (definitions.length > 0) {
    toolTables(index, new Set(definitions), discovery, fallback);
  }
  for (const { value, scope } of index.objects) {
    if (scope.owner !== undefined && isTextResult(value) && !discovery.has(scope.owner)) {
      // Beside a definition of a tool, what gives back results is what runs it.
      const isDefined = definitions.length > 0 && scope.owner.isExported;
      const name = isDefined && definitions.length === 1 ? definitions[0] : nearestName(scope);
      discovery.add(scope.owner, 'tool', name, fallback, isDefined ? 'registered' : 'declared');
    }
  }
  for (const { value: ir } of index.functions) {
    if (isDeclared(ir)) {
      discovery.add(ir, 'tool', ir.name, fallback, 'declared');
    }
  }
  return discovery.handlers;
}

function registered(found: Found<Call>, index: ModuleIndex, discovery: Discovery, fallback: SdkFamily): void {
  const { value: call, scope } = found;
  const name = calledName(call);
  if (name === undefined || call.args.length === 0) {
    return;
  }
  const other = Object.hasOwn(OTHER_KINDS, name) ? OTHER_KINDS[name] : undefined;
  // Following a server to where it comes from is dear, and most calls are none of these.
  if (name !== 'setRequestHandler' && other === undefined && !REGISTERS.test(name)) {
    return;
  }
  const server = call.callee.kind === 'member' ? call.callee.object : call.args[0];
  const sdk = (server === undefined ? undefined : sdkOf(server, found, index)) ?? fallback;
  const handler = call.args.at(-1);
  const first = call.args[0];
  if (name === 'setRequestHandler') {
    const kind =
      first === undefined ? undefined : isCallTool(first) ? 'tool' : isReadResource(first) ? 'resource' : undefined;
    if (kind !== undefined && handler !== undefined) {
      for (const ref of discovery.functionsOf(handler, scope)) {
        discovery.add(ref.ir, kind, undefined, lowLevel(sdk));
      }
    }
    return;
  }
  if (other !== undefined && handler !== undefined && call.callee.kind === 'member') {
    discovery.addExpression(handler, scope, other, undefined, sdk);
    return;
  }
  if (!REGISTERS.test(name) || first === undefined || handler === undefined) {
    return;
  }
  if (call.args.length === 1) {
    const object = first.kind === 'name' ? soleAssign(scope, first.name) : first;
    if (object?.kind === 'object') {
      toolObject(object, scope, sdk, discovery, fallback);
    }
    return;
  }
  const named =
    first.kind === 'object'
      ? entryText(first, 'name')
      : call.args
          .slice(0, 2)
          .map(constantText)
          .find((it) => it !== undefined);
  // `server.tool` may take a name that is computed; a bare function must show one.
  if (call.callee.kind === 'member' || named !== undefined || /[tT]ool$/.test(name)) {
    const registration = call.callee.kind === 'member' ? registrationOfCall(call, scope) : undefined;
    discovery.addExpression(handler, scope, 'tool', named, sdk, registration);
  }
}

/** An object with a name, an input schema and a function that runs it. */
function toolObject(
  object: ObjectIr,
  scope: Scope,
  sdk: SdkFamily | undefined,
  discovery: Discovery,
  fallback: SdkFamily,
  ownKey?: string,
): void {
  if (sdk === undefined && !isToolLike(object)) {
    return;
  }
  for (const { key, value } of object.entries) {
    if (key !== undefined && RUNS.has(key)) {
      for (const { ir } of discovery.functionsOf(value, scope)) {
        const name = object.entries.find((entry) => entry.key === 'name')?.value;
        const registration =
          sdk === undefined || name === undefined ? undefined : registrationOfObject(object, name, scope);
        const text = entryText(object, 'name') ?? entryText(object, 'id') ?? ownKey;
        discovery.add(ir, 'tool', text, sdk ?? fallback, 'registered', { registration });
      }
    }
  }
}

/** Handlers under the names that definitions beside them give: `{ get_user: … }`, `handlers.set('get_user', …)`. */
function toolTables(index: ModuleIndex, defined: ReadonlySet<string>, discovery: Discovery, fallback: SdkFamily): void {
  const add = (name: string | undefined, handler: Expression | undefined, scope: Scope) => {
    if (name !== undefined && handler !== undefined && defined.has(name)) {
      discovery.addExpression(handler, scope, 'tool', name, fallback);
    }
  };
  for (const { value, scope } of index.objects) {
    for (const { key, value: handler } of value.entries) {
      add(key, handler, scope);
    }
  }
  for (const { value: call, scope } of index.calls) {
    const [first, second] = call.args;
    const called = calledName(call);
    if (called === 'set' && first !== undefined) {
      add(constantText(first), second, scope);
    } else if (called === 'Map' && call.isNew && first?.kind === 'list') {
      for (const pair of first.items) {
        const [key, handler] = pair.kind === 'list' ? pair.items : [];
        add(key === undefined ? undefined : constantText(key), handler, scope);
      }
    }
  }
}

function isToolLike({ entries }: ObjectIr): boolean {
  return (
    entries.some(({ key }) => key === 'name' || key === 'id') &&
    entries.some(({ key }) => key !== undefined && SCHEMAS.has(key))
  );
}

/** `get_user: { description, schema, handler }`: the key is its name. */
const isNamedByKey = ({ entries }: ObjectIr) =>
  entries.some(({ key }) => key === 'description') &&
  entries.some(({ key }) => key !== undefined && SCHEMAS.has(key)) &&
  !entries.some(({ key }) => key === 'name');

/** A class of a tool framework: it extends one, or has a name and a schema as fields. */
function toolClass({ ir, methods, fields }: ClassIndex, discovery: Discovery, fallback: SdkFamily): void {
  const isFramework =
    ir.bases.some((base) => /Tool\b/.test(base)) ||
    (fields.has('name') && [...fields.keys()].some((key) => SCHEMAS.has(key)));
  if (!isFramework) {
    return;
  }
  const name = fields.get('name');
  for (const [method, value] of methods) {
    if (RUNS.has(method)) {
      discovery.add(value, 'tool', name === undefined ? ir.name : constantText(name), fallback);
    }
  }
}

const isCallTool = (schema: Expression) =>
  constantText(schema) === 'tools/call' || (pathOf(schema) ?? '').endsWith('CallToolRequestSchema');

const isReadResource = (schema: Expression) =>
  constantText(schema) === 'resources/read' || (pathOf(schema) ?? '').endsWith('ReadResourceRequestSchema');

const entryText = (object: ObjectIr, key: string) => {
  const value = object.entries.find((entry) => entry.key === key)?.value;
  return value === undefined ? undefined : constantText(value);
};

/** `Promise<CallToolResult>`, under the SDK's names or the server's own. */
const RESULT_TYPE = /\b(?:(?:Call|Mcp|MCP)?Tool(?:Call)?|Mcp|MCP)(?:Result|Response)\b/;

/** Whoever calls a function that gives back `{ error: ToolResult } | { user: User }` makes the result, not the function. */
const isDeclared = ({ returnType }: FunctionIr) =>
  returnType !== undefined && RESULT_TYPE.test(returnType.replaceAll(/\{[^{}]*\}/g, ''));

/** `{ name: 'x', description: …, inputSchema: … }`. */
const definedName = (object: ObjectIr): string | undefined =>
  object.entries.some(({ key }) => key === 'inputSchema') ? entryText(object, 'name') : undefined;

/** `{content: [{type: 'text', …}]}`: only tools give that back. */
function isTextResult(object: ObjectIr): boolean {
  const content = object.entries.find(({ key }) => key === 'content')?.value;
  const block = content?.kind === 'list' ? content.items[0] : undefined;
  return (
    block?.kind === 'object' && entryText(block, 'type') === 'text' && !object.entries.some(({ key }) => key === 'role')
  );
}

function nearestName(scope: Scope): string | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.owner?.name !== undefined) {
      return at.owner.name;
    }
  }
  return undefined;
}

function sdkOf(server: Expression, found: Found<unknown>, index: ModuleIndex): SdkFamily | undefined {
  const origin = importOf(server, found, index);
  const type = origin === undefined ? typeOf(server, found.scope, index) : origin;
  return type === undefined ? undefined : family(type.module, type.name);
}

function typeOf(server: Expression, scope: Scope, index: ModuleIndex) {
  if (server.kind !== 'name') {
    return undefined;
  }
  if (server.name === 'this') {
    const owner = scope.owner?.owner;
    const base = owner === undefined ? undefined : index.classes.get(owner)?.ir.bases[0];
    return base === undefined ? undefined : index.imports.get(base);
  }
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const type = at.owner?.parameters.find(({ name }) => name === server.name)?.type;
    if (type !== undefined) {
      return index.imports.get(/^[\w$]+/.exec(type)?.[0] ?? '');
    }
  }
  return undefined;
}

const lowLevel = (sdk: SdkFamily): SdkFamily =>
  sdk === 'ts-mcpserver-v2' || sdk === 'ts-lowlevel-v2' ? 'ts-lowlevel-v2' : 'ts-lowlevel-v1';

function family(module: string, name: string): SdkFamily | undefined {
  if (module.startsWith('@modelcontextprotocol/sdk')) {
    return name === 'Server' ? 'ts-lowlevel-v1' : 'ts-mcpserver-v1';
  }
  if (module.startsWith('@modelcontextprotocol/server') || module.startsWith('@modelcontextprotocol/core')) {
    return name === 'Server' ? 'ts-lowlevel-v2' : 'ts-mcpserver-v2';
  }
  switch (module) {
    case 'fastmcp':
      return 'ts-fastmcp';
    case 'mcp-framework':
      return 'ts-mcp-framework';
    case 'xmcp':
      return 'ts-xmcp';
    default:
      return undefined;
  }
}

/** The SDK that a file's imports tell; a server class says more than types. */
function sdkOfFile(index: ModuleIndex): SdkFamily {
  const families = [...index.imports.values()].map(({ module, name }) => ({ sdk: family(module, name), name }));
  const server = families.find(({ sdk, name }) => sdk !== undefined && /Server$|^FastMCP$|^MCPTool$/.test(name));
  return server?.sdk ?? families.find(({ sdk }) => sdk !== undefined)?.sdk ?? 'unknown';
}
