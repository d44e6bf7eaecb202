import type { Block, CatchClause, Expression, FunctionIr, Statement, TryStatement } from '../ir.ts';
import { type Assign, partsOf } from './moduleIndex.ts';

/** A condition that must hold for a statement to run; `isNegated` when it must not hold. */
export interface Guard {
  readonly condition: Expression;
  readonly isNegated: boolean;
}

/** Where in its function a statement stands. */
export interface PathContext {
  /** The innermost catch that it is in. */
  readonly catchClause: CatchClause | undefined;
  /** It is in the body of a try inside that catch: another attempt, which may succeed. */
  readonly isRetry: boolean;
  /** Outermost first. An `if` that always leaves guards what follows it. */
  readonly guards: readonly Guard[];
  readonly isInLoop: boolean;
  /** The try statements whose body it is in, outermost first: what it throws ends there. */
  readonly tries: readonly TryStatement[];
}

/** The nearest guards say most; a bound keeps long functions linear. */
const MAX_GUARDS = 8;

const TOP: PathContext = { catchClause: undefined, isRetry: false, guards: [], isInLoop: false, tries: [] };

interface Outer {
  readonly site: Site;
  readonly clause: CatchClause | undefined;
  readonly isSequel: boolean;
}

/** A statement with its place: enough to walk backwards from it to what reaches it. */
export interface Site {
  readonly statement: Statement;
  readonly block: Block;
  readonly index: number;
  readonly outer: Outer | undefined;
  readonly context: PathContext;
}

export interface Exit {
  readonly kind: 'return' | 'throw' | 'end';
  readonly value: Expression | undefined;
  /** Undefined for the end of the body. */
  readonly site: Site | undefined;
}

export interface MemberAssign {
  readonly key: string | undefined;
  readonly value: Expression | undefined;
  readonly site: Site;
}

/** What reaches a use of a name. `entry`: nothing in this function, so a parameter or something from outside. */
export type Definition =
  | { readonly kind: 'assign'; readonly site: Site; readonly value: Expression | undefined }
  | { readonly kind: 'caught'; readonly clause: CatchClause }
  | { readonly kind: 'unknown'; readonly value: Expression | undefined }
  | { readonly kind: 'entry' };

export interface FunctionFlow {
  readonly ir: FunctionIr;
  readonly exits: readonly Exit[];
  readonly sites: ReadonlyMap<Statement, Site>;
  readonly members: ReadonlyMap<string, readonly MemberAssign[]>;
}

/** Places every statement of a function and lists its exits. Nested functions are left to themselves. */
export function flowOf(ir: FunctionIr): FunctionFlow {
  const builder = new FlowBuilder();
  builder.block(ir.body, TOP, undefined);
  if (!alwaysLeaves(ir.body)) {
    builder.exits.push({ kind: 'end', value: undefined, site: undefined });
  }
  return { ir, exits: builder.exits, sites: builder.sites, members: builder.members };
}

/** Few functions assign members: their table is made when something is put in. */
const NO_MEMBERS = new Map<string, MemberAssign[]>();

class FlowBuilder {
  readonly exits: Exit[] = [];
  readonly sites = new Map<Statement, Site>();
  members = NO_MEMBERS;

  block(block: Block, start: PathContext, outer: Outer | undefined): void {
    let context = start;
    block.forEach((statement, index) => {
      const site: Site = { statement, block, index, outer, context };
      this.sites.set(statement, site);
      this.statement(statement, site);
      if (statement.kind === 'branch') {
        const left = statement.arms.flatMap(({ condition, body }) =>
          condition !== undefined && alwaysLeaves(body) ? [{ condition, isNegated: true }] : [],
        );
        context = left.length === 0 ? context : { ...context, guards: [...context.guards, ...left].slice(-MAX_GUARDS) };
      }
    });
  }

