import type { Expression, FunctionIr } from '../ir.ts';
import type { Dialect } from './dialect.ts';
import { type FunctionFlow, flowOf } from './functionFlow.ts';
import { type ClassIndex, type ModuleIndex, ownerOf, pathOf, type Scope } from './moduleIndex.ts';

export interface FunctionRef {
  readonly ir: FunctionIr;
  readonly module: ModuleIndex;
}

/** One file with the files that its relative imports lead to, as far as they were read. */
export class Program {
  readonly main: ModuleIndex;
  readonly dialect: Dialect;
  /** Read files by path; null for one that does not exist or could not be parsed. */
  readonly #modules = new Map<string, ModuleIndex | null>();
  readonly #flows = new Map<FunctionIr, FunctionFlow>();
  /** Paths that a resolution asked for and that were not read yet, each with the number of imports on the way. */
  readonly wanted = new Map<string, number>();
  readonly #distance = new Map<string, number>();
  readonly #fields = new Map<ModuleIndex, ReadonlyMap<string, Expression>>();

  constructor(main: ModuleIndex, dialect: Dialect) {
    this.main = main;
    this.dialect = dialect;
    this.#modules.set(main.path, main);
    this.#distance.set(main.path, 0);
  }

  /** Records what became of a wanted path. */
  supply(path: string, module: ModuleIndex | null): void {
    this.#distance.set(path, this.wanted.get(path) ?? 1);
    this.#modules.set(path, module);
    this.wanted.delete(path);
  }

  flow(ir: FunctionIr): FunctionFlow {
    const known = this.#flows.get(ir);
    if (known !== undefined) {
      return known;
    }
    const flow = flowOf(ir);
    this.#flows.set(ir, flow);
    return flow;
  }

  /** The functions that `callee`, used in `scope` of `module` inside a method of `owner`, may be. Empty when unknown. */
  resolve(callee: Expression, scope: Scope, module: ModuleIndex, owner: string | undefined, depth = 0): FunctionRef[] {
    if (depth > 6) {
      return [];
    }
    switch (callee.kind) {
      case 'function':
        return [{ ir: callee.value, module }];
      case 'name':
        return this.#resolveName(callee.name, scope, module, owner, depth);
      case 'member':
        return this.#resolveMember(callee, scope, module, owner, depth);
      case 'call':
        return this.#resolveCallResult(callee, scope, module, owner, depth);
      case 'choice':
        return callee.options.flatMap((option) => this.resolve(option, scope, module, owner, depth + 1));
      case 'other': {
        // `handlers[name]`: any of the functions in a table.
        const table = callee.parts[0];
        return callee.parts.length === 2 && table !== undefined
          ? this.#functionsIn(table, scope, module, owner, depth + 1)
          : [];
      }
      default:
        return [];
    }
  }

  /** The class that `name` is an instance of or names itself, looked up from `scope`. */
  classOf(expression: Expression, scope: Scope, module: ModuleIndex, depth = 0): ClassIndex | undefined {
    if (depth > 4) {
      return undefined;
    }
    if (expression.kind === 'call') {
      const { callee } = expression;
      const made = this.classOf(callee, scope, module, depth + 1);
      // `manager = await get_manager()`, which says that it gives a Manager.
      const maker =
        made === undefined && callee.kind === 'name' ? lookUp(scope, (at) => at.functions.get(callee.name)) : undefined;
      return made ?? classIn(maker?.returnType, module);
    }
    if (expression.kind !== 'name') {
      return undefined;
    }
    const named = lookUp(scope, (at) => at.classes.get(expression.name));
    if (named !== undefined) {
      return named;
    }
    const value = soleAssign(scope, expression.name);
    if (value !== undefined) {
      return this.classOf(value, scope, module, depth + 1);
    }
    const given = lookUp(scope, (at) => at.owner?.parameters.find(({ name }) => name === expression.name));
    return classIn(given?.type, module);
  }

