import { assertNever } from '../../../base/assertNever.ts';
import { at } from '../columns.ts';
import type { RowTable, RowTest } from '../rowFilter.ts';
import type { FilterNode } from './ast.ts';
import { choiceTest } from './choiceTest.ts';
import { nameTest, textTest } from './nameTest.ts';
import { numberTest } from './numberTest.ts';
import type { SeqSet } from './seqSet.ts';

/** What a filter needs to know beside the rows. */
export interface FilterContext {
  /** Wall time, µs: durations of `since` and `until` count back from it. */
  readonly nowUs: number;
  /** The name that a person gave a server; its id counts as a name in any case. */
  readonly serverName?: (server: string) => string;
  /** `seq`s of the messages that hold a text, which is given in lower case; may go on growing. */
  readonly hits?: (text: string) => SeqSet | undefined;
}

/**
 * Makes a test of a parsed filter for the rows of `table`. Each distinct name is compared once, so that a row costs a few
 * look-ups. A chain is tested as it is shown: by its head's names, its last attempt's outcome and number, its whole
 * duration and size; codes, marks and messages count of any of its attempts.
 */
export function compileFilter(node: FilterNode, table: RowTable, context: FilterContext): RowTest {
  switch (node.kind) {
    case 'all':
      return allOf(node.nodes.map((each) => compileFilter(each, table, context)));
    case 'any':
      return anyOf(node.nodes.map((each) => compileFilter(each, table, context)));
    case 'not': {
      const test = compileFilter(node.node, table, context);
      return (head) => !test(head);
    }
    case 'text':
      return textTest(node.text, table, context);
    case 'names':
      return nameTest(node.key, node.patterns, table, context);
    case 'choices':
      return anyOf(node.choices.map((choice) => choiceTest(node.key, choice, table)));
    case 'numbers':
      return numberTest(node, table);
    case 'time': {
      const { columns } = table;
      const boundUs = 'agoUs' in node.at ? context.nowUs - node.at.agoUs : node.at.wallUs;
      return node.key === 'since'
        ? (head) => at(columns.startUs, head) >= boundUs
        : (head) => at(columns.startUs, head) < boundUs;
    }
    default:
      return assertNever(node);
  }
}

/** The free texts of a filter, each once, in lower case: what is sought in messages as well. */
export function textsOf(node: FilterNode): readonly string[] {
  const texts = new Set<string>();
  visit(node, (each) => {
    if (each.kind === 'text' && each.text !== '') {
      texts.add(each.text);
    }
  });
  return [...texts];
}

/** How far the filter's nearest bound lies before now, µs, if it has one that moves with the time. */
export function slidesBy(node: FilterNode): number | undefined {
  let nearest: number | undefined;
  visit(node, (each) => {
    if (each.kind === 'time' && 'agoUs' in each.at) {
      nearest = Math.min(nearest ?? each.at.agoUs, each.at.agoUs);
    }
  });
  return nearest;
}

function visit(node: FilterNode, take: (node: FilterNode) => void): void {
  take(node);
  if (node.kind === 'not') {
    visit(node.node, take);
  } else if (node.kind === 'all' || node.kind === 'any') {
    for (const each of node.nodes) {
      visit(each, take);
    }
  }
}

function allOf(tests: readonly RowTest[]): RowTest {
  const [first, second, ...others] = tests;
  if (first === undefined) {
    return () => true;
  }
  return second === undefined ? first : both(first, others.length === 0 ? second : allOf([second, ...others]));
}

function anyOf(tests: readonly RowTest[]): RowTest {
  const [first, second, ...others] = tests;
  if (first === undefined) {
    return () => false;
  }
  return second === undefined ? first : either(first, others.length === 0 ? second : anyOf([second, ...others]));
}

function both(first: RowTest, second: RowTest): RowTest {
  return (head) => first(head) && second(head);
}

function either(first: RowTest, second: RowTest): RowTest {
  return (head) => first(head) || second(head);
}
