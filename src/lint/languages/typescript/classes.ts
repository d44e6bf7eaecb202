import type { ClassIr, Expression, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { type LoweringContext, textOf } from '../lowering.ts';
import { keyOf, lowerExpression } from './expressions.ts';
import { lowerFunction } from './functions.ts';

/** Lowers a class: methods become functions, fields assignments. A field that is a function becomes a method. */
export function lowerClass(node: SyntaxNode, context: LoweringContext, isDefaultExport: boolean): ClassIr {
  const { owner } = context;
  const name = childOf(node, 'name');
  context.owner = name === undefined ? '(class)' : textOf(context, name);
  const body: Statement[] = [];
  let decorators: Expression[] = [];
  for (const member of childOf(node, 'body')?.children ?? []) {
    const { start, end } = member;
    if (member.type === 'decorator') {
      decorators.push(lowerExpression(member.children[0], context));
      continue;
    }
    if (member.type === 'method_definition') {
      body.push({ start, end, kind: 'function', value: lowerFunction(member, context, { decorators }) });
    } else if (member.type === 'public_field_definition' || member.type === 'field_definition') {
      body.push(...lowerField(member, context));
    }
    decorators = [];
  }
  context.owner = owner;
  return {
    start: node.start,
    end: node.end,
    name: name === undefined ? undefined : textOf(context, name),
    bases: basesOf(node, context),
    body,
    isDefaultExport,
  };
}

function lowerField(member: SyntaxNode, context: LoweringContext): Statement[] {
  const key = keyOf(childOf(member, 'name') ?? childOf(member, 'property'), context);
  const value = childOf(member, 'value');
  if (key === undefined || value === undefined) {
    return [];
  }
  const { start, end } = member;
  if (value.type === 'arrow_function' || value.type === 'function_expression') {
    return [{ start, end, kind: 'function', value: lowerFunction(value, context, { name: key }) }];
  }
  const target = { kind: 'name', name: key } as const;
  return [{ start, end, kind: 'assign', target, value: lowerExpression(value, context), isAugmented: false }];
}

function basesOf(node: SyntaxNode, context: LoweringContext): string[] {
  const heritage = childOfType(node, 'class_heritage');
  if (heritage === undefined) {
    return [];
  }
  // TypeScript wraps the base in an extends clause, plain JavaScript's grammar does not.
  const clause = childOfType(heritage, 'extends_clause') ?? heritage;
  const value = childOf(clause, 'value') ?? clause.children[0];
  return value === undefined ? [] : [textOf(context, value)];
}
