import type { Arm, Block, CatchClause, Expression, ModuleIr, Statement, Target } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { type LoweringContext, lowerTopLevel, MAX_DEPTH, textOf } from '../lowering.ts';
import { lowerClass } from './classes.ts';
import { lowerExpression } from './expressions.ts';
import { lowerFunction, namesIn } from './functions.ts';
import { importsIn } from './imports.ts';

/** Lowers a parsed file of TypeScript, TSX, JavaScript or JSX; undefined when it is no longer wanted. */
export async function lowerTypeScript(
  root: SyntaxNode,
  source: SourceText,
  pacer: Pacer,
): Promise<ModuleIr | undefined> {
  const context: LoweringContext = { source, depth: 0, pending: [], owner: undefined };
  const body = await lowerTopLevel(root, context, pacer, lowerBlock);
  return body === undefined ? undefined : { body, imports: importsIn(root, context) };
}

export function lowerBlock(node: SyntaxNode | undefined, context: LoweringContext): Block {
  if (node === undefined || context.depth > MAX_DEPTH) {
    return [];
  }
  context.depth++;
  const statements = node.children.flatMap((child) => lowerStatement(child, context));
  context.depth--;
  return statements;
}

/** A body that may be a block or a single statement. */
function lowerBody(node: SyntaxNode | undefined, context: LoweringContext): Block {
  if (node === undefined || node.type === 'statement_block') {
    return lowerBlock(node, context);
  }
  if (context.depth > MAX_DEPTH) {
    return [];
  }
  context.depth++;
  const statements = lowerStatement(node, context);
  context.depth--;
  return statements;
}

function lowerStatement(
  node: SyntaxNode,
  context: LoweringContext,
  exported: 'no' | 'named' | 'default' = 'no',
): Statement[] {
  const { start, end } = node;
  const lower = (child: SyntaxNode | undefined) => lowerExpression(child, context);
  switch (node.type) {
    case 'return_statement': {
      const value = node.children.find((child) => child.isNamed);
      return [{ start, end, kind: 'return', value: value === undefined ? undefined : lower(value), isImplicit: false }];
    }
    case 'throw_statement':
      return [{ start, end, kind: 'throw', value: lower(node.children[0]) }];
    case 'expression_statement':
      return node.children.flatMap((child) => lowerExpressionStatement(child, context));
    case 'lexical_declaration':
    case 'variable_declaration':
      return node.children
        .filter((c) => c.type === 'variable_declarator')
        .flatMap((c) => lowerDeclarator(c, context, exported));
    case 'if_statement':
      return [lowerIf(node, context)];
    case 'switch_statement':
      return [lowerSwitch(node, context)];
    case 'for_in_statement':
      return [
        {
          start,
          end,
          kind: 'loop',
          variables: namesIn(childOf(node, 'left'), context),
          iterable: lower(childOf(node, 'right')),
          body: lowerBody(childOf(node, 'body'), context),
        },
      ];
    case 'for_statement':
    case 'while_statement':
    case 'do_statement':
      return [
        {
          start,
          end,
          kind: 'loop',
          variables: [],
          iterable: undefined,
          body: lowerBody(childOf(node, 'body'), context),
        },
      ];
    case 'try_statement':
      return [lowerTry(node, context)];
    case 'statement_block':
      return [{ start, end, kind: 'block', binds: [], uses: [], body: lowerBlock(node, context) }];
    case 'labeled_statement':
      return [{ start, end, kind: 'block', binds: [], uses: [], body: lowerBody(childOf(node, 'body'), context) }];
    case 'function_declaration':
    case 'generator_function_declaration':
      return [
        {
          start,
          end,
          kind: 'function',
          value: lowerFunction(node, context, {
            isExported: exported !== 'no',
            isDefaultExport: exported === 'default',
          }),
        },
      ];
    case 'class_declaration':
    case 'abstract_class_declaration':
      return [{ start, end, kind: 'class', value: lowerClass(node, context, exported === 'default') }];
    case 'export_statement':
      return lowerExport(node, context);
    case 'break_statement':
    case 'continue_statement':
      return [{ start, end, kind: 'jump' }];
    case 'ERROR':
      return [...lowerBlock(node, context)];
    default:
      return [];
  }
}

function lowerExport(node: SyntaxNode, context: LoweringContext): Statement[] {
  const isDefault = /^export\s+default\b/.test(context.source.text.slice(node.start, node.start + 40));
  const declaration = childOf(node, 'declaration');
  if (declaration !== undefined) {
    return lowerStatement(declaration, context, isDefault ? 'default' : 'named');
  }
  const value = childOf(node, 'value');
  if (value === undefined) {
    return [];
  }
  const { start, end } = node;
  if (value.type === 'class') {
    return [{ start, end, kind: 'class', value: lowerClass(value, context, true) }];
  }
  const lowered =
    value.type === 'arrow_function' || value.type === 'function_expression'
      ? ({
          start: value.start,
          end: value.end,
          kind: 'function',
          value: lowerFunction(value, context, { isDefaultExport: true, isExported: true }),
        } as const)
      : lowerExpression(value, context);
  return lowered.kind === 'function'
    ? [{ start, end, kind: 'function', value: lowered.value }]
    : [{ start, end, kind: 'assign', target: { kind: 'name', name: 'default' }, value: lowered, isAugmented: false }];
}

