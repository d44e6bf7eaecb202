import type { Arm, Block, CatchClause, ClassIr, Expression, ImportIr, ModuleIr, Statement, Target } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { type LoweringContext, lowerTopLevel, MAX_DEPTH, textOf } from '../lowering.ts';
import { lowerExpression } from './expressions.ts';
import { lowerFunction } from './functions.ts';

/** Lowers a parsed Python file; undefined when it is no longer wanted. */
export async function lowerPython(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  const context: LoweringContext = { source, depth: 0, pending: [], owner: undefined };
  const body = await lowerTopLevel(root, context, pacer, lowerBlock);
  return body === undefined ? undefined : { body, imports: importsIn(root, context) };
}

export function lowerBlock(node: SyntaxNode | undefined, context: LoweringContext): Block {
  if (node === undefined || context.depth > MAX_DEPTH) {
    return [];
  }
  context.depth++;
  const statements: Statement[] = [];
  for (const child of node.children) {
    const lowered = lowerStatement(child, context);
    statements.push(...context.pending.splice(0), ...lowered);
  }
  context.depth--;
  return statements;
}

function lowerStatement(node: SyntaxNode, context: LoweringContext): Statement[] {
  const { start, end } = node;
  const lower = (child: SyntaxNode | undefined) => lowerExpression(child, context);
  switch (node.type) {
    case 'return_statement': {
      const value = node.children[0];
      return [{ start, end, kind: 'return', value: value === undefined ? undefined : lower(value), isImplicit: false }];
    }
    case 'raise_statement': {
      const value = node.children.find((child) => child.field !== 'cause');
      return [{ start, end, kind: 'throw', value: value === undefined ? undefined : lower(value) }];
    }
    case 'expression_statement':
      return node.children.flatMap((child) => lowerExpressionStatement(child, context));
    case 'if_statement':
      return lowerIf(node, context);
    case 'match_statement':
      return lowerMatch(node, context);
    case 'for_statement':
    case 'while_statement': {
      const left = childOf(node, 'left');
      const right = childOf(node, 'right');
      const iterable = right === undefined ? undefined : lower(right);
      const body = lowerBlock(childOf(node, 'body'), context);
      const after = childOf(node, 'alternative');
      return [
        { start, end, kind: 'loop', variables: left === undefined ? [] : namesIn(left, context), iterable, body },
        ...(after === undefined ? [] : lowerBlock(childOf(after, 'body'), context)),
      ];
    }
    case 'try_statement':
      return [lowerTry(node, context)];
    case 'with_statement': {
      const items = (childOfType(node, 'with_clause')?.children ?? []).map((item) => childOf(item, 'value') ?? item);
      const binds = items.flatMap((item) =>
        item.type === 'as_pattern' ? namesIn(childOf(item, 'alias'), context) : [],
      );
      const uses = items.map((item) => lower(item.type === 'as_pattern' ? item.children[0] : item));
      return [{ start, end, kind: 'block', binds, uses, body: lowerBlock(childOf(node, 'body'), context) }];
    }
    case 'function_definition':
      return [{ start, end, kind: 'function', value: lowerFunction(node, context, []) }];
    case 'class_definition':
      return [{ start, end, kind: 'class', value: lowerClass(node, context) }];
    case 'decorated_definition':
      return lowerDecorated(node, context);
    case 'break_statement':
    case 'continue_statement':
      return [{ start, end, kind: 'jump' }];
    case 'ERROR':
      return [...lowerBlock(node, context)];
    default:
      return [];
  }
}

function lowerExpressionStatement(node: SyntaxNode, context: LoweringContext): Statement[] {
  const { start, end } = node;
  if (node.type !== 'assignment' && node.type !== 'augmented_assignment') {
    return [{ start, end, kind: 'expression', value: lowerExpression(node, context) }];
  }
  const right = childOf(node, 'right');
  const left = childOf(node, 'left');
  if (left === undefined || right === undefined) {
    return [];
  }
  const isAugmented = node.type === 'augmented_assignment';
  // `a = b = value`: the inner assignment first.
  const inner = right.type === 'assignment' ? lowerExpressionStatement(right, context) : [];
  const last = inner.at(-1);
  const value = last?.kind === 'assign' && last.value !== undefined ? last.value : lowerExpression(right, context);
  return [...inner, { start, end, kind: 'assign', target: lowerTarget(left, context), value, isAugmented }];
}

function lowerTarget(node: SyntaxNode, context: LoweringContext): Target {
  if (node.type === 'identifier') {
    return { kind: 'name', name: textOf(context, node) };
  }
  const lowered = node.type === 'attribute' || node.type === 'subscript' ? lowerExpression(node, context) : undefined;
  if (lowered?.kind === 'member' && lowered.object.kind === 'name') {
    return { kind: 'member', object: lowered.object.name, key: lowered.name };
  }
  if (lowered?.kind === 'other' && lowered.parts[0]?.kind === 'name') {
    return { kind: 'member', object: lowered.parts[0].name, key: undefined };
  }
  return { kind: 'pattern', names: lowered === undefined ? namesIn(node, context) : [] };
}

/** The names that a pattern binds, without recursion: patterns can nest. */
function namesIn(pattern: SyntaxNode | undefined, context: LoweringContext): string[] {
  const names: string[] = [];
  const open = pattern === undefined ? [] : [pattern];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'identifier') {
      names.push(textOf(context, node));
    } else if (node.type !== 'attribute' && node.type !== 'subscript') {
      open.push(...node.children);
    }
  }
  return names;
}

