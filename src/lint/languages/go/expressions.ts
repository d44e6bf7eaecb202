import type { Entry, Expression } from '../../ir.ts';
import { childOf, type SyntaxNode } from '../../syntax.ts';
import { concatenate, constantText, readEscapes, widen } from '../lowering.ts';
import {
  callOf,
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
} from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';
import { lowerFunction } from './functions.ts';

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=']);
/** A verb of `fmt`, with flags and width; `%%` is a percent sign. */
const VERB = /%(?:%|[-+# 0]{0,8}(?:\d{1,6}|\*)?(?:\.(?:\d{1,6}|\*))?(?:\[\d{1,3}\])?[a-zA-Z])/g;

/** Lowers an expression of Go. Literals of a named type become calls of it, so that the dialect gives them a meaning. */
export function lowerGoExpression(node: SyntaxNode, at: Lowering): Expression {
  switch (node.type) {
    case 'interpreted_string_literal':
      return textOfParts(node, [
        readEscapes(at.source.text.slice(node.start + 1, Math.max(node.start + 1, node.end - 1))),
      ]);
    case 'raw_string_literal':
      return textOfParts(node, [at.source.text.slice(node.start + 1, Math.max(node.start + 1, node.end - 1))]);
    case 'identifier': {
      const name = at.text(node);
      return nameOf(node, name === at.receiver ? 'this' : name);
    }
    case 'nil':
      return constantOf(node, null);
    case 'true':
    case 'false':
      return constantOf(node, node.type === 'true');
    case 'int_literal':
    case 'float_literal':
      return constantOf(node, Number(at.text(node)));
    case 'selector_expression':
      return memberOf(node, at.field(node, 'operand'), at.fieldText(node, 'field'));
    case 'call_expression':
      return lowerCall(node, at);
    case 'composite_literal':
      return lowerLiteral(node, childOf(node, 'type'), childOf(node, 'body'), at);
    case 'parenthesized_expression':
      return widen(at.expression(node.children[0]), node);
    case 'type_assertion_expression':
    case 'type_conversion_expression':
      return widen(at.field(node, 'operand'), node);
    case 'unary_expression':
      return lowerUnary(node, at);
    case 'binary_expression':
      return lowerBinary(node, at);
    case 'index_expression': {
      const object = at.field(node, 'operand');
      const index = at.field(node, 'index');
      const key = constantText(index);
      return key === undefined ? otherOf(node, [object, index]) : memberOf(node, object, key);
    }
    case 'func_literal':
      return functionOf(node, lowerFunction(node, at));
    case 'expression_list':
      return node.children.length === 1
        ? at.expression(node.children[0])
        : otherOf(node, at.expressions(node.children));
    case 'literal_element':
      return at.expression(node.children[0]);
    default:
      return otherOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
  }
}

function lowerUnary(node: SyntaxNode, at: Lowering): Expression {
  const operand = at.field(node, 'operand');
  switch (at.fieldText(node, 'operator')) {
    case '&':
    case '*':
      return widen(operand, node);
    case '!':
      return { start: node.start, end: node.end, kind: 'not', operand };
    default:
      return otherOf(node, [operand]);
  }
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

function lowerCall(node: SyntaxNode, at: Lowering): Expression {
  const callee = at.field(node, 'function');
  const args = at.expressions((childOf(node, 'arguments')?.children ?? []).filter(({ isNamed }) => isNamed));
  const path = at.fieldText(node, 'function');
  const [first] = args;
  const format = first === undefined ? undefined : constantText(first);
  if ((path === 'fmt.Sprintf' || path === 'fmt.Errorf') && format !== undefined) {
    return textOfParts(node, formatParts(format, VERB, args.slice(1)));
  }
  if (path === 'fmt.Sprint' || path === 'fmt.Sprintln') {
    return textOfParts(node, args);
  }
  return callOf(node, callee, args);
}

/** `T{…}`: a map is an object, a slice a list, anything else a call of its type. */
function lowerLiteral(
  node: SyntaxNode,
  type: SyntaxNode | undefined,
  body: SyntaxNode | undefined,
  at: Lowering,
): Expression {
  const elements = (body?.children ?? []).filter(({ isNamed }) => isNamed);
  const inner = type === undefined ? undefined : (childOf(type, 'element') ?? childOf(type, 'value'));
  switch (type?.type) {
    case 'map_type':
      return objectOf(node, entriesOf(elements, inner, at));
    case 'slice_type':
    case 'array_type':
    case 'implicit_length_array_type':
      return listOf(
        node,
        elements.map((element) => lowerElement(element, inner, at)),
      );
    default: {
      const named = entriesOf(elements, undefined, at);
      const args = elements
        .filter(({ type: kind }) => kind !== 'keyed_element')
        .map((element) => at.expression(element));
      return callOf(node, typeName(type, at), args, named, true);
    }
  }
}

function entriesOf(elements: readonly SyntaxNode[], inner: SyntaxNode | undefined, at: Lowering): Entry[] {
  return elements
    .filter(({ type }) => type === 'keyed_element')
    .map((element) => {
      const key = childOf(element, 'key') ?? element.children[0];
      const value = childOf(element, 'value') ?? element.children[1];
      const name = key?.children[0];
      const text =
        name === undefined ? undefined : name.type === 'identifier' ? at.text(name) : constantText(at.expression(name));
      return entryOf(element, text, value === undefined ? otherOf(element) : lowerElement(value, inner, at));
    });
}

/** An element of a slice or map may leave its type out. */
function lowerElement(element: SyntaxNode, inner: SyntaxNode | undefined, at: Lowering): Expression {
  const value = element.type === 'literal_element' ? element.children[0] : element;
  return value?.type === 'literal_value' && inner !== undefined
    ? (at.deeper(() => lowerLiteral(value, inner, value, at)) ?? otherOf(value))
    : at.expression(value);
}

function typeName(type: SyntaxNode | undefined, at: Lowering): Expression {
  if (type === undefined) {
    return otherOf({ start: 0, end: 0 });
  }
  const [owner, name] = at
    .text(type)
    .replace(/^[*&]+|\[.*$/gs, '')
    .split('.');
  return name === undefined ? nameOf(type, owner ?? '') : memberOf(type, nameOf(type, owner ?? ''), name);
}
