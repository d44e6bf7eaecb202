import type { Entry, Expression } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { concatenate, constantText, widen } from '../lowering.ts';
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
import { lowerString } from './strings.ts';

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=', 'is']);
const PLACE = /\{\{|\}\}|\{(\d{1,3})[^{}\d][^{}]{0,60}\}|\{(\d{1,3})\}/g;
const WRAPPERS = new Set([
  'parenthesized_expression',
  'await_expression',
  'checked_expression',
  'constant_pattern',
  'ref_expression',
]);

/** Lowers an expression of C#. `new T { … }` becomes a call of T with named arguments. */
export function lowerCSharpExpression(node: SyntaxNode, at: Lowering): Expression {
  if (WRAPPERS.has(node.type)) {
    return widen(at.expression(node.children[0]), node);
  }
  switch (node.type) {
    case 'string_literal':
    case 'verbatim_string_literal':
    case 'raw_string_literal':
    case 'interpolated_string_expression':
      return lowerString(node, at);
    case 'identifier':
    case 'generic_name':
    case 'predefined_type':
      return nameOf(node, bare(at.text(node)));
    case 'null_literal':
    case 'default_expression':
      return constantOf(node, null);
    case 'boolean_literal':
      return constantOf(node, at.text(node) === 'true');
    case 'integer_literal':
    case 'real_literal':
      return constantOf(node, Number.parseFloat(at.text(node)));
    case 'argument':
      return at.expression(node.children.at(-1));
    case 'member_access_expression': {
      const object = childOf(node, 'expression');
      return memberOf(
        node,
        object === undefined ? nameOf(node, 'this') : at.expression(object),
        bare(at.fieldText(node, 'name')),
      );
    }
    case 'conditional_access_expression':
      return lowerConditionalAccess(node, at);
    case 'invocation_expression':
      return lowerInvocation(node, at.field(node, 'function'), at);
    case 'object_creation_expression':
    case 'implicit_object_creation_expression':
      return lowerCreation(node, at);
    case 'anonymous_object_creation_expression':
      return objectOf(node, anonymousEntries(node, at));
    case 'array_creation_expression':
    case 'implicit_array_creation_expression':
      return listOf(node, at.expressions(childOfType(node, 'initializer_expression')?.children ?? []));
    case 'initializer_expression':
    case 'element_binding_expression':
    case 'collection_expression':
      return listOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
    case 'conditional_expression':
      return choiceOf(node, at.field(node, 'condition'), [
        at.field(node, 'consequence'),
        at.field(node, 'alternative'),
      ]);
    case 'switch_expression':
      return choiceOf(
        node,
        undefined,
        armsOf(node).flatMap((arm) =>
          arm.children.at(-1)?.type === 'throw_expression' ? [] : [at.expression(arm.children.at(-1))],
        ),
      );
    case 'binary_expression':
      return lowerBinary(node, at);
    case 'is_pattern_expression':
    case 'is_expression': {
      const { start, end } = node;
      const parts = at.expressions(node.children.filter(({ isNamed }) => isNamed));
      return { start, end, kind: 'compare', operator: 'is', parts };
    }
    case 'as_expression':
      return widen(at.field(node, 'left'), node);
    case 'cast_expression':
      return widen(at.field(node, 'value'), node);
    case 'postfix_unary_expression':
      return widen(at.expression(node.children[0]), node);
    case 'prefix_unary_expression':
      return at.source.text[node.start] === '!'
        ? { start: node.start, end: node.end, kind: 'not', operand: at.expression(node.children.at(-1)) }
        : otherOf(node, [at.expression(node.children.at(-1))]);
    case 'assignment_expression':
      return widen(at.field(node, 'right'), node);
    case 'element_access_expression': {
      const object = at.field(node, 'expression');
      const index = at.expression(childOf(node, 'subscript')?.children[0]);
      const key = constantText(index);
      return key === undefined ? otherOf(node, [object, index]) : memberOf(node, object, key);
    }
    case 'lambda_expression':
    case 'anonymous_method_expression':
      return functionOf(node, lowerFunction(node, at));
    default:
      return otherOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
  }
}

/** The arms of a switch expression. */
export const armsOf = (node: SyntaxNode) => node.children.filter(({ type }) => type === 'switch_expression_arm');

/** A name without its type arguments. */
const bare = (name: string) => withoutArguments(name).replace(/^@/, '');