  statement(statement: Statement, site: Site): void {
    const { context } = site;
    const outer: Outer = { site, clause: undefined, isSequel: false };
    switch (statement.kind) {
      case 'return':
      case 'throw':
        this.exits.push({ kind: statement.kind, value: statement.value, site });
        return;
      case 'assign':
        this.assign(statement, site);
        return;
      case 'branch': {
        const passed: Guard[] = [];
        for (const { condition, body } of statement.arms) {
          const own = condition === undefined ? [] : [{ condition, isNegated: false }];
          this.block(
            body,
            { ...context, guards: [...context.guards, ...passed.slice(-2), ...own].slice(-MAX_GUARDS) },
            outer,
          );
          if (condition !== undefined) {
            passed.push({ condition, isNegated: true });
          }
        }
        return;
      }
      case 'loop':
        this.block(statement.body, { ...context, isInLoop: true }, outer);
        return;
      case 'try':
        this.block(
          statement.body,
          { ...context, isRetry: context.catchClause !== undefined, tries: [...context.tries, statement] },
          outer,
        );
        for (const clause of statement.catches) {
          this.block(clause.body, { ...context, catchClause: clause, isRetry: false }, { ...outer, clause });
        }
        this.block(statement.orElse, context, { ...outer, isSequel: true });
        this.block(statement.finale, context, { ...outer, isSequel: true });
        return;
      case 'block':
        this.block(statement.body, context, outer);
        return;
    }
  }

  assign(statement: Assign, site: Site): void {
    if (statement.target.kind !== 'member') {
      return;
    }
    const { object, key } = statement.target;
    const entry = { key, value: statement.value, site };
    const known = this.members.get(object);
    if (known === undefined) {
      this.members = this.members === NO_MEMBERS ? new Map() : this.members;
      this.members.set(object, [entry]);
    } else {
      known.push(entry);
    }
  }
}

/** Whether control never gets past the end of a block. */
export function alwaysLeaves(block: Block): boolean {
  return block.some((statement) => {
    switch (statement.kind) {
      case 'return':
      case 'throw':
      case 'jump':
        return true;
      case 'branch':
        return (
          statement.arms.some((arm) => arm.condition === undefined) &&
          statement.arms.every((arm) => alwaysLeaves(arm.body))
        );
      case 'try':
        return (
          alwaysLeaves(statement.finale) ||
          ((alwaysLeaves(statement.body) || alwaysLeaves(statement.orElse)) &&
            statement.catches.every((clause) => alwaysLeaves(clause.body)))
        );
      case 'block':
        return alwaysLeaves(statement.body);
      default:
        return false;
    }
  });
}

/** Whether control may get from one statement of a function to another, by what the blocks around them tell. */
export function mayReach(from: Site, to: Site): boolean {
  const around = new Map<Block, Site>();
  for (let site: Site | undefined = to; site !== undefined; site = site.outer?.site) {
    around.set(site.block, site);
  }
  for (let site: Site | undefined = from; site !== undefined; site = site.outer?.site) {
    const shared = around.get(site.block);
    if (shared !== undefined) {
      return site.index <= shared.index || site.context.isInLoop;
    }
    const outer = site.outer?.site.statement;
    const isCaught = outer?.kind === 'try' && outer.catches.some(({ body }) => around.has(body));
    if (isCaught || alwaysLeaves(site.block.slice(site.index + 1))) {
      return isCaught;
    }
  }
  return false;
}

/** The definitions of `name` that may reach `from`, found by walking backwards through the blocks around it. */
export function reaching(name: string, from: Site, sites: ReadonlyMap<Statement, Site>): Definition[] {
  const found: Definition[] = [];
  for (let site: Site | undefined = from; site !== undefined; site = site.outer?.site) {
    for (let index = site.index - 1; index >= 0; index--) {
      const statement = site.block[index];
      if (statement !== undefined && definitionsIn(statement, name, sites, found)) {
        return found;
      }
    }
    const { outer } = site;
    const around = outer?.site.statement;
    if (outer === undefined || around === undefined) {
      break;
    }
    if (outer.clause?.variable === name) {
      return [...found, { kind: 'caught', clause: outer.clause }];
    }
    if (around.kind === 'try' && (outer.clause !== undefined || outer.isSequel)) {
      const isCertain = blockDefinitions(around.body, name, sites, found);
      if (isCertain && outer.isSequel) {
        return found;
      }
    }
    if (around.kind === 'loop' && around.variables.includes(name)) {
      return [...found, { kind: 'unknown', value: around.iterable }];
    }
    if (around.kind === 'block' && around.binds.includes(name)) {
      return [...found, { kind: 'unknown', value: undefined }];
    }
  }
  return [...found, { kind: 'entry' }];
}