function lowerExpressionStatement(node: SyntaxNode, context: LoweringContext): Statement[] {
  const { start, end } = node;
  const left = childOf(node, 'left');
  const isAugmented = node.type === 'augmented_assignment_expression';
  if (left === undefined || (!isAugmented && node.type !== 'assignment_expression')) {
    return [{ start, end, kind: 'expression', value: lowerExpression(node, context) }];
  }
  const target = lowerTarget(left, context);
  return [{ start, end, kind: 'assign', target, value: lowerExpression(childOf(node, 'right'), context), isAugmented }];
}

function lowerTarget(node: SyntaxNode, context: LoweringContext): Target {
  if (node.type === 'identifier') {
    return { kind: 'name', name: textOf(context, node) };
  }
  if (node.type === 'member_expression' || node.type === 'subscript_expression') {
    const lowered = lowerExpression(node, context);
    const object = lowered.kind === 'member' ? lowered.object : lowered.kind === 'other' ? lowered.parts[0] : undefined;
    return object?.kind === 'name'
      ? { kind: 'member', object: object.name, key: lowered.kind === 'member' ? lowered.name : undefined }
      : { kind: 'pattern', names: [] };
  }
  return { kind: 'pattern', names: namesIn(node, context) };
}

function lowerDeclarator(
  node: SyntaxNode,
  context: LoweringContext,
  exported: 'no' | 'named' | 'default',
): Statement[] {
  const name = childOf(node, 'name');
  const valueNode = childOf(node, 'value');
  if (name === undefined) {
    return [];
  }
  const { start, end } = node;
  if (name.type !== 'identifier') {
    const value = valueNode === undefined ? undefined : lowerExpression(valueNode, context);
    return [
      {
        start,
        end,
        kind: 'assign',
        target: { kind: 'pattern', names: namesIn(name, context) },
        value,
        isAugmented: false,
      },
    ];
  }
  const text = textOf(context, name);
  if (valueNode !== undefined && (valueNode.type === 'arrow_function' || valueNode.type === 'function_expression')) {
    const value = lowerFunction(valueNode, context, { name: text, isExported: exported !== 'no' });
    return [{ start, end, kind: 'function', value }];
  }
  const value: Expression =
    valueNode === undefined ? { start, end, kind: 'constant', value: null } : lowerExpression(valueNode, context);
  return [{ start, end, kind: 'assign', target: { kind: 'name', name: text }, value, isAugmented: false }];
}

/** An `else if` chain becomes arms of one branch, so that its length costs no nesting. */
function lowerIf(node: SyntaxNode, context: LoweringContext): Statement {
  const arms: Arm[] = [];
  let current: SyntaxNode | undefined = node;
  while (current !== undefined) {
    const condition = lowerExpression(childOf(current, 'condition'), context);
    arms.push({ condition, body: lowerBody(childOf(current, 'consequence'), context) });
    const otherwise: SyntaxNode | undefined = childOf(current, 'alternative')?.children.find((child) => child.isNamed);
    current = otherwise?.type === 'if_statement' ? otherwise : undefined;
    if (otherwise !== undefined && current === undefined) {
      arms.push({ condition: undefined, body: lowerBody(otherwise, context) });
    }
  }
  return { start: node.start, end: node.end, kind: 'branch', subject: undefined, arms };
}

function lowerSwitch(node: SyntaxNode, context: LoweringContext): Statement {
  const subject = lowerExpression(childOf(node, 'value'), context);
  const arms: Arm[] = [];
  for (const child of childOf(node, 'body')?.children ?? []) {
    const value = childOf(child, 'value');
    const body = child.children.filter((part) => part !== value).flatMap((part) => lowerBody(part, context));
    const condition: Expression | undefined =
      value === undefined
        ? undefined
        : {
            start: value.start,
            end: value.end,
            kind: 'compare',
            operator: '===',
            parts: [subject, lowerExpression(value, context)],
          };
    arms.push({ condition, body });
  }
  return { start: node.start, end: node.end, kind: 'branch', subject, arms };
}

function lowerTry(node: SyntaxNode, context: LoweringContext): Statement {
  const handler = childOf(node, 'handler');
  const catches: CatchClause[] =
    handler === undefined
      ? []
      : [
          {
            start: handler.start,
            end: handler.end,
            types: [],
            variable: namesIn(childOf(handler, 'parameter'), context)[0],
            body: lowerBlock(childOf(handler, 'body'), context),
          },
        ];
  const finale = childOfType(node, 'finally_clause');
  return {
    start: node.start,
    end: node.end,
    kind: 'try',
    body: lowerBlock(childOf(node, 'body'), context),
    catches,
    orElse: [],
    finale: finale === undefined ? [] : lowerBlock(childOf(finale, 'body'), context),
  };
}
