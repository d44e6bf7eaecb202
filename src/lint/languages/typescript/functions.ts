import type { Expression, FunctionIr, Parameter } from '../../ir.ts';
import { childOf, type SyntaxNode } from '../../syntax.ts';
import { type LoweringContext, textOf } from '../lowering.ts';
import { keyOf, lowerExpression } from './expressions.ts';
import { lowerBlock } from './statements.ts';

export interface FunctionFacts {
  readonly name?: string | undefined;
  readonly decorators?: readonly Expression[];
  readonly isExported?: boolean;
  readonly isDefaultExport?: boolean;
}

/** Lowers a function in any of its forms; an expression body becomes an implicit return. */
export function lowerFunction(node: SyntaxNode, context: LoweringContext, facts: FunctionFacts = {}): FunctionIr {
  const { owner } = context;
  const isMethod = node.type === 'method_definition';
  // Arrow functions keep the `this` of the class around them, so do not forget the owner inside them.
  if (!isMethod && node.type !== 'arrow_function') {
    context.owner = undefined;
  }
  const body = childOf(node, 'body');
  const returnType = childOf(node, 'return_type');
  const single = childOf(node, 'parameter');
  const parameters = single === undefined ? (childOf(node, 'parameters')?.children ?? []) : [single];
  const lowered: FunctionIr = {
    start: node.start,
    end: node.end,
    name: facts.name ?? keyOf(childOf(node, 'name'), context),
    parameters: parameters.filter((child) => child.isNamed).map((child) => lowerParameter(child, context)),
    body:
      body === undefined
        ? []
        : body.type === 'statement_block'
          ? lowerBlock(body, context)
          : [
              {
                start: body.start,
                end: body.end,
                kind: 'return',
                value: lowerExpression(body, context),
                isImplicit: true,
              },
            ],
    decorators: facts.decorators ?? [],
    returnType: returnType === undefined ? undefined : textOf(context, returnType).replace(/^:\s*/, ''),
    owner,
    isExported: facts.isExported ?? false,
    isDefaultExport: facts.isDefaultExport ?? false,
  };
  context.owner = owner;
  return lowered;
}

function lowerParameter(node: SyntaxNode, context: LoweringContext): Parameter {
  const pattern =
    childOf(node, 'pattern') ?? (node.type === 'assignment_pattern' ? childOf(node, 'left') : node) ?? node;
  const type = childOf(node, 'type');
  const isName = pattern.type === 'identifier';
  return {
    name: isName ? textOf(context, pattern) : undefined,
    names: isName ? [textOf(context, pattern)] : namesIn(pattern, context),
    type: type === undefined ? undefined : textOf(context, type).replace(/^:\s*/, ''),
  };
}

/** The names that a pattern binds, without recursion: patterns can nest. */
export function namesIn(pattern: SyntaxNode | undefined, context: LoweringContext): string[] {
  const names: string[] = [];
  const open = pattern === undefined ? [] : [pattern];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern') {
      names.push(textOf(context, node));
    } else if (node.field !== 'key' && node.field !== 'right' && !node.type.endsWith('_expression')) {
      open.push(...node.children);
    }
  }
  return names;
}
