import { assertNever } from '../../../base/assertNever.ts';
import { ROW_KINDS, type RowKind } from '../../../protocol/exchange.ts';
import { at, type Columns, NO_CODE, NONE } from '../columns.ts';
import type { RowTable, RowTest } from '../rowFilter.ts';
import type { Comparison, FilterNode } from './ast.ts';
import { anyAttempt } from './choiceTest.ts';

/** Other rows are moments. */
const LASTING: readonly RowKind[] = ['request', 'connection'];

/** Tests a number of the row; one that it has not, such as the duration of what is still pending, passes no comparison. */
export function numberTest(node: Extract<FilterNode, { kind: 'numbers' }>, { columns }: RowTable): RowTest {
  const isWanted = comparison(node.comparison, node.values);
  switch (node.key) {
    case 'code':
      return anyAttempt(columns, (row) => {
        const code = at(columns.code, row);
        return code !== NO_CODE && isWanted(code);
      });
    case 'attempt':
      return (head) => isWanted(Math.max(1, at(columns.attempt, at(columns.last, head))));
    case 'size':
      return (head) => isWanted(bytesOf(columns, head));
    default: {
      const lasts = ROW_KINDS.map((kind) => LASTING.includes(kind));
      return (head) => {
        // NaN while pending, which no comparison lets pass.
        const ms = (at(columns.endUs, at(columns.last, head)) - at(columns.startUs, head)) / 1000;
        return lasts[at(columns.kind, head)] === true && isWanted(Math.max(0, ms));
      };
    }
  }
}

function bytesOf(columns: Columns, head: number): number {
  let bytes = 0;
  for (let row = head; row !== NONE; row = at(columns.next, row)) {
    bytes += at(columns.bytes, row);
  }
  return bytes;
}

function comparison(operator: Comparison, values: readonly number[]): (value: number) => boolean {
  const [bound = Number.NaN, second] = values;
  switch (operator) {
    case '=':
      return second === undefined ? (value) => value === bound : (value) => values.includes(value);
    case '<':
      return (value) => value < bound;
    case '<=':
      return (value) => value <= bound;
    case '>':
      return (value) => value > bound;
    case '>=':
      return (value) => value >= bound;
    default:
      return assertNever(operator);
  }
}
