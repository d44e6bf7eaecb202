import type { DeclaredType } from '../../facts.ts';
import type { ObjectIr, Scope } from '../../flow/moduleIndex.ts';
import { soleAssign } from '../../flow/program.ts';
import type { Call, Expression } from '../../ir.ts';
import type { DeclaredParameter, Registration } from '../../model.ts';

const HINTS = new Set(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);
const SHAPES = new Set(['inputSchema', 'parameters', 'schema', 'paramsSchema', 'argsSchema']);

/** `registerTool(name, {…}, handler)` and `tool(name, [description], [shape], [annotations], handler)`. */
export function registrationOfCall(call: Call, scope: Scope): Registration {
  const first = call.args[0];
  const span = first?.kind === 'text' ? first : call.callee;
  const options = call.args.slice(1, -1).filter(({ kind }) => kind !== 'text');
  const config = options.length === 1 && options[0] !== undefined ? objectOf(options[0], scope) : undefined;
  if (config !== undefined && isConfig(config)) {
    return registrationOfObject(config, span, scope);
  }
  const objects = options.map((option) => objectOf(option, scope));
  const hinted = objects.some((object) => object?.entries.some(({ key }) => key !== undefined && HINTS.has(key)));
  // One option that is not written out here may be the whole configuration of `registerTool`.
  const isHidden =
    objects.some((object) => object === undefined) &&
    (options.length > 1 || (call.callee.kind === 'member' && call.callee.name !== 'tool'));
  const shape = objects.find(
    (object) => object !== undefined && !object.entries.some(({ key }) => HINTS.has(key ?? '')),
  );
  return {
    span,
    annotations: hinted || options.length > 1 ? 'given' : isHidden ? 'unknown' : 'missing',
    parameters: shape === undefined ? [] : parametersOf(shape),
  };
}

/** `addTool({name, parameters, execute})`. */
export function registrationOfObject(object: ObjectIr, span: Expression, scope: Scope): Registration {
  const given = object.entries.some(({ key }) => key === 'annotations');
  const isOpen = object.spreads.length > 0 || object.entries.some(({ key }) => key === undefined);
  const schema = object.entries.find(({ key }) => key !== undefined && SHAPES.has(key))?.value;
  const shape = schema === undefined ? undefined : shapeOf(schema, scope);
  return {
    span,
    annotations: given ? 'given' : isOpen ? 'unknown' : 'missing',
    parameters: shape === undefined ? [] : parametersOf(shape),
  };
}

const isConfig = (object: ObjectIr) =>
  object.entries.some(
    ({ key, value }) =>
      (key === 'description' && value.kind === 'text') ||
      (key === 'title' && value.kind === 'text') ||
      key === 'inputSchema' ||
      key === 'annotations',
  );

function objectOf(expression: Expression, scope: Scope): ObjectIr | undefined {
  const value = expression.kind === 'name' ? soleAssign(scope, expression.name) : expression;
  return value?.kind === 'object' ? value : undefined;
}

/** The fields of a schema: a plain object of them, or `z.object({…})`. */
function shapeOf(schema: Expression, scope: Scope): ObjectIr | undefined {
  const value = schema.kind === 'name' ? soleAssign(scope, schema.name) : schema;
  if (value?.kind !== 'call') {
    return value?.kind === 'object' ? value : undefined;
  }
  const chain = chainOf(value);
  const made = chain.find(({ name }) => name === 'object' || name === 'strictObject');
  return made?.first?.kind === 'object' ? made.first : undefined;
}

const TYPES: Readonly<Record<string, DeclaredType>> = {
  string: 'string',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  strictObject: 'object',
  record: 'object',
};
const LOOSENS =
  /^(?:optional|nullable|nullish|default|prefault|catch|or|transform|pipe|coerce|preprocess|union|any|unknown|and)$/;

function parametersOf(shape: ObjectIr): readonly DeclaredParameter[] {
  return shape.entries.flatMap(({ key, value }) => {
    const chain = value.kind === 'call' ? chainOf(value) : [];
    const type = chain
      .map(({ name }) => (Object.hasOwn(TYPES, name) ? TYPES[name] : undefined))
      .find((it) => it !== undefined);
    if (key === undefined || type === undefined) {
      return [];
    }
    const isRequired = !chain.some(({ name }) => LOOSENS.test(name));
    const isInteger = type === 'number' && chain.some(({ name }) => name === 'int');
    return [{ name: key, type: isInteger ? 'integer' : type, isRequired }];
  });
}

/** The calls of `z.string().min(1)` from the first to the last; only what starts at a schema library's name counts. */
function chainOf(call: Call): readonly { readonly name: string; readonly first: Expression | undefined }[] {
  const chain: { name: string; first: Expression | undefined }[] = [];
  let at: Expression = call;
  while (at.kind === 'call' && at.callee.kind === 'member') {
    chain.unshift({ name: at.callee.name, first: at.args[0] });
    at = at.callee.object;
    while (at.kind === 'member') {
      chain.unshift({ name: at.name, first: undefined });
      at = at.object;
    }
  }
  return at.kind === 'name' && /^(?:z|zod|v|t|Type)$/.test(at.name) ? chain : [];
}
