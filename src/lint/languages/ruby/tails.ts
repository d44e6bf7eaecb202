import type { Arm, Block, CatchClause, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { assignOf, expressionOf, nameOf, returnOf } from '../shared/build.ts';
import { branchOf, caseCondition, type Lowering, tryOf } from '../shared/lowering.ts';

/** What becomes of the value that a body ends in. */
export type Sink = (value: SyntaxNode, at: Lowering) => Block;

/** It leaves the method. */
export const returned: Sink = (value, at) => [returnOf(value, at.expression(value), true)];

/** Nothing asks for it. */
export const ignored: Sink = (value, at) => at.statement(value);

/** It is given to a variable. */
export const assigned =
  (name: string): Sink =>
  (value, at) => [assignOf(value, name, at.expression(value))];

const NO_VALUE = new Set([
  'return',
  'next',
  'break',
  'redo',
  'retry',
  'while',
  'until',
  'for',
  'method',
  'singleton_method',
  'class',
  'module',
  'operator_assignment',
]);
const BODIES = new Set(['body_statement', 'block_body', 'begin', 'then', 'else', 'do', 'parenthesized_statements']);
/** Their value is not that of their block. */
const COLLECTS =
  /^(?:each\w*|map|flat_map|filter_map|select|filter|reject|find|detect|sort_by|group_by|reduce|inject|sum|count|any\?|all\?|none\?|times|loop|to_h|partition|zip|define_\w+|lambda|proc|new|min_by|max_by|tap|on|get|post)$/;

/** Lowers the statements of a body; what it ends in goes to `sink`, from every branch. `rescue` makes it a try. */
export function lowerTails(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  if (!BODIES.has(node.type)) {
    return lowerTail(node, at, sink);
  }
  const statements = node.children.filter(
    ({ type }) => !/^(?:rescue|else|ensure|heredoc_body|empty_statement)$/.test(type),
  );
  const last = statements.at(-1);
  const body = [
    ...statements.slice(0, -1).flatMap((statement) => at.statement(statement)),
    ...(last === undefined ? [] : lowerTail(last, at, sink)),
  ];
  const rescues = node.children.filter(({ type }) => type === 'rescue');
  const ensure = childOfType(node, 'ensure');
  if (rescues.length === 0 && ensure === undefined) {
    return body;
  }
  const finale = ensure === undefined ? [] : ensure.children.flatMap((child) => at.statement(child));
  const otherwise = childOfType(node, 'else');
  const orElse = otherwise === undefined ? [] : lowerTails(otherwise, at, sink);
  return [
    tryOf(
      node,
      body,
      rescues.map((rescue) => lowerRescue(rescue, at, sink)),
      finale,
      orElse,
    ),
  ];
}

function lowerRescue(node: SyntaxNode, at: Lowering, sink: Sink): CatchClause {
  const types = (childOf(node, 'exceptions')?.children ?? []).map((type) => at.text(type));
  const variable = childOf(node, 'variable')?.children[0];
  const body = childOf(node, 'body');
  return {
    start: node.start,
    end: node.end,
    types: types.some((type) => type === 'StandardError' || type === 'Exception') ? [] : types,
    variable: variable === undefined ? undefined : at.text(variable),
    body: body === undefined ? [] : lowerTails(body, at, sink),
  };
}

function lowerTail(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  return at.deeper(() => lowerBranches(node, at, sink)) ?? [];
}

function lowerBranches(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  switch (node.type) {
    case 'if':
    case 'unless':
      return [lowerIf(node, at, sink)];
    case 'if_modifier':
    case 'unless_modifier':
      return [lowerModifier(node, at, sink)];
    case 'case':
      return [lowerCase(node, at, sink)];
    case 'begin':
    case 'parenthesized_statements':
      return lowerTails(node, at, sink);
    case 'rescue_modifier': {
      const handler = childOf(node, 'handler');
      const body = childOf(node, 'body');
      const span = handler ?? node;
      const clause = { start: span.start, end: span.end, types: [], variable: undefined };
      return [
        tryOf(node, body === undefined ? [] : lowerTail(body, at, sink), [
          { ...clause, body: handler === undefined ? [] : lowerTail(handler, at, sink) },
        ]),
      ];
    }
    case 'assignment': {
      const left = childOf(node, 'left');
      return left?.type === 'identifier' && sink !== ignored
        ? [...at.statement(node), ...sink(left, at)]
        : at.statement(node);
    }
    case 'call':
      return lowerCallTail(node, at, sink);
    default:
      return NO_VALUE.has(node.type) ? at.statement(node) : sink(node, at);
  }
}

const RAISES = /^(?:raise|fail|exit|exit!|abort)$/;

/** `raise` has no value; a block that is run once gives its value to its call. */
function lowerCallTail(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  const method = at.fieldText(node, 'method');
  const isOwn = childOf(node, 'receiver') === undefined;
  const block = childOf(node, 'block');
  const body = block === undefined ? undefined : childOfType(block, 'body_statement', 'block_body');
  if (isOwn && RAISES.test(method)) {
    return at.statement(node);
  }
  if (body === undefined || COLLECTS.test(method) || at.siblings.has(method)) {
    return sink(node, at);
  }
  const before = [childOf(node, 'receiver'), childOf(node, 'arguments')].flatMap((part) =>
    part === undefined ? [] : [expressionOf(at.expression(part))],
  );
  return [...before, ...lowerTails(body, at, sink)];
}

export const lowerValue = lowerTail;

function lowerIf(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const arms: Arm[] = [];
  let current: SyntaxNode | undefined = node;
  while (current !== undefined) {
    const tested = at.field(current, 'condition');
    const { start, end } = tested;
    const body = childOf(current, 'consequence');
    arms.push({
      condition: current.type === 'unless' ? { start, end, kind: 'not', operand: tested } : tested,
      body: body === undefined ? [] : lowerTails(body, at, sink),
    });
    const otherwise: SyntaxNode | undefined = childOf(current, 'alternative');
    current = otherwise?.type === 'elsif' ? otherwise : undefined;
    if (otherwise !== undefined && current === undefined) {
      arms.push({ condition: undefined, body: lowerTails(otherwise, at, sink) });
    }
  }
  return branchOf(node, arms);
}

function lowerModifier(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const tested = at.field(node, 'condition');
  const { start, end } = tested;
  const body = childOf(node, 'body');
  const condition = node.type === 'unless_modifier' ? ({ start, end, kind: 'not', operand: tested } as const) : tested;
  return branchOf(node, [{ condition, body: body === undefined ? [] : lowerTail(body, at, sink) }]);
}

function lowerCase(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const value = childOf(node, 'value');
  const subject = value === undefined ? nameOf(node, '') : at.expression(value);
  const arms = node.children
    .filter(({ type }) => type === 'when' || type === 'else')
    .map((arm): Arm => {
      if (arm.type === 'else') {
        return { condition: undefined, body: lowerTails(arm, at, sink) };
      }
      const body = childOf(arm, 'body');
      const values = at.expressions(arm.children.filter(({ field }) => field === 'pattern'));
      const condition = value === undefined ? values[0] : caseCondition(subject, values);
      return { condition, body: body === undefined ? [] : lowerTails(body, at, sink) };
    });
  return branchOf(node, arms, subject);
}
