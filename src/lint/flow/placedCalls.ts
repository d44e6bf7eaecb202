import type { Call, Expression, FunctionIr, Statement } from '../ir.ts';
import type { FunctionFlow, Site } from './functionFlow.ts';
import { partsOf } from './moduleIndex.ts';

/** A call with its place in the function that it runs in. */
export interface PlacedCall {
  readonly call: Call;
  readonly site: Site;
  /** The calls that it is an argument of, innermost first: `wait_for(communicate())`. */
  readonly within: readonly Call[];
}

/** A function written where it is handed to a call: `retry(() => …)`. */
export interface PlacedFunction {
  readonly ir: FunctionIr;
  readonly site: Site;
  readonly within: readonly Call[];
}

export interface Placed {
  readonly calls: readonly PlacedCall[];
  readonly functions: readonly PlacedFunction[];
}

/** The calls of a function in the order of its statements. Calls in functions nested in it are those functions' own. */
export function placedIn(flow: FunctionFlow): Placed {
  const calls: PlacedCall[] = [];
  const functions: PlacedFunction[] = [];
  for (const [statement, site] of flow.sites) {
    if (statement.kind === 'function') {
      functions.push({ ir: statement.value, site, within: [] });
    }
    for (const expression of expressionsOf(statement)) {
      collect(expression, site, [], calls, functions);
    }
  }
  return { calls, functions };
}

function collect(
  expression: Expression,
  site: Site,
  within: readonly Call[],
  calls: PlacedCall[],
  functions: PlacedFunction[],
): void {
  if (expression.kind === 'name' || expression.kind === 'constant') {
    return;
  }
  if (expression.kind === 'function') {
    functions.push({ ir: expression.value, site, within });
    return;
  }
  if (expression.kind !== 'call') {
    for (const part of partsOf(expression)) {
      collect(part, site, within, calls, functions);
    }
    return;
  }
  calls.push({ call: expression, site, within });
  // `fetch(url).then(f)` is not an argument of `then`.
  collect(expression.callee, site, within, calls, functions);
  if (expression.args.length > 0 || expression.named.length > 0) {
    const inside = [expression, ...within];
    for (const argument of expression.args) {
      collect(argument, site, inside, calls, functions);
    }
    for (const { value } of expression.named) {
      collect(value, site, inside, calls, functions);
    }
  }
}

/** The expressions that stand in a statement itself, not in the statements inside it. */
function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'return':
    case 'throw':
    case 'assign':
    case 'expression':
      return statement.value === undefined ? [] : [statement.value];
    case 'branch': {
      const conditions = statement.arms.flatMap(({ condition }) => (condition === undefined ? [] : [condition]));
      return statement.subject === undefined ? conditions : [statement.subject, ...conditions];
    }
    case 'loop':
      return statement.iterable === undefined ? [] : [statement.iterable];
    case 'block':
      return statement.uses;
    default:
      return [];
  }
}
