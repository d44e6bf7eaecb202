import type { Expression } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { concatenate, readEscapes, widen } from '../lowering.ts';
import {
  callOf,
  choiceOf,
  constantOf,
  entryOf,
  functionOf,
  listOf,
  memberOf,
  nameOf,
  otherOf,
  textOfParts,
} from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';
import { lowerClosure } from './functions.ts';
import { macroValue } from './tokens.ts';

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=']);
const UNWRAPPED = new Set(['try_expression', 'await_expression', 'parenthesized_expression', 'reference_expression']);

/** Lowers an expression of Rust. `Ok(x)` and `Some(x)` are x; what `?` leaves out leaves the function. */
export function lowerRustExpression(node: SyntaxNode, at: Lowering): Expression {
  if (UNWRAPPED.has(node.type)) {
    return widen(at.expression(childOf(node, 'value') ?? node.children.at(-1)), node);
  }
  switch (node.type) {
    case 'string_literal':
      return textOfParts(node, [readEscapes(at.text(node).replace(/^b?"/, '').slice(0, -1))]);
    case 'raw_string_literal':
      return textOfParts(node, [at.text(node).replace(/^b?r#*"|"#*$/g, '')]);
    case 'identifier':
    case 'self':
    case 'type_identifier': {
      const name = at.text(node);
      return name === 'None' ? constantOf(node, null) : nameOf(node, name);
    }
    case 'scoped_identifier': {
      const path = childOf(node, 'path');
      const name = at.fieldText(node, 'name');
      return path === undefined ? nameOf(node, name) : memberOf(node, at.expression(path), name);
    }
    case 'generic_type':
      return at.field(node, 'type');
    case 'generic_function':
      return at.field(node, 'function');
    case 'boolean_literal':
      return constantOf(node, at.text(node) === 'true');
    case 'integer_literal':
    case 'float_literal':
      return constantOf(node, Number.parseFloat(at.text(node)));
    case 'field_expression':
      return memberOf(node, at.field(node, 'value'), at.fieldText(node, 'field'));
    case 'call_expression':
      return lowerCall(node, at);
    case 'struct_expression':
      return lowerStruct(node, at);
    case 'macro_invocation':
      return lowerMacro(node, at);
    case 'array_expression':
      return listOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
    case 'if_expression':
    case 'match_expression':
      return choiceOf(
        node,
        undefined,
        tailsOf(node).map((tail) => at.expression(tail)),
      );
    case 'block':
    case 'unsafe_block':
    case 'async_block':
      return widen(at.expression(node.children.at(-1)), node);
    case 'binary_expression': {
      const left = at.field(node, 'left');
      const right = at.field(node, 'right');
      const operator = at.fieldText(node, 'operator');
      if (COMPARISONS.has(operator)) {
        return { start: node.start, end: node.end, kind: 'compare', operator, parts: [left, right] };
      }
      return operator === '+' ? concatenate(node, left, right) : otherOf(node, [left, right]);
    }
    case 'unary_expression': {
      const operand = at.expression(node.children.at(-1));
      return at.source.text[node.start] === '!'
        ? { start: node.start, end: node.end, kind: 'not', operand }
        : widen(operand, node);
    }
    case 'type_cast_expression':
      return widen(at.field(node, 'value'), node);
    case 'closure_expression':
      return functionOf(node, lowerClosure(node, at));
    default:
      return otherOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
  }
}

/** What the arms of an `if` or a `match` end in. */
function tailsOf(node: SyntaxNode): SyntaxNode[] {
  const bodies =
    node.type === 'if_expression'
      ? [childOf(node, 'consequence'), childOf(node, 'alternative')?.children[0]]
      : (childOf(node, 'body')?.children ?? []).map((arm) => childOf(arm, 'value'));
  return bodies.flatMap((body) => {
    const tail = body?.type === 'block' ? body.children.at(-1) : body;
    return tail === undefined || /^(?:expression_statement|return_expression|let_declaration)$/.test(tail.type)
      ? []
      : [tail];
  });
}

function lowerCall(node: SyntaxNode, at: Lowering): Expression {
  const callee = at.field(node, 'function');
  const args = at.expressions((childOf(node, 'arguments')?.children ?? []).filter(({ isNamed }) => isNamed));
  const [first] = args;
  if (callee.kind === 'name' && (callee.name === 'Ok' || callee.name === 'Some') && first !== undefined) {
    return first;
  }
  if (callee.kind === 'member' && callee.name === 'unwrap_or' && first !== undefined) {
    return choiceOf(node, callee.object, [callee.object, first]);
  }
  return callOf(node, callee, args);
}

/** `T { a: x, ..rest }` becomes a call of T with named arguments. */
function lowerStruct(node: SyntaxNode, at: Lowering): Expression {
  const named = (childOf(node, 'body')?.children ?? []).flatMap((member) => {
    if (member.type === 'field_initializer') {
      return [entryOf(member, at.fieldText(member, 'field'), at.field(member, 'value'))];
    }
    return member.type === 'shorthand_field_initializer'
      ? [entryOf(member, at.text(member), at.expression(member.children[0] ?? member))]
      : [];
  });
  return callOf(node, at.field(node, 'name'), [], named, true);
}

function lowerMacro(node: SyntaxNode, at: Lowering): Expression {
  const tree = childOfType(node, 'token_tree');
  return tree === undefined
    ? otherOf(node)
    : macroValue(node, at.fieldText(node, 'macro'), at.source.text, { start: tree.start + 1, end: tree.end - 1 });
}
