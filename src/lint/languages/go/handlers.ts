import type { Found, ModuleIndex, Scope } from '../../flow/moduleIndex.ts';
import { type Program, soleAssign } from '../../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { Registration, SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { declaredAt, hintsAmong } from '../shared/registration.ts';

/** `AddTool`, and what servers wrap around it: `MustTool`, `RegisterTool`, `ConvertTool`. */
const REGISTERS = /^(?:Must|Add|Register|Convert|Make|New)\w*Tool$/;
const DECLARES = /^NewTool(?:WithRawSchema)?$/;

/** Finds what a Go file registers with an MCP server: by calls, and by signatures that only tool handlers have. */
export function discoverGo(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  const sdk = sdkOfFile(index);
  const declared = declaredIn(index);
  for (const found of index.calls) {
    registered(found, discovery, sdk);
  }
  for (const found of index.functions) {
    const { value: ir } = found;
    if (discovery.has(ir)) {
      continue;
    }
    if (takesCall(ir) && answers(ir)) {
      discovery.add(ir, 'tool', nameBeside(found, declared), familyOf(ir, sdk));
    } else if (isShaped(ir)) {
      discovery.add(ir, 'tool', ir.name, familyOf(ir, sdk), 'shaped');
    }
  }
  return discovery.handlers;
}

function registered({ value: call, scope }: Found<Call>, discovery: Discovery, sdk: SdkFamily): void {
  const name = calledName(call);
  if (name === undefined || !REGISTERS.test(name) || DECLARES.test(name)) {
    return;
  }
  const tool = call.args.map((argument) => toolName(argument, scope)).find((it) => it !== undefined);
  const registration = call.args.map((argument) => registrationOf(argument, scope)).find((it) => it !== undefined);
  // The handler comes last, before options.
  for (const argument of call.args.toReversed()) {
    const refs =
      argument.kind === 'text' ? [] : discovery.functionsOf(argument, scope).filter(({ ir }) => givesBack(ir));
    for (const { ir } of refs) {
      // What a wrapper of the server's own makes of an error is not known here.
      const isOwn = name === 'AddTool' || takesCall(ir);
      const family = isOwn ? familyOf(ir, lowLevelOf(call, sdk)) : 'unknown';
      discovery.add(ir, 'tool', tool ?? ir.name, family, 'registered', { registration });
    }
    if (refs.length > 0) {
      return;
    }
  }
}

/** In the official SDK the method takes handlers without types, the function those with. */
function lowLevelOf(call: Call, sdk: SdkFamily): SdkFamily {
  const isMethod = call.callee.kind === 'member' && call.callee.name === 'AddTool' && call.args.length === 2;
  return sdk === 'go-official' && isMethod ? 'go-official-lowlevel' : sdk;
}

/** A name given as text, by `NewTool`, or in a literal of `Tool`. */
function toolName(expression: Expression, scope: Scope): string | undefined {
  const value = expression.kind === 'name' ? (soleAssign(scope, expression.name) ?? expression) : expression;
  if (value.kind === 'text') {
    return constantText(value);
  }
  if (value.kind !== 'call') {
    return undefined;
  }
  const [first] = value.args;
  const given = value.isNew ? value.named.find(({ key }) => key === 'Name')?.value : first;
  const constant = given?.kind === 'name' ? soleAssign(scope, given.name) : given;
  return constant === undefined || (!value.isNew && !DECLARES.test(calledName(value) ?? ''))
    ? undefined
    : constantText(constant);
}

/** `NewTool("x", WithReadOnlyHintAnnotation(true))`, `&Tool{Name: "x", Annotations: …}`. */
function registrationOf(expression: Expression, scope: Scope): Registration | undefined {
  const value = expression.kind === 'name' ? soleAssign(scope, expression.name) : expression;
  if (value?.kind !== 'call') {
    return undefined;
  }
  if (value.isNew) {
    const name = value.named.find(({ key }) => key === 'Name')?.value;
    return name === undefined
      ? undefined
      : declaredAt(
          name,
          hintsAmong(value.named, (key) => key === 'Annotations'),
        );
  }
  const [name, ...options] = value.args;
  if (name === undefined || !DECLARES.test(calledName(value) ?? '')) {
    return undefined;
  }
  const given = options.map((option) => (option.kind === 'call' ? (calledName(option) ?? '') : ''));
  const hints = given.some((it) => /Hint|ToolAnnotation/.test(it))
    ? 'given'
    : given.every((it) => it.startsWith('With'))
      ? 'missing'
      : 'unknown';
  return declaredAt(name, hints);
}

