import type { Entry, Expression } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { concatenate, constantText, readEscapes, widen } from '../lowering.ts';
import {
  callOf,
  choiceOf,
  constantOf,
  entryOf,
  formatParts,
  functionOf,
  listOf,
  memberOf,
  nameOf,
  objectOf,
  otherOf,
  textOfParts,
  withoutArguments,
} from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';
import { lowerFunction } from './functions.ts';

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=']);
const SPECIFIER = /%(?:%|(?:\d{1,3}\$)?[-+# 0,(]{0,8}\d{0,6}(?:\.\d{1,6})?[a-zA-Z])/g;
const MAPS = new Set(['Map', 'ImmutableMap', 'JsonObject']);
const LISTS = /^(?:(?:List|Set|ImmutableList|Stream)\.of|Arrays\.asList|Collections\.singletonList)$/;

/** Lowers an expression of Java. */
export function lowerJavaExpression(node: SyntaxNode, at: Lowering): Expression {
  switch (node.type) {
    case 'string_literal':
      return textOfParts(node, [stringText(at.text(node))]);
    case 'identifier':
    case 'type_identifier':
      return nameOf(node, at.text(node));
    case 'this':
    case 'super':
      return nameOf(node, node.type);
    case 'null_literal':
      return constantOf(node, null);
    case 'true':
    case 'false':
      return constantOf(node, node.type === 'true');
    case 'decimal_integer_literal':
    case 'decimal_floating_point_literal':
      return constantOf(node, Number.parseFloat(at.text(node)));
    case 'field_access':
      return memberOf(node, at.field(node, 'object'), at.fieldText(node, 'field'));
    case 'method_invocation':
      return lowerInvocation(node, at);
    case 'method_reference': {
      const [object, name] = node.children;
      return object === undefined || name === undefined
        ? otherOf(node)
        : memberOf(node, at.expression(object), at.text(name));
    }
    case 'object_creation_expression': {
      const type = childOf(node, 'type');
      const name = withoutArguments(at.text(type)).split('.').at(-1) ?? '';
      return callOf(node, nameOf(type ?? node, name), argumentsOf(node, at), [], true);
    }
    case 'parenthesized_expression':
      return widen(at.expression(node.children[0]), node);
    case 'cast_expression':
      return widen(at.field(node, 'value'), node);
    case 'ternary_expression':
      return choiceOf(node, at.field(node, 'condition'), [
        at.field(node, 'consequence'),
        at.field(node, 'alternative'),
      ]);
    case 'binary_expression':
      return lowerBinary(node, at);
    case 'instanceof_expression': {
      const { start, end } = node;
      return { start, end, kind: 'compare', operator: 'is', parts: [at.field(node, 'left'), at.field(node, 'right')] };
    }
    case 'unary_expression': {
      const operand = at.field(node, 'operand');
      return at.fieldText(node, 'operator') === '!'
        ? { start: node.start, end: node.end, kind: 'not', operand }
        : otherOf(node, [operand]);
    }
    case 'assignment_expression':
      return widen(at.field(node, 'right'), node);
    case 'array_initializer':
      return listOf(node, at.expressions(node.children));
    case 'array_creation_expression':
      return widen(at.field(node, 'value'), node);
    case 'lambda_expression':
      return functionOf(node, lowerFunction(node, at));
    case 'switch_expression':
      return choiceOf(node, undefined, armValues(node, at));
    default:
      return otherOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
  }
}

/** The content of a string literal or a text block. */
function stringText(text: string): string {
  return text.startsWith('"""')
    ? readEscapes(text.slice(3, -3).replace(/\s+/g, ' ').trim())
    : readEscapes(text.slice(1, -1));
}

const argumentsOf = (node: SyntaxNode, at: Lowering): Expression[] =>
  at.expressions((childOf(node, 'arguments')?.children ?? []).filter(({ isNamed }) => isNamed));

function lowerInvocation(node: SyntaxNode, at: Lowering): Expression {
  const object = childOf(node, 'object');
  const name = childOf(node, 'name');
  const called = at.text(name);
  const args = argumentsOf(node, at);
  const receiver = object === undefined ? undefined : at.expression(object);
  const [first] = args;
  const format = first === undefined ? undefined : constantText(first);
  const path = `${at.text(object)}.${called}`;
  if (path === 'String.format' && format !== undefined) {
    return textOfParts(node, formatParts(format, SPECIFIER, args.slice(1)));
  }
  const pattern = receiver === undefined ? undefined : constantText(receiver);
  if (called === 'formatted' && pattern !== undefined) {
    return textOfParts(node, formatParts(pattern, SPECIFIER, args));
  }
  if (called === 'of' && MAPS.has(at.text(object))) {
    return objectOf(node, pairs(args));
  }
  if (LISTS.test(path)) {
    return listOf(node, args);
  }
  const span = name ?? node;
  if (receiver !== undefined) {
    return callOf(node, memberOf({ start: receiver.start, end: span.end }, receiver, called), args);
  }
  // A method of the class around is called by its bare name.
  const callee = at.siblings.has(called) ? memberOf(span, nameOf(span, 'this'), called) : nameOf(span, called);
  return callOf(node, callee, args);
}

/** `Map.of(k, v, …)`. */
function pairs(args: readonly Expression[]): Entry[] {
  return args.flatMap((key, index) => {
    const value = args[index + 1];
    return index % 2 === 0 && value !== undefined
      ? [entryOf({ start: key.start, end: value.end }, constantText(key), value)]
      : [];
  });
}

function armValues(node: SyntaxNode, at: Lowering): Expression[] {
  return (childOf(node, 'body')?.children ?? []).flatMap((rule) => {
    const body = rule.type === 'switch_rule' ? rule.children.at(-1) : undefined;
    const made = childOfType(body ?? rule, 'yield_statement')?.children[0];
    const value = body?.type === 'expression_statement' ? body.children[0] : made;
    return value === undefined ? [] : [at.expression(value)];
  });
}

function lowerBinary(node: SyntaxNode, at: Lowering): Expression {
  const left = at.field(node, 'left');
  const right = at.field(node, 'right');
  const operator = at.fieldText(node, 'operator');
  if (COMPARISONS.has(operator)) {
    return { start: node.start, end: node.end, kind: 'compare', operator, parts: [left, right] };
  }
  return operator === '+' ? concatenate(node, left, right) : otherOf(node, [left, right]);
}