/**
 * Whether what a catch adds to a text is all that there is to say: `out = "# Book"`, then a try around the whole work with
 * `out += f"Error: {e}"` in its catch. Where other work stands beside the try a part of it failed at most.
 */
function isLastWord({ context, outer }: Site, name: string): boolean {
  const around = outer?.clause === undefined ? undefined : outer.site;
  if (around === undefined || around.outer !== undefined || context.isInLoop) {
    return false;
  }
  const adds = (statement: Statement) =>
    statement.kind === 'assign' && statement.target.kind === 'name' && statement.target.name === name;
  const { block, index } = around;
  return (
    block.slice(0, index).every((it) => it.kind === 'expression' || (it.kind === 'assign' && isPlain(it.value, 6))) &&
    block.slice(index + 1).every((it) => it.kind === 'return' || it.kind === 'expression' || adds(it))
  );
}

const TEXT_METHODS = /^(?:upper|lower|title|strip|join|format|replace|repeat|toUpperCase|toLowerCase|trim)$/;

/** Whether a value is made without work that could have failed. */
function isPlain(expression: Expression | undefined, depth: number): boolean {
  if (expression === undefined || depth < 0) {
    return true;
  }
  const isWork =
    expression.kind === 'call' && !(expression.callee.kind === 'member' && TEXT_METHODS.test(expression.callee.name));
  return !isWork && partsOf(expression).every((part) => isPlain(part, depth - 1));
}

/** Adds what `statement` may give to `name`; true when it always gives it something. */
function definitionsIn(
  statement: Statement,
  name: string,
  sites: ReadonlyMap<Statement, Site>,
  found: Definition[],
): boolean {
  switch (statement.kind) {
    case 'assign': {
      const { target } = statement;
      if (target.kind === 'name' && target.name === name) {
        const site = sites.get(statement);
        if (site !== undefined && (!statement.isAugmented || isLastWord(site, name))) {
          found.push({ kind: 'assign', site, value: statement.value });
        }
        return !statement.isAugmented;
      }
      if (target.kind === 'pattern' && target.names.includes(name)) {
        found.push({ kind: 'unknown', value: statement.value });
        return true;
      }
      return false;
    }
    case 'branch': {
      let isCertain = statement.arms.some((arm) => arm.condition === undefined);
      for (const arm of statement.arms) {
        if (!alwaysLeaves(arm.body)) {
          isCertain = blockDefinitions(arm.body, name, sites, found) && isCertain;
        }
      }
      return isCertain;
    }
    case 'loop':
      blockDefinitions(statement.body, name, sites, found);
      return false;
    case 'try': {
      if (blockDefinitions(statement.finale, name, sites, found)) {
        return true;
      }
      const inElse = blockDefinitions(statement.orElse, name, sites, found);
      let isCertain = inElse;
      if (!inElse) {
        isCertain = alwaysLeaves(statement.body) || blockDefinitions(statement.body, name, sites, found);
      }
      for (const clause of statement.catches) {
        if (!alwaysLeaves(clause.body)) {
          isCertain = blockDefinitions(clause.body, name, sites, found) && isCertain;
        }
      }
      return isCertain;
    }
    case 'block':
      if (statement.binds.includes(name)) {
        found.push({ kind: 'unknown', value: undefined });
        return true;
      }
      return blockDefinitions(statement.body, name, sites, found);
    default:
      return false;
  }
}

function blockDefinitions(
  block: Block,
  name: string,
  sites: ReadonlyMap<Statement, Site>,
  found: Definition[],
): boolean {
  for (let index = block.length - 1; index >= 0; index--) {
    const statement = block[index];
    if (statement !== undefined && definitionsIn(statement, name, sites, found)) {
      return true;
    }
  }
  return false;
}