function lowerIf(node: SyntaxNode, context: LoweringContext): Statement[] {
  const condition = lowerExpression(childOf(node, 'condition'), context);
  const before = context.pending.splice(0);
  const arms: Arm[] = [{ condition, body: lowerBlock(childOf(node, 'consequence'), context) }];
  for (const child of node.children) {
    if (child.type === 'elif_clause') {
      const test = lowerExpression(childOf(child, 'condition'), context);
      before.push(...context.pending.splice(0));
      arms.push({ condition: test, body: lowerBlock(childOf(child, 'consequence'), context) });
    } else if (child.type === 'else_clause') {
      arms.push({ condition: undefined, body: lowerBlock(childOf(child, 'body'), context) });
    }
  }
  return [...before, { start: node.start, end: node.end, kind: 'branch', subject: undefined, arms }];
}

function lowerMatch(node: SyntaxNode, context: LoweringContext): Statement[] {
  const subject = lowerExpression(childOf(node, 'subject'), context);
  const before = context.pending.splice(0);
  const arms: Arm[] = [];
  for (const child of childOf(node, 'body')?.children ?? []) {
    const pattern = child.type === 'case_clause' ? childOfType(child, 'case_pattern') : undefined;
    if (pattern !== undefined) {
      const isDefault = textOf(context, pattern) === '_' && childOf(child, 'guard') === undefined;
      const condition: Expression = { start: pattern.start, end: pattern.end, kind: 'other', parts: [subject] };
      const body = lowerBlock(childOf(child, 'consequence'), context);
      arms.push({ condition: isDefault ? undefined : condition, body });
    }
  }
  return [...before, { start: node.start, end: node.end, kind: 'branch', subject, arms }];
}

function lowerTry(node: SyntaxNode, context: LoweringContext): Statement {
  const catches: CatchClause[] = [];
  for (const child of node.children) {
    if (child.type === 'except_clause' || child.type === 'except_group_clause') {
      const value = childOf(child, 'value') ?? child.children.find((part) => part.type !== 'block');
      const isBound = value?.type === 'as_pattern';
      const caught = isBound ? value.children[0] : value;
      const types =
        caught === undefined
          ? []
          : caught.type === 'tuple'
            ? caught.children.map((t) => textOf(context, t))
            : [textOf(context, caught)];
      const block = childOfType(child, 'block');
      catches.push({
        start: child.start,
        end: child.end,
        types,
        variable: isBound ? namesIn(childOf(value, 'alias'), context)[0] : undefined,
        body: lowerBlock(block, context),
        inside: block?.children[0],
      });
    }
  }
  const orElse = childOfType(node, 'else_clause');
  const finale = childOfType(node, 'finally_clause');
  return {
    start: node.start,
    end: node.end,
    kind: 'try',
    body: lowerBlock(childOf(node, 'body'), context),
    catches,
    orElse: orElse === undefined ? [] : lowerBlock(childOf(orElse, 'body'), context),
    finale: finale === undefined ? [] : lowerBlock(childOfType(finale, 'block'), context),
  };
}

function lowerDecorated(node: SyntaxNode, context: LoweringContext): Statement[] {
  const definition = childOf(node, 'definition');
  const decorators = node.children
    .filter((child) => child.type === 'decorator')
    .map((child) => lowerExpression(child.children[0], context));
  if (definition?.type === 'function_definition') {
    return [
      { start: node.start, end: node.end, kind: 'function', value: lowerFunction(definition, context, decorators) },
    ];
  }
  return definition === undefined ? [] : lowerStatement(definition, context);
}

function lowerClass(node: SyntaxNode, context: LoweringContext): ClassIr {
  const { owner } = context;
  const name = childOf(node, 'name');
  context.owner = name === undefined ? undefined : textOf(context, name);
  const bases = (childOf(node, 'superclasses')?.children ?? []).filter((child) => child.type !== 'keyword_argument');
  const lowered: ClassIr = {
    start: node.start,
    end: node.end,
    name: context.owner,
    bases: bases.map((base) => textOf(context, base)),
    body: lowerBlock(childOf(node, 'body'), context),
    isDefaultExport: false,
  };
  context.owner = owner;
  return lowered;
}

/** All imports of the file, at any depth: servers often import inside functions. */
function importsIn(root: SyntaxNode, context: LoweringContext): ImportIr[] {
  const imports: ImportIr[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'import_statement' || node.type === 'import_from_statement') {
      imports.push(...lowerImport(node, context));
    } else if (HOLDS_STATEMENTS.test(node.type)) {
      open.push(...node.children);
    }
  }
  return imports.sort((a, b) => a.start - b.start);
}

const HOLDS_STATEMENTS = /^(?:module|block|.*_(?:statement|clause|definition))$/;

function lowerImport(node: SyntaxNode, context: LoweringContext): ImportIr[] {
  const from = childOf(node, 'module_name');
  const module = from === undefined ? undefined : textOf(context, from);
  return node.children
    .filter((child) => child.field === 'name')
    .map((child) => {
      const name = textOf(context, childOf(child, 'name') ?? child);
      const alias = childOf(child, 'alias');
      const local =
        alias === undefined ? (module === undefined ? (name.split('.')[0] ?? name) : name) : textOf(context, alias);
      return {
        start: node.start,
        end: node.end,
        module: module ?? name,
        name: module === undefined ? '*' : name,
        local,
      };
    });
}
