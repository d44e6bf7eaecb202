import type { Expression } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { concatenate, constantText, widen } from '../lowering.ts';
import { callOf, choiceOf, constantOf, functionOf, listOf, memberOf, nameOf, otherOf } from '../shared/build.ts';
import { branchOf, type Lowering } from '../shared/lowering.ts';
import { callParts, lowerCall } from './calls.ts';
import { lowerFunction, lowerLambda, lowerObject } from './functions.ts';
import { lowerString } from './strings.ts';
import { assigned, isErrorCall, isInPlace, isJump, isNoElvis, lowerTail, nullTest } from './tails.ts';

const COMPARISONS = new Set(['==', '!=', '===', '!==', '<', '>', '<=', '>=']);

/** Lowers an expression of Kotlin. What only statements can say goes before the statement that it stands in. */
export function lowerKotlinExpression(node: SyntaxNode, at: Lowering): Expression {
  switch (node.type) {
    case 'string_literal':
    case 'multiline_string_literal':
      return lowerString(node, at);
    case 'identifier':
      return lowerName(node, at);
    case 'this_expression':
    case 'super_expression':
      return nameOf(node, node.type === 'this_expression' ? 'this' : 'super');
    case 'number_literal':
    case 'float_literal':
      return constantOf(node, Number.parseFloat(at.text(node)));
    case 'navigation_expression': {
      const [object, name] = node.children;
      return object === undefined || name === undefined
        ? otherOf(node)
        : memberOf(node, at.expression(object), at.text(name));
    }
    case 'callable_reference': {
      const name = node.children.at(-1);
      const [object] = node.children;
      const called = at.text(name);
      if (object !== undefined && object !== name) {
        return memberOf(node, at.expression(object), called);
      }
      return at.siblings.has(called) ? memberOf(node, nameOf(node, 'this'), called) : nameOf(node, called);
    }
    case 'index_expression': {
      const [object, index] = node.children;
      const key = constantText(at.expression(index));
      return object === undefined || key === undefined
        ? otherOf(node, at.expressions(node.children))
        : memberOf(node, at.expression(object), key);
    }
    case 'call_expression':
      if (isErrorCall(node, at)) {
        at.pending.push(...at.statement(node));
        return otherOf(node);
      }
      return isInPlace(node, at) ? viaVariable(node, at) : (lowerGuard(node, at) ?? lowerCall(node, at));
    case 'if_expression':
      return lowerIf(node, at);
    case 'when_expression':
    case 'try_expression':
      return viaVariable(node, at);
    case 'return_expression':
    case 'throw_expression':
      at.pending.push(...at.statement(node));
      return otherOf(node);
    case 'parenthesized_expression':
    case 'annotated_expression':
    case 'value_argument':
      return widen(at.expression(node.children.at(-1)), node);
    case 'as_expression':
      return widen(at.field(node, 'left'), node);
    case 'is_expression':
    case 'in_expression': {
      const { start, end } = node;
      const operator = node.type === 'is_expression' ? 'is' : 'in';
      return { start, end, kind: 'compare', operator, parts: [at.field(node, 'left'), at.field(node, 'right')] };
    }
    case 'unary_expression': {
      const operand = at.field(node, 'argument');
      const operator = at.fieldText(node, 'operator');
      return operator === '!'
        ? { start: node.start, end: node.end, kind: 'not', operand }
        : operator === '!!'
          ? widen(operand, node)
          : otherOf(node, [operand]);
    }
    case 'binary_expression':
      return lowerBinary(node, at);
    case 'collection_literal':
      return listOf(node, at.expressions(node.children));
    case 'lambda_literal':
      return functionOf(node, lowerLambda(node, at));
    case 'annotated_lambda':
      return at.expression(childOfType(node, 'lambda_literal'));
    case 'anonymous_function':
      return functionOf(node, lowerFunction(node, at));
    case 'object_literal':
      at.pending.push(...lowerObject(node, at));
      return otherOf(node);
    default:
      return otherOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
  }
}

