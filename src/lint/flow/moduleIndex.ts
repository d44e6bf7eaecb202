import type {
  Block,
  Call,
  ClassIr,
  Entry,
  Expression,
  FunctionIr,
  ImportIr,
  ModuleIr,
  Statement,
  TryStatement,
} from '../ir.ts';

export type Assign = Extract<Statement, { kind: 'assign' }>;
export type ObjectIr = Extract<Expression, { kind: 'object' }>;

/** The names that a module or a function declares, and where they are looked up next. */
export interface Scope {
  readonly parent: Scope | undefined;
  /** Undefined for the module's own scope. */
  readonly owner: FunctionIr | undefined;
  readonly functions: Map<string, FunctionIr>;
  readonly classes: Map<string, ClassIndex>;
  readonly assigns: Map<string, Assign[]>;
}

export interface ClassIndex {
  readonly ir: ClassIr;
  readonly methods: Map<string, FunctionIr>;
  readonly fields: Map<string, Expression>;
}

export interface Found<T> {
  readonly value: T;
  readonly scope: Scope;
}

export type Loop = Found<Extract<Statement, { kind: 'loop' }>>;

/** Everything of one file that handlers are found by and names are resolved with. */
export interface ModuleIndex {
  readonly path: string;
  readonly ir: ModuleIr;
  readonly root: Scope;
  readonly imports: ReadonlyMap<string, ImportIr>;
  readonly scopeOf: ReadonlyMap<FunctionIr, Scope>;
  readonly functions: readonly Found<FunctionIr>[];
  readonly classes: ReadonlyMap<string, ClassIndex>;
  readonly calls: readonly Found<Call>[];
  readonly objects: readonly Found<ObjectIr>[];
  readonly assigns: readonly Found<Assign>[];
  readonly loops: readonly Loop[];
  readonly tries: readonly Found<TryStatement>[];
}

/** Indexes a lowered file in one walk. Depth is bounded by the lowering. */
export function indexModule(path: string, ir: ModuleIr): ModuleIndex {
  const root = scope(undefined, undefined);
  const walker = new Walker();
  walker.block(ir.body, root);
  const imports = new Map(ir.imports.map((entry) => [entry.local, entry]));
  return { path, ir, root, imports, ...walker.found };
}

/** A scope as it is filled. Most declare little: tables are made when something is put in. */
type OpenScope = { -readonly [Key in keyof Scope]: Scope[Key] };

const NO_FUNCTIONS = new Map<string, FunctionIr>();
const NO_CLASSES = new Map<string, ClassIndex>();
const NO_ASSIGNS = new Map<string, Assign[]>();

function scope(parent: Scope | undefined, owner: FunctionIr | undefined): OpenScope {
  return { parent, owner, functions: NO_FUNCTIONS, classes: NO_CLASSES, assigns: NO_ASSIGNS };
}

class Walker {
  readonly found = {
    scopeOf: new Map<FunctionIr, Scope>(),
    functions: [] as Found<FunctionIr>[],
    classes: new Map<string, ClassIndex>(),
    calls: [] as Found<Call>[],
    objects: [] as Found<ObjectIr>[],
    assigns: [] as Found<Assign>[],
    loops: [] as Loop[],
    tries: [] as Found<TryStatement>[],
  };

  block(block: Block, inside: OpenScope): void {
    for (const statement of block) {
      this.statement(statement, inside);
    }
  }

  statement(statement: Statement, inside: OpenScope): void {
    switch (statement.kind) {
      case 'return':
      case 'throw':
      case 'expression':
        this.expression(statement.value, inside);
        return;
      case 'assign':
        this.assign(statement, inside);
        return;
      case 'branch':
        this.expression(statement.subject, inside);
        for (const arm of statement.arms) {
          this.expression(arm.condition, inside);
          this.block(arm.body, inside);
        }
        return;
      case 'loop': {
        this.expression(statement.iterable, inside);
        this.block(statement.body, inside);
        this.found.loops.push({ value: statement, scope: inside });
        return;
      }
      case 'try':
        this.found.tries.push({ value: statement, scope: inside });
        this.block(statement.body, inside);
        for (const clause of statement.catches) {
          this.block(clause.body, inside);
        }
        this.block(statement.orElse, inside);
        this.block(statement.finale, inside);
        return;
      case 'block':
        for (const use of statement.uses) {
          this.expression(use, inside);
        }
        this.block(statement.body, inside);
        return;
      case 'function':
        if (statement.value.name !== undefined) {
          inside.functions = inside.functions === NO_FUNCTIONS ? new Map() : inside.functions;
          inside.functions.set(statement.value.name, statement.value);
        }
        this.function(statement.value, inside);
        return;
      case 'class':
        this.class(statement.value, inside);
        return;
      case 'jump':
        return;
    }
  }

