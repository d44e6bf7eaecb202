import type { Call, CatchClause, Entry, Expression, Span } from '../ir.ts';
import type { Alternative, Choice, Flag, Shape, Value } from '../model.ts';
import type { FunctionFlow, PathContext, Site } from './functionFlow.ts';
import type { ModuleIndex, Scope } from './moduleIndex.ts';

export interface Bound {
  readonly expression: Expression;
  readonly frame: Frame;
}

/** Where an expression is evaluated. */
export interface Frame {
  readonly module: ModuleIndex;
  readonly scope: Scope;
  readonly flow: FunctionFlow | undefined;
  readonly site: Site | undefined;
  readonly context: PathContext;
  readonly owner: string | undefined;
  /** Arguments of the call that this function was entered by. */
  readonly bound: ReadonlyMap<string, Bound>;
  readonly helperDepth: number;
  readonly assignedAt: Site | undefined;
  readonly choice: Choice | undefined;
}

/** A value of one shape. */
export function one(shape: Shape, span: Span, frame: Frame): Value {
  return [{ shape, span, context: frame.context, assignedAt: frame.assignedAt, choice: frame.choice }];
}

/** Gives what is not known the name of the variable that holds it. */
export function named(alternative: Alternative, name: string): Alternative {
  const { shape } = alternative;
  return shape.kind === 'unknown' ? { ...alternative, shape: { ...shape, name } } : alternative;
}

/** Makes a text stand for the call that it went through. */
export function respan(alternative: Alternative, call: Call): Alternative {
  const { shape } = alternative;
  return shape.kind === 'text' || shape.kind === 'caught'
    ? { ...alternative, span: call, shape: { ...shape, source: call } }
    : alternative;
}

/** An error flag as written. */
export function flagOf({ value }: Entry): Flag {
  if (value.kind !== 'constant') {
    return 'unknown';
  }
  return value.value === null ? 'absent' : value.value === true ? 'true' : value.value === false ? 'false' : 'unknown';
}

/** The context of one option of a choice. */
export function withGuard(context: PathContext, condition: Expression | undefined, index: number): PathContext {
  return condition === undefined
    ? context
    : { ...context, guards: [...context.guards, { condition, isNegated: index > 0 }].slice(-8) };
}

/** The same place, in a catch. */
export const inCatch = (context: PathContext, catchClause: CatchClause): PathContext => ({ ...context, catchClause });

/** A value assigned in a catch stays an error's value where it is returned; guards of both places count. */
export function contextBetween(assigned: PathContext, used: PathContext): PathContext {
  return {
    catchClause: assigned.catchClause ?? used.catchClause,
    isRetry: assigned.isRetry || used.isRetry,
    guards: [...used.guards, ...assigned.guards].slice(-8),
    isInLoop: assigned.isInLoop,
    tries: used.tries,
  };
}
