import { ROW_KINDS, type RowKind } from '../../../protocol/exchange.ts';
import { FAILURE_KINDS, MARKS, type Mark, OUTCOME_KINDS, type OutcomeKind } from '../../../protocol/outcome.ts';
import { at, type Columns, FROM_SERVER, HAS_ANOMALY, NONE } from '../columns.ts';
import type { RowTable, RowTest } from '../rowFilter.ts';
import type { FilterKey } from './keys.ts';

const RETRIED = 1 << MARKS.indexOf('retried');
const ERA_PROBE = 1 << MARKS.indexOf('era_probe');

/** Tests for one choice of `outcome`, `is`, `has` or `from`; a choice that the parser has not let through never passes. */
export function choiceTest(key: FilterKey, choice: string, { columns }: RowTable): RowTest {
  switch (key) {
    case 'from':
      return choice === 'server' ? (head) => columns.has(head, FROM_SERVER) : (head) => !columns.has(head, FROM_SERVER);
    case 'has':
      return hasTest(choice, columns);
    default:
      return isTest(choice, columns);
  }
}

function isTest(choice: string, columns: Columns): RowTest {
  const outcome = (kind: OutcomeKind): RowTest => {
    const index = OUTCOME_KINDS.indexOf(kind);
    return (head) => at(columns.outcome, at(columns.last, head)) === index;
  };
  if (choice === 'failure') {
    return failureTest(columns);
  }
  if (choice === 'silent') {
    return outcome('silent_error');
  }
  if (isOutcome(choice)) {
    return outcome(choice);
  }
  const kind = ROW_KINDS.indexOf(choice as RowKind);
  return (head) => at(columns.kind, head) === kind;
}

/** The same chains that "next error" walks: a refused probe is an answer. */
function failureTest(columns: Columns): RowTest {
  const isFailure = OUTCOME_KINDS.map((kind) => FAILURE_KINDS.has(kind));
  return (head) => {
    const last = at(columns.last, head);
    return isFailure[at(columns.outcome, last)] === true && (at(columns.marks, last) & ERA_PROBE) === 0;
  };
}

function hasTest(choice: string, columns: Columns): RowTest {
  if (choice === 'anomaly') {
    return anyAttempt(columns, (row) => columns.has(row, HAS_ANOMALY));
  }
  if (choice === 'retry' || choice === 'retried') {
    // A chain of more than one attempt, or what is left of one.
    const isMarked = markTest(columns, RETRIED);
    return (head) => at(columns.next, head) !== NONE || isMarked(head);
  }
  return markTest(columns, 1 << MARKS.indexOf(choice as Mark));
}

function markTest(columns: Columns, bit: number): RowTest {
  return anyAttempt(columns, (row) => (at(columns.marks, row) & bit) !== 0);
}

/** Holds of any row of the chain. */
export function anyAttempt(columns: Columns, test: RowTest): RowTest {
  return (head) => {
    for (let row = head; row !== NONE; row = at(columns.next, row)) {
      if (test(row)) {
        return true;
      }
    }
    return false;
  };
}

function isOutcome(choice: string): choice is OutcomeKind {
  return (OUTCOME_KINDS as readonly string[]).includes(choice);
}