  assign(statement: Assign, inside: OpenScope): void {
    this.expression(statement.value, inside);
    this.found.assigns.push({ value: statement, scope: inside });
    const names =
      statement.target.kind === 'name'
        ? [statement.target.name]
        : statement.target.kind === 'pattern'
          ? statement.target.names
          : [];
    for (const name of names) {
      const known = inside.assigns.get(name);
      if (known === undefined) {
        inside.assigns = inside.assigns === NO_ASSIGNS ? new Map() : inside.assigns;
        inside.assigns.set(name, [statement]);
      } else {
        known.push(statement);
      }
    }
  }

  function(ir: FunctionIr, outer: OpenScope): void {
    const inside = scope(outer, ir);
    this.found.scopeOf.set(ir, inside);
    this.found.functions.push({ value: ir, scope: outer });
    for (const decorator of ir.decorators) {
      this.expression(decorator, outer);
    }
    this.block(ir.body, inside);
  }

  class(ir: ClassIr, outer: OpenScope): void {
    const index: ClassIndex = { ir, methods: new Map(), fields: new Map() };
    if (ir.name !== undefined) {
      outer.classes = outer.classes === NO_CLASSES ? new Map() : outer.classes;
      outer.classes.set(ir.name, index);
      this.found.classes.set(ir.name, index);
    }
    for (const member of ir.body) {
      if (member.kind === 'function') {
        if (member.value.name !== undefined) {
          index.methods.set(member.value.name, member.value);
        }
        this.function(member.value, outer);
      } else if (member.kind === 'assign' && member.target.kind === 'name' && member.value !== undefined) {
        index.fields.set(member.target.name, member.value);
        this.expression(member.value, outer);
      } else {
        this.statement(member, outer);
      }
    }
  }

  expression(expression: Expression | undefined, inside: OpenScope): void {
    if (expression === undefined) {
      return;
    }
    switch (expression.kind) {
      case 'function':
        this.function(expression.value, inside);
        return;
      case 'call':
        this.found.calls.push({ value: expression, scope: inside });
        this.expression(expression.callee, inside);
        this.expressions(expression.args, inside);
        this.entries(expression.named, inside);
        return;
      case 'object':
        this.found.objects.push({ value: expression, scope: inside });
        this.entries(expression.entries, inside);
        this.expressions(expression.spreads, inside);
        return;
      case 'member':
        this.expression(expression.object, inside);
        return;
      case 'name':
      case 'constant':
        return;
      default:
        this.expressions(partsOf(expression), inside);
    }
  }

  expressions(expressions: readonly Expression[], inside: OpenScope): void {
    for (const expression of expressions) {
      this.expression(expression, inside);
    }
  }

  entries(entries: readonly Entry[], inside: OpenScope): void {
    for (const { value } of entries) {
      this.expression(value, inside);
    }
  }
}

/** The expressions that an expression is made of, functions excepted. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'text':
      return expression.parts.every((part) => typeof part === 'string')
        ? NO_PARTS
        : expression.parts.filter((part) => typeof part !== 'string');
    case 'object':
      return joined(valuesOf(expression.entries), expression.spreads);
    case 'list':
      return joined(expression.items, expression.spreads);
    case 'choice':
      // `a or b or c` nests: what is both the condition and an option would be walked twice at each level.
      return expression.condition === undefined || expression.options.includes(expression.condition)
        ? expression.options
        : [expression.condition, ...expression.options];
    case 'member':
      return [expression.object];
    case 'call':
      return joined([expression.callee], joined(expression.args, valuesOf(expression.named)));
    case 'not':
      return [expression.operand];
    case 'compare':
    case 'other':
      return expression.parts;
    case 'constant':
    case 'name':
    case 'function':
      return NO_PARTS;
  }
}

// Every walk of a file asks for the parts of every expression in it: no list is made that need not be.
const NO_PARTS: readonly Expression[] = [];

const valuesOf = (entries: readonly Entry[]): readonly Expression[] =>
  entries.length === 0 ? NO_PARTS : entries.map(({ value }) => value);

const joined = (first: readonly Expression[], second: readonly Expression[]): readonly Expression[] =>
  second.length === 0 ? first : first.length === 0 ? second : first.concat(second);

/** The dotted path of names that an expression is, for example `self.server.tool`; undefined for anything else. */
export function pathOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') {
    return expression.name;
  }
  const root = rootOf(expression);
  if (root === undefined) {
    return undefined;
  }
  let path = '';
  for (let at: Expression = expression; at.kind === 'member'; at = at.object) {
    path = `.${at.name}${path}`;
  }
  return root + path;
}

/** The name that such a path starts with. */
export function rootOf(expression: Expression): string | undefined {
  let at = expression;
  while (at.kind === 'member') {
    at = at.object;
  }
  return at.kind === 'name' ? at.name : undefined;
}

/** The innermost loop of `scope`, or of a scope around it, that binds `name`. */
export function lookUpLoop(index: ModuleIndex, scope: Scope, name: string): Loop['value'] | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const loop = index.loops.find((candidate) => candidate.scope === at && candidate.value.variables.includes(name));
    if (loop !== undefined) {
      return loop.value;
    }
  }
  return undefined;
}

/** The class whose method `scope` belongs to. */
export function ownerOf(scope: Scope): string | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.owner?.owner !== undefined) {
      return at.owner.owner;
    }
  }
  return undefined;
}
