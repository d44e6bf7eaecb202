import { type Found, lookUpLoop, type ModuleIndex, ownerOf, pathOf, type Scope } from '../flow/moduleIndex.ts';
import { type FunctionRef, type Program, soleAssign } from '../flow/program.ts';
import type { Call, Expression, FunctionIr } from '../ir.ts';
import type { Certainty, HandlerKind, Registration, SdkFamily } from '../model.ts';

/** A function that a file hands to an MCP server. */
export interface Discovered {
  readonly kind: HandlerKind;
  readonly name: string | undefined;
  readonly sdk: SdkFamily;
  readonly certainty: Certainty;
  readonly ir: FunctionIr;
  readonly registration?: Registration | undefined;
  /** Where the declared result tells, not the SDK: what it gives back is content as it stands. */
  readonly givesPlainValues?: boolean;
}

/** Collects handlers, each function once: the first registration found names it. */
export class Discovery {
  readonly #found = new Map<FunctionIr, Discovered>();
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  get handlers(): readonly Discovered[] {
    return [...this.#found.values()];
  }

  has(ir: FunctionIr): boolean {
    return this.#found.has(ir);
  }

  add(
    ir: FunctionIr,
    kind: HandlerKind,
    name: string | undefined,
    sdk: SdkFamily,
    certainty: Certainty = 'registered',
    facts: Pick<Discovered, 'givesPlainValues' | 'registration'> = {},
  ): void {
    if (!this.#found.has(ir)) {
      this.#found.set(ir, { kind, name, sdk, certainty, ir, ...facts });
    }
  }

  /**
   * Adds what `expression`, used in `scope`, may be as a handler: a function, a name for one, every element of the list
   * that a loop walks, or what a wrapper makes of one.
   */
  addExpression(
    expression: Expression,
    scope: Scope,
    kind: HandlerKind,
    name: string | undefined,
    sdk: SdkFamily,
    registration?: Registration,
  ): void {
    for (const ref of this.functionsOf(expression, scope)) {
      if (ref.module === this.#program.main) {
        this.add(ref.ir, kind, name ?? ref.ir.name, sdk, 'registered', { registration });
      }
    }
  }

  functionsOf(expression: Expression, scope: Scope, depth = 0): readonly FunctionRef[] {
    const { main } = this.#program;
    if (depth > 4) {
      return [];
    }
    const direct = this.#program.resolve(expression, scope, main, ownerOf(scope));
    if (direct.length > 0) {
      return direct;
    }
    if (expression.kind === 'call') {
      // A wrapper around the handler: its function arguments run, and so does a function that it makes.
      const inner = expression.args.flatMap((argument) => this.functionsOf(argument, scope, depth + 1));
      const made = this.#program
        .resolve(expression.callee, scope, main, ownerOf(scope))
        .flatMap((ref) => this.functionsMadeBy(ref));
      return [...inner, ...made];
    }
    if (expression.kind === 'name' || expression.kind === 'member') {
      const looped = expression.kind === 'name' ? expression : expression.object;
      const items = looped.kind === 'name' ? this.#loopItems(looped.name, scope) : [];
      return items.flatMap((item) =>
        this.functionsOf(expression.kind === 'name' ? item : { ...expression, object: item }, scope, depth + 1),
      );
    }
    return [];
  }

  /** The functions that a decorator or wrapper returns. */
  functionsMadeBy(ref: FunctionRef): readonly FunctionRef[] {
    const scope = ref.module.scopeOf.get(ref.ir);
    return this.#program
      .flow(ref.ir)
      .exits.flatMap(({ value }) =>
        value === undefined || scope === undefined || value.kind === 'call'
          ? []
          : this.#program.resolve(value, scope, ref.module, ref.ir.owner).filter(({ ir }) => ir !== ref.ir),
      );
  }

  /** The elements that a loop variable takes, when the list is written out. */
  #loopItems(name: string, scope: Scope): readonly Expression[] {
    const loop = lookUpLoop(this.#program.main, scope, name);
    const iterable = loop?.iterable;
    const list = iterable?.kind === 'name' ? soleAssign(scope, iterable.name) : iterable;
    return list?.kind === 'list' ? list.items : [];
  }
}

/** The last name of what is called: `tool` of `this.server.tool`. */
export function calledName(call: Call): string | undefined {
  return call.callee.kind === 'member' || call.callee.kind === 'name' ? call.callee.name : undefined;
}

export interface ImportedName {
  readonly module: string;
  readonly name: string;
}

/** Where the class comes from that `expression` names, follows to, or is constructed from. */
export function importOf(
  expression: Expression,
  found: Found<unknown>,
  index: ModuleIndex,
  depth = 0,
): ImportedName | undefined {
  if (depth > 4) {
    return undefined;
  }
  if (expression.kind === 'call') {
    return importOf(expression.callee, found, index, depth + 1);
  }
  const path = pathOf(expression)?.split('.');
  const head = path?.[0];
  if (path === undefined || head === undefined) {
    return undefined;
  }
  const entry = index.imports.get(head);
  if (entry !== undefined) {
    const name = path.length > 1 ? path[path.length - 1] : entry.name;
    return {
      module: path.length > 2 ? [entry.module, ...path.slice(1, -1)].join('.') : entry.module,
      name: name ?? entry.name,
    };
  }
  const value = path.length === 1 ? soleAssign(found.scope, head) : fieldValue(path, found.scope, index);
  return value === undefined ? undefined : importOf(value, found, index, depth + 1);
}

/** The value of `self.server`, from a field or from an assignment in any method. */
function fieldValue(path: readonly string[], scope: Scope, index: ModuleIndex): Expression | undefined {
  const [self, field] = path;
  const owner = ownerOf(scope);
  if (path.length !== 2 || field === undefined || owner === undefined) {
    return undefined;
  }
  const declared = index.classes.get(owner)?.fields.get(field);
  return (
    declared ??
    index.assigns.find(
      ({ value: { target } }) => target.kind === 'member' && target.object === self && target.key === field,
    )?.value.value
  );
}
