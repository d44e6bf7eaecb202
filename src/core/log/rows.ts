import type { StatementSync } from 'node:sqlite';

/** The column `value` of the first row; 0 without one. */
export function integer(statement: StatementSync, ...values: ReadonlyArray<string | number>): number {
  const row = statement.get(...values) as { readonly value: number } | undefined;
  return row?.value ?? 0;
}

/** A read that fails (a damaged page, a file that vanished) finds nothing; writes tell the problem. */
export function guarded<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