  /** What a field holds that is filled once: where it is declared, or in a method of its class. */
  #fieldOf(owner: string | undefined, name: string, module: ModuleIndex): Expression {
    const known = this.#fields.get(module) ?? fieldsIn(module, this.dialect);
    this.#fields.set(module, known);
    return known.get(`${owner}.${name}`) ?? NOTHING;
  }

  #resolveName(
    name: string,
    scope: Scope,
    module: ModuleIndex,
    owner: string | undefined,
    depth: number,
  ): FunctionRef[] {
    // Files may import each other, and themselves.
    if (depth > 6) {
      return [];
    }
    const ir = lookUp(scope, (at) => at.functions.get(name));
    if (ir !== undefined) {
      return [{ ir, module }];
    }
    const value = soleAssign(scope, name);
    if (value !== undefined && value.kind !== 'text') {
      return this.resolve(value, scope, module, owner, depth + 1);
    }
    const entry = module.imports.get(name);
    const target = entry === undefined ? undefined : this.#moduleAt(module, entry.module, entry.name);
    if (entry === undefined && this.dialect.hasBareMethods === true && owner !== undefined) {
      return this.#method(module.classes.get(owner), name, module, 0);
    }
    if (entry === undefined || target === undefined) {
      return [];
    }
    return this.#exported(target, entry.name, depth);
  }

  #exported(target: ModuleIndex, name: string, depth: number): FunctionRef[] {
    if (name === 'default') {
      const ir = target.functions.find(({ value }) => value.isDefaultExport)?.value;
      return ir === undefined ? [] : [{ ir, module: target }];
    }
    return this.#resolveName(name, target.root, target, undefined, depth + 1);
  }

  #resolveMember(
    callee: Extract<Expression, { kind: 'member' }>,
    scope: Scope,
    module: ModuleIndex,
    owner: string | undefined,
    depth: number,
  ): FunctionRef[] {
    const { object, name } = callee;
    if (name === 'bind' || name === 'call' || name === 'apply') {
      return this.resolve(object, scope, module, owner, depth + 1);
    }
    if (object.kind === 'name' && this.dialect.selfNames.has(object.name)) {
      return this.#method(owner === undefined ? undefined : module.classes.get(owner), name, module, 0);
    }
    const entry = object.kind === 'name' ? module.imports.get(object.name) : undefined;
    if (entry !== undefined) {
      const target = this.#moduleAt(module, entry.module, entry.name);
      if (target === undefined) {
        return [];
      }
      const inside = target.classes.get(entry.name);
      return inside === undefined
        ? this.#resolveName(name, target.root, target, undefined, depth + 1)
        : this.#method(inside, name, target, 0);
    }
    const held =
      object.kind === 'member' && object.object.kind === 'name' && this.dialect.selfNames.has(object.object.name)
        ? this.#fieldOf(owner, object.name, module)
        : object;
    const found = this.#method(this.classOf(held, scope, module), name, module, 0);
    if (found.length > 0 || object.kind !== 'name') {
      return found;
    }
    const beside = this.#classNamed(object.name, module);
    if (beside !== undefined) {
      return this.#method(beside.index, name, beside.module, 0);
    }
    const table = soleAssign(scope, object.name);
    const value = table?.kind === 'object' ? table.entries.find(({ key }) => key === name)?.value : undefined;
    return value === undefined ? [] : this.resolve(value, scope, module, owner, depth + 1);
  }

  /** `table.get(name)`, and `fn.bind(this)`. */
  #resolveCallResult(
    call: Extract<Expression, { kind: 'call' }>,
    scope: Scope,
    module: ModuleIndex,
    owner: string | undefined,
    depth: number,
  ): FunctionRef[] {
    const { callee } = call;
    if (callee.kind !== 'member') {
      return [];
    }
    return callee.name === 'get'
      ? this.#functionsIn(callee.object, scope, module, owner, depth + 1)
      : callee.name === 'bind'
        ? this.resolve(callee.object, scope, module, owner, depth + 1)
        : [];
  }

  #functionsIn(
    table: Expression,
    scope: Scope,
    module: ModuleIndex,
    owner: string | undefined,
    depth: number,
  ): FunctionRef[] {
    const path = pathOf(table);
    const field = path?.split('.');
    const ofSelf = field?.length === 2 && owner !== undefined && this.dialect.selfNames.has(field[0] ?? '');
    const value =
      table.kind === 'name'
        ? soleAssign(scope, table.name)
        : ofSelf
          ? module.classes.get(owner)?.fields.get(field[1] ?? '')
          : undefined;
    if (value?.kind === 'object') {
      return value.entries.flatMap((entry) => this.resolve(entry.value, scope, module, owner, depth + 1));
    }
    // new Map([['name', handler], …])
    const list = value?.kind === 'call' ? value.args[0] : undefined;
    return list?.kind !== 'list'
      ? []
      : list.items.flatMap((item) =>
          item.kind === 'list' && item.items[1] !== undefined
            ? this.resolve(item.items[1], scope, module, owner, depth + 1)
            : [],
        );
  }

  #method(index: ClassIndex | undefined, name: string, module: ModuleIndex, depth: number): FunctionRef[] {
    if (index === undefined || depth > 4) {
      return [];
    }
    const ir = index.methods.get(name);
    return ir !== undefined
      ? [{ ir, module }]
      : index.ir.bases.flatMap((base) => {
          const found = this.#classNamed(base, module);
          return found === undefined ? [] : this.#method(found.index, name, found.module, depth + 1);
        });
  }

  /** The class that a name stands for: one of the file, an imported one, or one of a file beside it. */
  #classNamed(name: string, module: ModuleIndex): { index: ClassIndex; module: ModuleIndex } | undefined {
    const own = module.classes.get(name);
    if (own !== undefined) {
      return { index: own, module };
    }
    const entry = module.imports.get(name);
    const paths = entry === undefined ? (this.dialect.neighbours?.(module.path, name) ?? []) : undefined;
    const target =
      paths === undefined
        ? this.#moduleAt(module, entry?.module ?? '', entry?.name ?? name)
        : this.#firstOf(paths, module);
    const index =
      target?.classes.get(entry?.name ?? name) ?? (entry?.name === 'default' ? defaultClass(target) : undefined);
    return target === undefined || index === undefined ? undefined : { index, module: target };
  }

  /** The file that an import leads to; asks for it when it was not read yet. At most two imports away. */
  #moduleAt(from: ModuleIndex, module: string, name: string): ModuleIndex | undefined {
    return this.#firstOf(this.dialect.candidates(from.path, module, name), from);
  }

  #firstOf(paths: readonly string[], from: ModuleIndex): ModuleIndex | undefined {
    const distance = (this.#distance.get(from.path) ?? 0) + 1;
    if (distance > 2) {
      return undefined;
    }
    for (const path of paths) {
      const known = this.#modules.get(path);
      if (known === undefined) {
        this.wanted.set(path, distance);
      } else if (known !== null) {
        return known;
      }
    }
    return undefined;
  }
}

