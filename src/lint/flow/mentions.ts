import type { Expression } from '../ir.ts';
import { type Exit, type FunctionFlow, reaching, type Site } from './functionFlow.ts';
import { partsOf } from './moduleIndex.ts';

/** The variable that a value is read from: `e` of `e.message`, `` `${e}` ``. */
export function rootName(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'member':
      return rootName(expression.object);
    case 'text': {
      const parts = expression.parts.filter((part) => typeof part !== 'string');
      return parts.length === 1 && parts[0] !== undefined ? rootName(parts[0]) : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether `name` occurs in a condition. */
export function mentions(expression: Expression, name: string, depth: number): boolean {
  if (depth < 0) {
    return false;
  }
  switch (expression.kind) {
    case 'name':
      return expression.name === name;
    case 'member':
      return mentions(expression.object, name, depth - 1);
    case 'not':
      return mentions(expression.operand, name, depth - 1);
    case 'compare':
    case 'other':
      return expression.parts.some((part) => mentions(part, name, depth - 1));
    case 'choice':
      return (
        (expression.condition !== undefined && mentions(expression.condition, name, depth - 1)) ||
        expression.options.some((option) => mentions(option, name, depth - 1))
      );
    case 'call':
      return (
        mentions(expression.callee, name, depth - 1) ||
        expression.args.some((argument) => mentions(argument, name, depth - 1))
      );
    default:
      return false;
  }
}

/**
 * Whether `flow` throws after `assignedAt` under a condition on the variable that an exit gives back, as in
 * `if (failure := failureIn(answer)): raise …`: then an error assigned to it never gets out by the return.
 */
export function isScreened({ value: returned, site: at }: Exit, assignedAt: Site, flow: FunctionFlow): boolean {
  const name = returned === undefined ? undefined : rootName(returned);
  if (name === undefined) {
    return false;
  }
  return flow.exits.some(({ kind, site }) => {
    const guard = site?.context.guards.at(-1);
    if (
      kind !== 'throw' ||
      site === undefined ||
      guard === undefined ||
      // The return stands in the very branch after which it throws.
      (guard.isNegated &&
        at?.context.guards.some((own) => own.condition === guard.condition && !own.isNegated) === true) ||
      site.statement.start < assignedAt.statement.start
    ) {
      return false;
    }
    return (
      mentions(guard.condition, name, 6) ||
      namesIn(guard.condition, 4).some((other) => isMadeFrom(other, name, site, flow))
    );
  });
}

function isMadeFrom(other: string, name: string, site: Site, flow: FunctionFlow): boolean {
  return reaching(other, site, flow.sites).some(
    (definition) =>
      definition.kind === 'assign' && definition.value !== undefined && mentions(definition.value, name, 6),
  );
}

function namesIn(expression: Expression, depth: number): string[] {
  if (depth < 0) {
    return [];
  }
  return expression.kind === 'name'
    ? [expression.name]
    : partsOf(expression).flatMap((part) => namesIn(part, depth - 1));
}