function lowerName(node: SyntaxNode, at: Lowering): Expression {
  const text = at.text(node);
  switch (text) {
    case 'null':
      return constantOf(node, null);
    case 'true':
    case 'false':
      return constantOf(node, text === 'true');
    default:
      return nameOf(node, text);
  }
}

/** Lowers what can leave the function to statements that give a variable its value, which then stands here. */
function viaVariable(node: SyntaxNode, at: Lowering): Expression {
  const name = `$${node.start}`;
  at.pending.push(...lowerTail(node, at, assigned(name)));
  return nameOf(node, name);
}

function lowerIf(node: SyntaxNode, at: Lowering): Expression {
  const [, consequence, alternative] = node.children;
  const isPlain = [consequence, alternative].every((it) => it !== undefined && simpleValue(it, at) !== undefined);
  if (!isPlain || consequence === undefined || alternative === undefined) {
    return viaVariable(node, at);
  }
  return choiceOf(node, at.field(node, 'condition'), [
    at.expression(simpleValue(consequence, at)),
    at.expression(simpleValue(alternative, at)),
  ]);
}

/** The one expression that a branch is. */
function simpleValue(node: SyntaxNode, at: Lowering): SyntaxNode | undefined {
  const only = node.type === 'block' ? (node.children.length === 1 ? node.children[0] : undefined) : node;
  return only === undefined || isJump(only, at) || only.type === 'assignment' ? undefined : only;
}

const GUARDS = /^(?:requireNotNull|checkNotNull|require|check|ifEmpty|ifBlank)$/;

/**
 * `requireNotNull(x) { return@addTool … }`: its lambda may leave from here. Undefined when it does not. Each part is lowered
 * once, or nesting would double the work with each level.
 */
function lowerGuard(node: SyntaxNode, at: Lowering): Expression | undefined {
  const { name, lambda, object, given } = callParts(node, at);
  if (lambda === undefined || !GUARDS.test(name) || !/\breturn\b/.test(at.text(lambda))) {
    return undefined;
  }
  const value = at.expression(object ?? given[0]?.children.at(-1));
  const { start, end } = lambda;
  const condition = name.endsWith('NotNull') ? nullTest(value) : ({ start, end, kind: 'not', operand: value } as const);
  at.pending.push(branchOf(lambda, [{ condition, body: at.block(lambda) }]));
  return widen(value, node);
}

/** `f<T>(x)`, which the grammar takes for two comparisons where no lambda follows. */
function genericCall(node: SyntaxNode, at: Lowering): Expression | undefined {
  const left = childOf(node, 'left');
  const given = childOf(node, 'right');
  const isCall = given?.type === 'parenthesized_expression' || given?.type === 'lambda_literal';
  if (at.fieldText(node, 'operator') !== '>' || left?.type !== 'binary_expression' || given === undefined || !isCall) {
    return undefined;
  }
  const callee = childOf(left, 'left');
  const isType = /^[A-Z]\w*$/.test(at.fieldText(left, 'right'));
  return at.fieldText(left, 'operator') === '<' && isType && callee !== undefined
    ? callOf(node, at.expression(callee), [at.expression(given)])
    : undefined;
}

function lowerBinary(node: SyntaxNode, at: Lowering): Expression {
  const call = genericCall(node, at);
  if (call !== undefined) {
    return call;
  }
  const operator = at.fieldText(node, 'operator');
  if (!isNoElvis(node, at)) {
    const left = at.field(node, 'left');
    const right = childOf(node, 'right');
    if (right !== undefined && isJump(right, at)) {
      at.pending.push(branchOf(right, [{ condition: nullTest(left), body: at.statement(right) }]));
      return widen(left, node);
    }
    return choiceOf(node, left, [left, at.expression(right)]);
  }
  const left = at.field(node, 'left');
  const right = at.field(node, 'right');
  if (COMPARISONS.has(operator)) {
    return { start: node.start, end: node.end, kind: 'compare', operator, parts: [left, right] };
  }
  return operator === '+' ? concatenate(node, left, right) : otherOf(node, [left, right]);
}
