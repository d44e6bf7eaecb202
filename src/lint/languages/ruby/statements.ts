import type { Block, ModuleIr } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { MAX_DEPTH } from '../lowering.ts';
import { blockOf, expressionOf, jumpOf, returnOf, throwOf } from '../shared/build.ts';
import { functionStatement, type Lowering, loopOf, lowerFile } from '../shared/lowering.ts';
import { assignmentOf } from '../shared/statements.ts';
import { lowerRubyExpression } from './expressions.ts';
import { lowerClass, lowerMethod } from './functions.ts';
import { assigned, ignored, lowerTails, lowerValue } from './tails.ts';

/** Lowers a parsed file of Ruby; undefined when it is no longer wanted. */
export function lowerRuby(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  return lowerFile(root, source, pacer, { expression: lowerRubyExpression, statement: lowerStatement });
}

function lowerStatement(node: SyntaxNode, at: Lowering): Block {
  switch (node.type) {
    case 'class':
    case 'module':
      return lowerClass(node, at);
    case 'method':
    case 'singleton_method':
      return [functionStatement(lowerMethod(node, at))];
    case 'return':
    case 'next':
      return lowerReturn(node, at);
    case 'if':
    case 'unless':
    case 'if_modifier':
    case 'unless_modifier':
    case 'case':
    case 'begin':
    case 'parenthesized_statements':
    case 'rescue_modifier':
      return lowerValue(node, at, ignored);
    case 'body_statement':
    case 'then':
    case 'do':
      return [blockOf(node, lowerTails(node, at, ignored))];
    case 'assignment':
    case 'operator_assignment':
      return lowerAssignment(node, at);
    case 'while':
    case 'until':
    case 'while_modifier':
    case 'until_modifier':
      return [loopOf(node, [], undefined, at.statement(childOf(node, 'body')))];
    case 'for':
      return [
        loopOf(
          node,
          namesIn(childOf(node, 'pattern'), at),
          at.field(node, 'value'),
          at.statement(childOf(node, 'body')),
        ),
      ];
    case 'break':
    case 'redo':
    case 'retry':
      return [jumpOf(node)];
    case 'call':
      return lowerCallStatement(node, at);
    case 'comment':
    case 'heredoc_body':
    case 'empty_statement':
      return [];
    default:
      return [expressionOf(at.expression(node))];
  }
}

/** `return begin … end` and `return if …` give what their branches give. */
function lowerReturn(node: SyntaxNode, at: Lowering): Block {
  const values = node.children[0]?.children ?? [];
  const [value] = values;
  return [
    returnOf(
      node,
      value === undefined ? undefined : values.length === 1 ? at.expression(value) : at.expression(node.children[0]),
    ),
  ];
}

const CONTROL = new Set(['if', 'unless', 'case', 'begin', 'rescue_modifier']);

function lowerAssignment(node: SyntaxNode, at: Lowering): Block {
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  const { start, end } = node;
  if (left?.type === 'left_assignment_list') {
    const names = namesIn(left, at);
    return [
      {
        start,
        end,
        kind: 'assign',
        target: { kind: 'pattern', names },
        value: at.expression(right),
        isAugmented: false,
      },
    ];
  }
  if (right !== undefined && left?.type === 'identifier' && CONTROL.has(right.type)) {
    return lowerValue(right, at, assigned(at.text(left)));
  }
  const isAugmented = node.type === 'operator_assignment';
  const target = at.within({ siblings: new Set() }, () => at.expression(left));
  return assignmentOf(node, target, at.expression(right), isAugmented);
}

function namesIn(node: SyntaxNode | undefined, at: Lowering, depth = 0): string[] {
  if (node === undefined || depth > MAX_DEPTH) {
    return [];
  }
  return node.type === 'identifier' ? [at.text(node)] : node.children.flatMap((child) => namesIn(child, at, depth + 1));
}

const ITERATES = /^(?:each\w*|times|loop|upto|downto|step)$/;
const KEEPS = /^(?:define_\w+|lambda|proc|map|select|filter|on|get|post|tool|resource|prompt|new)$/;

/** `raise` leaves; the block of an iterator is a loop, and one that is run once is run here: its returns are the method's. */
function lowerCallStatement(node: SyntaxNode, at: Lowering): Block {
  const method = at.fieldText(node, 'method');
  const receiver = childOf(node, 'receiver');
  if (receiver === undefined && (method === 'raise' || method === 'fail')) {
    const given = childOf(node, 'arguments')?.children.at(-1);
    return [throwOf(node, given === undefined ? undefined : at.expression(given))];
  }
  if (receiver === undefined && /^(?:exit!?|abort)$/.test(method)) {
    return [expressionOf(at.expression(node)), jumpOf(node)];
  }
  const block = childOf(node, 'block');
  const body = block === undefined ? undefined : childOfType(block, 'body_statement', 'block_body');
  if (block === undefined || body === undefined || KEEPS.test(method)) {
    return [expressionOf(at.expression(node))];
  }
  const object = receiver === undefined ? undefined : at.expression(receiver);
  const inside = lowerTails(body, at, ignored);
  return ITERATES.test(method)
    ? [loopOf(node, namesIn(childOfType(block, 'block_parameters'), at), object, inside)]
    : [...(object === undefined ? [] : [expressionOf(object)]), blockOf(block, inside)];
}