/** The names of the tools that each function declares. */
function declaredIn(index: ModuleIndex): ReadonlyMap<FunctionIr, readonly string[]> {
  const names = new Map<FunctionIr, string[]>();
  for (const { value, scope } of index.calls) {
    const name = scope.owner === undefined ? undefined : toolName(value, scope);
    if (scope.owner !== undefined && name !== undefined) {
      names.set(scope.owner, [...(names.get(scope.owner) ?? []), name]);
    }
  }
  return names;
}

/** The tool that is declared in the function around a handler, when there is one; else the name of the nearest function. */
function nameBeside(
  { value: ir, scope }: Found<FunctionIr>,
  declared: ReadonlyMap<FunctionIr, readonly string[]>,
): string | undefined {
  const around = scope.owner;
  if (ir.name !== undefined || around === undefined) {
    return ir.name;
  }
  const names = declared.get(around) ?? [];
  return names.length === 1 ? names[0] : around.name;
}

/** It gives back a result, so a handler in another file most likely calls it. `CallTool` itself is a client's. */
const isShaped = (ir: FunctionIr) =>
  !makesHandler(ir) &&
  /\bCallToolResult\b/.test(ir.returnType ?? '') &&
  ir.parameters.length > 0 &&
  !takesHandler(ir) &&
  !/^callTool/i.test(ir.name ?? '');

/** `func f() server.ToolHandlerFunc`: what it gives back runs later. */
const makesHandler = ({ returnType }: FunctionIr) => /^\(?\s*func\b|\bTool\w*Handler\w*\b/.test(returnType ?? '');

/** A tool's result and an error, or with a typed value between; another value is what a parser of arguments gives. */
const answers = (ir: FunctionIr) =>
  givesBack(ir) &&
  !makesHandler(ir) &&
  (/\bCallToolResult/.test(ir.returnType ?? '') || (ir.returnType ?? '').split(',').length === 3);

/** `CallTool` itself is a client's. */
const takesCall = ({ name, parameters }: FunctionIr) =>
  !/^callTool/i.test(name ?? '') &&
  parameters.some(({ type }) => /\bCallTool(?:Request|Params\w*)\b/.test(type ?? '') && !type?.startsWith('func'));

/** A middleware: what it gets is the handler. */
const takesHandler = ({ parameters }: FunctionIr) =>
  parameters.some(({ type }) => /^func\b|ToolHandler|MethodHandler/.test(type ?? ''));

/** A result and an error; an error alone is no answer. */
const givesBack = ({ returnType, body }: FunctionIr) =>
  body.length > 0 && /,\s*(?:\w+\s+)?error\)$/.test(returnType ?? '');

/** The typed handlers of the official SDK have three results: their errors become error results. */
function familyOf(ir: FunctionIr, sdk: SdkFamily): SdkFamily {
  if (sdk !== 'go-official' && sdk !== 'go-official-lowlevel') {
    return sdk;
  }
  const results = (ir.returnType ?? '').split(',');
  // What a wrapper of the server's own makes of another result is not known here.
  return results.length === 3
    ? 'go-official'
    : /\bCallToolResult/.test(results[0] ?? '')
      ? 'go-official-lowlevel'
      : 'unknown';
}

function sdkOfFile(index: ModuleIndex): SdkFamily {
  const modules = [...index.imports.values()].map(({ module }) => module);
  if (modules.some((module) => module.startsWith('github.com/mark3labs/mcp-go'))) {
    return 'go-mark3labs';
  }
  return modules.some((module) => module.startsWith('github.com/modelcontextprotocol/go-sdk'))
    ? 'go-official'
    : 'unknown';
}
