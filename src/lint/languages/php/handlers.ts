import type { ClassIndex, Found, ModuleIndex } from '../../flow/moduleIndex.ts';
import type { Program } from '../../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../../ir.ts';
import type { HandlerKind, Registration, SdkFamily } from '../../model.ts';
import { calledName, type Discovered, Discovery } from '../discovery.ts';
import { constantText } from '../lowering.ts';
import { declaredAt, declaredBy, hintsAmong } from '../shared/registration.ts';

const ATTRIBUTES: Readonly<Record<string, HandlerKind>> = {
  McpTool: 'tool',
  McpPrompt: 'prompt',
  McpResource: 'resource',
  McpResourceTemplate: 'resource',
};
/** Laravel's attributes of a tool's class. */
const HINTS = new Set(['IsReadOnly', 'IsDestructive', 'IsIdempotent', 'IsOpenWorld']);
const CARRIES_RESULT = /\bCallToolResult\b|\bContent\b|\bTextContent\b|\bResponse\b/;

/** Finds what a PHP file registers with an MCP server: by attributes, as classes of Laravel, and by calls. */
export function discoverPhp(program: Program): readonly Discovered[] {
  const index = program.main;
  const discovery = new Discovery(program);
  const sdk = sdkOfFile(index);
  for (const { value: ir } of index.functions) {
    for (const attribute of ir.decorators) {
      const kind = attribute.kind === 'call' ? ATTRIBUTES[calledName(attribute) ?? ''] : undefined;
      if (attribute.kind === 'call' && kind !== undefined) {
        const registration = kind === 'tool' ? declaredBy(attribute, isAnnotations) : undefined;
        add(discovery, ir, kind, nameIn(attribute) ?? ir.name, sdk, registration);
      }
    }
  }
  for (const found of index.classes.values()) {
    laravelTool(found, index, discovery);
  }
  for (const found of index.calls) {
    registered(found, index, discovery, sdk);
  }
  return discovery.handlers;
}

/** Anything but a result of the SDK, or blocks that go into one. */
export const declaresPlainPhp = ({ returnType }: FunctionIr): boolean =>
  returnType !== undefined && !CARRIES_RESULT.test(returnType);

const isAnnotations = (key: string) => key === 'annotations';

function add(
  discovery: Discovery,
  ir: FunctionIr,
  kind: HandlerKind,
  name: string | undefined,
  sdk: SdkFamily,
  registration?: Registration,
): void {
  const givesPlainValues = !CARRIES_RESULT.test(ir.returnType ?? '');
  discovery.add(ir, kind, name, sdk, 'registered', { givesPlainValues, registration });
}

function laravelTool(found: ClassIndex, index: ModuleIndex, discovery: Discovery): void {
  const { ir, methods, fields } = found;
  const handle = methods.get('handle');
  const isTool = ir.bases.some((base) => isToolBase(base, handle, index));
  const named = fields.get('name');
  if (isTool && handle !== undefined) {
    const name = (named === undefined ? undefined : constantText(named)) ?? ir.name;
    discovery.add(handle, 'tool', name, 'php-laravel', 'registered', {
      registration: laravelRegistration(found, index),
    });
  }
}

/** A class of the project's own between may have the attributes. */
function laravelRegistration({ ir, methods }: ClassIndex, index: ModuleIndex): Registration | undefined {
  const given = (ir.decorators ?? []).some((it) => it.kind === 'call' && HINTS.has(calledName(it) ?? ''));
  const isDirect = ir.bases.every((base) => /^Laravel\\Mcp\\Server\b/.test(index.imports.get(base)?.module ?? ''));
  return ir.nameSpan === undefined
    ? undefined
    : declaredAt(ir.nameSpan, given || methods.has('annotations') ? 'given' : isDirect ? 'missing' : 'unknown');
}

/** Laravel's own class, or one of the project's between, told by what its tools give back. */
function isToolBase(base: string, handle: FunctionIr | undefined, index: ModuleIndex): boolean {
  const from = (name: string) => index.imports.get(name)?.module ?? '';
  const answers = /\b(?:Response|ResponseFactory)\b/.exec(handle?.returnType ?? '')?.[0];
  return (
    /Tool$/.test(base) &&
    (/^Laravel\\Mcp\\Server\b/.test(from(base)) || (answers !== undefined && /^Laravel\\Mcp\b/.test(from(answers))))
  );
}

/** `->withTool([Tools::class, 'open'])`, `->addTool(fn () => …)`. */
function registered(
  { value: call, scope }: Found<Call>,
  index: ModuleIndex,
  discovery: Discovery,
  sdk: SdkFamily,
): void {
  const name = calledName(call);
  const handler = call.named.find(({ key }) => key === 'handler')?.value ?? call.args[0];
  if (call.callee.kind !== 'member' || (name !== 'withTool' && name !== 'addTool') || handler === undefined) {
    return;
  }
  const given = call.named.find(({ key }) => key === 'name')?.value ?? call.args[1];
  const tool = given === undefined ? undefined : constantText(given);
  const method = methodIn(handler, index);
  const found = method === undefined ? discovery.functionsOf(handler, scope).map(({ ir }) => ir) : [method];
  for (const ir of found) {
    add(discovery, ir, 'tool', tool ?? ir.name, sdk, declaredByCall(call));
  }
}

/** `->addTool($run, name: 'x', annotations: …)`; a third argument by its place may be them. */
const declaredByCall = (call: Call): Registration | undefined =>
  call.args.length > 2 ? undefined : declaredAt(call.args[1] ?? call.callee, hintsAmong(call.named, isAnnotations));

/** `[Tools::class, 'open']`, `[$this, 'open']`. */
function methodIn(handler: Expression, index: ModuleIndex): FunctionIr | undefined {
  const [owner, method] = handler.kind === 'list' ? handler.items : [];
  const name = method === undefined ? undefined : constantText(method);
  const named = owner?.kind === 'member' && owner.object.kind === 'name' ? owner.object.name : undefined;
  if (name === undefined) {
    return undefined;
  }
  const classes = named === undefined ? [...index.classes.values()] : [index.classes.get(named)];
  return classes.map((it) => it?.methods.get(name)).find((it) => it !== undefined);
}

function nameIn(attribute: Call): string | undefined {
  const given = attribute.named.find(({ key }) => key === 'name')?.value ?? attribute.args[0];
  return given === undefined ? undefined : constantText(given);
}

function sdkOfFile(index: ModuleIndex): SdkFamily {
  const modules = [...index.imports.values()].map(({ module }) => module);
  if (modules.some((module) => module.startsWith('PhpMcp\\'))) {
    return 'php-mcp';
  }
  return modules.some((module) => module.startsWith('Mcp\\')) ? 'php-official' : 'unknown';
}
