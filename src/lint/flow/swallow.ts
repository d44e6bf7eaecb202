import type { Block, CatchClause, Statement, TryStatement } from '../ir.ts';

/** Whether a catch takes every error: it names no class, or the base of all. */
export const isBroad = ({ types }: CatchClause) =>
  types.length === 0 || types.some((type) => /^(?:builtins\.)?(?:Base)?Exception$/.test(type));

/** Whether what is thrown in the body of a try gets past its catches, as it is or as another error. */
export const letsThrough = ({ catches }: TryStatement) =>
  catches.every((clause) => !isBroad(clause) || rethrows(clause));

/** Whether a catch throws what it caught, or nothing but another error. */
export function rethrows({ body, variable }: CatchClause): boolean {
  const statements = statementsIn(body);
  const isAlone = !statements.some(({ kind }) => kind === 'return');
  return statements.some(
    (statement) =>
      statement.kind === 'throw' &&
      (isAlone ||
        statement.value === undefined ||
        (statement.value.kind === 'name' && statement.value.name === variable)),
  );
}

/** All statements of a block and of the blocks in it, without those of functions. */
export function statementsIn(block: Block): readonly Statement[] {
  const found: Statement[] = [];
  const open: Statement[] = [...block].reverse();
  for (let statement = open.pop(); statement !== undefined; statement = open.pop()) {
    found.push(statement);
    open.push(...blocksIn(statement).flat().reverse());
  }
  return found;
}

function blocksIn(statement: Statement): readonly Block[] {
  switch (statement.kind) {
    case 'branch':
      return statement.arms.map(({ body }) => body);
    case 'loop':
    case 'block':
      return [statement.body];
    case 'try':
      return [statement.body, ...statement.catches.map(({ body }) => body), statement.orElse, statement.finale];
    default:
      return [];
  }
}