/** The class of the file that a declared type names: `Promise<Manager>`, `Manager | None`. */
const classIn = (type: string | undefined, { classes }: ModuleIndex): ClassIndex | undefined =>
  type === undefined || classes.size === 0
    ? undefined
    : type
        .match(/\w+/g)
        ?.map((name) => classes.get(name))
        .find((found) => found !== undefined);

const defaultClass = (module: ModuleIndex | undefined) =>
  [...(module?.classes.values() ?? [])].find(({ ir }) => ir.isDefaultExport);

const NOTHING: Expression = { start: 0, end: 0, kind: 'constant', value: null };

/** The only value of each field, by its class and name. */
function fieldsIn({ classes, assigns }: ModuleIndex, { selfNames }: Dialect): ReadonlyMap<string, Expression> {
  const values = new Map<string, Expression>();
  const fill = (key: string, value: Expression | undefined) => {
    values.set(key, value === undefined || values.has(key) ? NOTHING : value);
  };
  for (const [owner, { fields }] of classes) {
    for (const [name, value] of fields) {
      // `client = None`: a declaration that says no more than the name.
      if (value.kind !== 'constant') {
        fill(`${owner}.${name}`, value);
      }
    }
  }
  for (const { value, scope } of assigns) {
    const { target } = value;
    const owner = target.kind === 'member' && selfNames.has(target.object) ? ownerOf(scope) : undefined;
    if (target.kind === 'member' && owner !== undefined && target.key !== undefined) {
      fill(`${owner}.${target.key}`, value.value);
    }
  }
  return values;
}

/** Looks outwards from `scope` for the first that `find` knows. */
export function lookUp<T>(scope: Scope, find: (scope: Scope) => T | undefined): T | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = find(at);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The value of a name that is assigned exactly once, by name, in the nearest scope that assigns it. */
export function soleAssign(scope: Scope, name: string): Expression | undefined {
  const assigns = lookUp(scope, (at) => at.assigns.get(name));
  const only = assigns?.length === 1 ? assigns[0] : undefined;
  return only?.target.kind === 'name' && !only.isAugmented ? only.value : undefined;
}
