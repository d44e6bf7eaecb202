import type { Expression, FunctionIr, Parameter } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { type LoweringContext, textOf } from '../lowering.ts';
import { lowerExpression } from './expressions.ts';
import { lowerBlock } from './statements.ts';

/** Lowers a `def` or a `lambda`. Its body has its own pending statements. */
export function lowerFunction(
  node: SyntaxNode,
  context: LoweringContext,
  decorators: readonly Expression[],
): FunctionIr {
  const { pending, owner } = context;
  context.pending = [];
  context.owner = undefined;
  const body = childOf(node, 'body');
  const name = childOf(node, 'name');
  const returnType = childOf(node, 'return_type');
  const lowered: FunctionIr = {
    start: node.start,
    end: node.end,
    name: name === undefined ? undefined : textOf(context, name),
    parameters: (childOf(node, 'parameters')?.children ?? []).map((child) => lowerParameter(child, context)),
    body:
      node.type === 'lambda' && body !== undefined
        ? [
            {
              start: body.start,
              end: body.end,
              kind: 'return',
              value: lowerExpression(body, context),
              isImplicit: true,
            },
          ]
        : lowerBlock(body, context),
    decorators,
    returnType: returnType === undefined ? undefined : textOf(context, returnType),
    owner,
    isExported: true,
    isDefaultExport: false,
  };
  context.pending = pending;
  context.owner = owner;
  return lowered;
}

function lowerParameter(node: SyntaxNode, context: LoweringContext): Parameter {
  const type = childOf(node, 'type');
  const name = node.type === 'identifier' ? node : (childOf(node, 'name') ?? childOfType(node, 'identifier'));
  const text = name === undefined ? undefined : textOf(context, name);
  return {
    name: node.type.endsWith('_pattern') ? undefined : text,
    names: text === undefined ? [] : [text],
    type: type === undefined ? undefined : textOf(context, type),
    hasDefault: childOf(node, 'value') !== undefined,
  };
}
