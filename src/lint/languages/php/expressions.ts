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
} from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';
import { lowerFunction } from './functions.ts';

const COMPARISONS = new Set(['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'instanceof']);
const SPECIFIER = /%(?:%|(?:\d{1,3}\$)?[-+ 0]{0,8}\d{0,6}(?:\.\d{1,6})?[a-zA-Z])/g;
const UNWRAPPED = new Set(['parenthesized_expression', 'error_suppression_expression', 'clone_expression', 'argument']);

/** Lowers an expression of PHP. `$x` is the name x. */
export function lowerPhpExpression(node: SyntaxNode, at: Lowering): Expression {
  if (UNWRAPPED.has(node.type)) {
    return widen(at.expression(node.children.at(-1)), node);
  }
  switch (node.type) {
    case 'string':
    case 'nowdoc':
      return textOfParts(node, [
        at
          .text(node)
          .slice(1, -1)
          .replace(/\\(['\\])/g, '$1'),
      ]);
    case 'encapsed_string':
      return textOfParts(node, partsOf(node, at));
    case 'heredoc': {
      const body = childOf(node, 'value') ?? childOfType(node, 'heredoc_body');
      return textOfParts(node, body === undefined ? [] : partsOf(body, at));
    }
    case 'variable_name':
      return nameOf(node, at.text(node).replace(/^\$+/, ''));
    case 'name':
    case 'qualified_name':
    case 'relative_scope':
      return nameOf(node, lastPart(at.text(node)));
    case 'null':
      return constantOf(node, null);
    case 'boolean':
      return constantOf(node, at.text(node).toLowerCase() === 'true');
    case 'integer':
    case 'float':
      return constantOf(node, Number.parseFloat(at.text(node)));
    case 'member_access_expression':
    case 'nullsafe_member_access_expression':
      return memberOf(node, at.field(node, 'object'), at.fieldText(node, 'name'));
    case 'class_constant_access_expression':
      return lowerConstant(node, at);
    case 'scoped_property_access_expression':
      return memberOf(node, at.field(node, 'scope'), at.fieldText(node, 'name').replace(/^\$/, ''));
    case 'subscript_expression': {
      const [object, index] = at.expressions(node.children);
      const key = index === undefined ? undefined : constantText(index);
      return object === undefined || key === undefined
        ? otherOf(node, object === undefined ? [] : [object])
        : memberOf(node, object, key);
    }
    case 'member_call_expression':
    case 'nullsafe_member_call_expression':
      return lowerCall(
        node,
        memberOf(node, at.field(node, 'object'), at.fieldText(node, 'name')),
        childOf(node, 'arguments'),
        at,
      );
    case 'scoped_call_expression':
      return lowerCall(
        node,
        memberOf(node, at.field(node, 'scope'), at.fieldText(node, 'name')),
        childOf(node, 'arguments'),
        at,
      );
    case 'function_call_expression':
      return lowerCall(node, at.field(node, 'function'), childOf(node, 'arguments'), at);
    case 'object_creation_expression': {
      const { args, named } = argumentsOf(childOfType(node, 'arguments'), at);
      return callOf(node, at.expression(node.children[0]), args, named, true);
    }
    case 'array_creation_expression':
      return lowerArray(node, at);
    case 'conditional_expression': {
      const condition = at.field(node, 'condition');
      const body = childOf(node, 'body');
      return choiceOf(node, condition, [
        body === undefined ? condition : at.expression(body),
        at.field(node, 'alternative'),
      ]);
    }
    case 'match_expression':
      return choiceOf(
        node,
        undefined,
        armValues(node).map((value) => at.expression(value)),
      );
    case 'binary_expression':
      return lowerBinary(node, at);
    case 'unary_op_expression': {
      const operand = at.field(node, 'argument');
      return at.fieldText(node, 'operator') === '!'
        ? { start: node.start, end: node.end, kind: 'not', operand }
        : otherOf(node, [operand]);
    }
    case 'cast_expression':
      return widen(at.field(node, 'value'), node);
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return widen(at.field(node, 'right'), node);
    case 'anonymous_function':
    case 'anonymous_function_creation_expression':
    case 'arrow_function':
      return functionOf(node, lowerFunction(node, at));
    default:
      return otherOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
  }
}

/** The last part of a name with namespaces. */
export const lastPart = (name: string) => name.split('\\').at(-1) ?? name;

function partsOf(node: SyntaxNode, at: Lowering): (string | Expression)[] {
  return node.children.map((child) =>
    child.type === 'string_content' || child.type === 'escape_sequence'
      ? readEscapes(at.text(child))
      : at.expression(child),
  );
}

/** `self::BAD` is the constant BAD, `T::class` stands for T. */
function lowerConstant(node: SyntaxNode, at: Lowering): Expression {
  const [scope, name] = node.children;
  const constant = at.text(name);
  return constant === 'class' && scope !== undefined
    ? memberOf(node, at.expression(scope), 'class')
    : nameOf(node, constant);
}

function lowerCall(node: SyntaxNode, callee: Expression, list: SyntaxNode | undefined, at: Lowering): Expression {
  const { args, named } = argumentsOf(list, at);
  const [first] = args;
  const format = first === undefined ? undefined : constantText(first);
  return callee.kind === 'name' && callee.name === 'sprintf' && format !== undefined
    ? textOfParts(node, formatParts(format, SPECIFIER, args.slice(1)))
    : callOf(node, callee, args, named);
}

/** The arguments of a call or an attribute, those with names apart. */
export function argumentsOf(list: SyntaxNode | undefined, at: Lowering): { args: Expression[]; named: Entry[] } {
  const args: Expression[] = [];
  const named: Entry[] = [];
  for (const argument of list?.children ?? []) {
    const name = childOf(argument, 'name');
    const value = at.expression(argument.children.at(-1));
    if (argument.type === 'argument' && name !== undefined) {
      named.push(entryOf(argument, at.text(name), value));
    } else {
      args.push(value);
    }
  }
  return { args, named };
}

/** An array with a key is an object, any other a list. */
function lowerArray(node: SyntaxNode, at: Lowering): Expression {
  const entries: Entry[] = [];
  const items: Expression[] = [];
  const spreads: Expression[] = [];
  for (const element of node.children) {
    const [first, second] = element.children;
    if (first?.type === 'variadic_unpacking') {
      spreads.push(at.expression(first.children[0]));
    } else if (second !== undefined && first !== undefined) {
      entries.push(entryOf(element, constantText(at.expression(first)), at.expression(second)));
    } else {
      items.push(at.expression(first));
    }
  }
  return entries.length > 0 ? objectOf(node, entries, spreads) : listOf(node, items, spreads);
}

/** What the arms of a match give, those that throw left out. */
function armValues(node: SyntaxNode): SyntaxNode[] {
  return (childOf(node, 'body')?.children ?? []).flatMap((arm) => {
    const value = childOf(arm, 'return_expression');
    return value === undefined || value.type === 'throw_expression' ? [] : [value];
  });
}

function lowerBinary(node: SyntaxNode, at: Lowering): Expression {
  const left = at.field(node, 'left');
  const right = at.field(node, 'right');
  const operator = at.fieldText(node, 'operator');
  if (operator === '??') {
    return choiceOf(node, left, [left, right]);
  }
  if (COMPARISONS.has(operator)) {
    return { start: node.start, end: node.end, kind: 'compare', operator, parts: [left, right] };
  }
  // The dot is no operator in other languages, so the tree leaves it out.
  const isDot = /^\s*\.\s*$/.test(at.source.text.slice(left.end, right.start));
  return isDot ? concatenate(node, left, right) : otherOf(node, [left, right]);
}