function lowerConditionalAccess(node: SyntaxNode, at: Lowering): Expression {
  const object = at.field(node, 'condition');
  const access = node.children.at(-1);
  if (access?.type === 'member_binding_expression') {
    return memberOf(node, object, bare(at.fieldText(access, 'name')));
  }
  const called = access?.type === 'invocation_expression' ? childOf(access, 'function') : undefined;
  return access !== undefined && called?.type === 'member_binding_expression'
    ? lowerInvocation(access, memberOf(node, object, bare(at.fieldText(called, 'name'))), at)
    : otherOf(node, [object, at.expression(access)]);
}

function lowerInvocation(node: SyntaxNode, callee: Expression, at: Lowering): Expression {
  const { args, named } = argumentsOf(childOf(node, 'arguments'), at);
  const [first] = args;
  const format = first === undefined ? undefined : constantText(first);
  if (callee.kind === 'member' && callee.name === 'Format' && format !== undefined) {
    return textOfParts(node, formatParts(format, PLACE, args.slice(1)));
  }
  // A method of the class around may be called by its bare name.
  const isSibling = callee.kind === 'name' && at.siblings.has(callee.name);
  return callOf(node, isSibling ? memberOf(callee, nameOf(callee, 'this'), callee.name) : callee, args, named);
}

/** The arguments of a call or an attribute, those with names apart. */
export function argumentsOf(list: SyntaxNode | undefined, at: Lowering): { args: Expression[]; named: Entry[] } {
  const args: Expression[] = [];
  const named: Entry[] = [];
  for (const argument of list?.children ?? []) {
    const name = childOf(argument, 'name') ?? childOfType(argument, 'name_colon')?.children[0];
    const [inner] = argument.children;
    if (inner?.type === 'assignment_expression' && argument.type === 'attribute_argument') {
      named.push(entryOf(argument, at.fieldText(inner, 'left'), at.field(inner, 'right')));
    } else if (name !== undefined) {
      named.push(entryOf(argument, at.text(name), at.expression(argument.children.at(-1))));
    } else {
      args.push(at.expression(argument.children.at(-1)));
    }
  }
  return { args, named };
}

function lowerCreation(node: SyntaxNode, at: Lowering): Expression {
  const type = bare(at.fieldText(node, 'type'));
  const initializer = childOfType(node, 'initializer_expression');
  const { args, named } = argumentsOf(childOf(node, 'arguments') ?? childOfType(node, 'argument_list'), at);
  const members = initializer?.children ?? [];
  if (/Dictionary$|^JsonObject$/.test(type)) {
    return objectOf(
      node,
      members.map((member) => dictionaryEntry(member, at)),
    );
  }
  const assigned = members.filter(({ type: kind }) => kind === 'assignment_expression');
  if (initializer !== undefined && assigned.length === 0 && members.length > 0) {
    return listOf(node, at.expressions(members));
  }
  const entries = assigned.map((member) => entryOf(member, at.fieldText(member, 'left'), at.field(member, 'right')));
  const path = type.split('.').at(-1) ?? type;
  return callOf(node, nameOf(childOf(node, 'type') ?? node, path), args, [...named, ...entries], true);
}

function dictionaryEntry(member: SyntaxNode, at: Lowering): Entry {
  const [key, value] =
    member.type === 'assignment_expression'
      ? [childOf(member, 'left')?.children[0], childOf(member, 'right')]
      : [member.children[0], member.children[1]];
  return entryOf(member, constantText(at.expression(key)), at.expression(value));
}

/** `new { error = x, ok }`: the grammar lists names and values side by side. */
function anonymousEntries(node: SyntaxNode, at: Lowering): Entry[] {
  const entries: Entry[] = [];
  for (let index = 0; index < node.children.length; index++) {
    const child = node.children[index];
    const next = node.children[index + 1];
    if (child === undefined) {
      break;
    }
    const isKey = next !== undefined && /^\s*=(?!=)/.test(at.source.text.slice(child.end, next.start));
    if (isKey && next !== undefined) {
      entries.push(entryOf({ start: child.start, end: next.end }, at.text(child), at.expression(next)));
      index++;
    } else {
      const value = at.expression(child);
      entries.push(entryOf(child, value.kind === 'name' || value.kind === 'member' ? value.name : undefined, value));
    }
  }
  return entries;
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
  return operator === '+' ? concatenate(node, left, right) : otherOf(node, [left, right]);
}
