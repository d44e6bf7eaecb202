import type { Block, ModuleIr } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { callOf, expressionOf, jumpOf, nameOf, returnOf, throwOf } from '../shared/build.ts';
import { functionStatement, type Lowering, loopOf, lowerFile } from '../shared/lowering.ts';
import { assignmentOf } from '../shared/statements.ts';
import { lowerKotlinExpression } from './expressions.ts';
import { isClass, lowerClass, lowerFunction } from './functions.ts';
import { scanFile } from './scan.ts';
import { assigned, ignored, isErrorCall, lowerTail, type Sink, sinkOfLabel, withPending } from './tails.ts';

/** Lowers a parsed file of Kotlin; undefined when it is no longer wanted. */
export function lowerKotlin(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  scanFile(root, source);
  return lowerFile(root, source, pacer, {
    expression: lowerKotlinExpression,
    statement: (node, at) => withPending(at, () => lowerStatement(node, at)),
  });
}

function lowerStatement(node: SyntaxNode, at: Lowering): Block {
  if (isClass(node)) {
    return lowerClass(node, at);
  }
  switch (node.type) {
    case 'import':
      return lowerImport(node, at);
    case 'function_declaration':
      return [functionStatement(lowerFunction(node, at))];
    case 'property_declaration':
      return lowerProperty(node, at);
    case 'assignment':
      return lowerAssignment(node, at);
    case 'block':
      return at.block(node);
    case 'return_expression':
      return lowerReturn(node, at);
    case 'throw_expression':
      return [throwOf(node, at.expression(node.children.at(-1)))];
    case 'for_statement':
      return [lowerFor(node, at)];
    case 'while_statement':
    case 'do_while_statement':
      return [loopOf(node, [], undefined, at.statement(node.children.find(({ type }) => type === 'block')))];
    case 'labeled_expression':
      return /^(?:break|continue)@/.test(at.text(node)) ? [jumpOf(node)] : at.statement(node.children.at(-1));
    case 'identifier':
      return /^(?:break|continue)$/.test(at.text(node)) ? [jumpOf(node)] : [expressionOf(at.expression(node))];
    case 'call_expression':
      return lowerCallStatement(node, at);
    case 'package_header':
    case 'file_annotation':
    case 'shebang':
    case 'type_alias':
    case 'getter':
    case 'setter':
    case 'secondary_constructor':
    case 'anonymous_initializer':
    case 'enum_entry':
      return [];
    default:
      // A broken place still holds whole pieces.
      return node.type === 'ERROR' ? at.block(node) : lowerTail(node, at, ignored);
  }
}

function lowerImport(node: SyntaxNode, at: Lowering): Block {
  const path = childOfType(node, 'qualified_identifier', 'identifier');
  const text = at.text(path).replace(/\s+/g, '');
  const alias = node.children.findLast(({ type }) => type === 'identifier');
  const isAll = /\*\s*$/.test(at.text(node));
  const last = text.split('.').at(-1) ?? text;
  const { start, end } = node;
  const module = isAll ? text : text.slice(0, Math.max(0, text.length - last.length - 1));
  const local = isAll ? `${text}.*` : alias === undefined || alias === path ? last : at.text(alias);
  at.imports.push({ start, end, module, name: isAll ? '*' : last, local });
  return [];
}

const NO_INITIAL = new Set([
  'modifiers',
  'variable_declaration',
  'multi_variable_declaration',
  'user_type',
  'nullable_type',
  'type_parameters',
  'type_constraints',
  'getter',
  'setter',
  'property_delegate',
]);

function lowerProperty(node: SyntaxNode, at: Lowering): Block {
  const declared = childOfType(node, 'variable_declaration');
  const getter = childOfType(childOfType(node, 'getter') ?? node, 'function_body')?.children[0];
  const value =
    node.children.findLast(({ type }) => !NO_INITIAL.has(type)) ?? (getter?.type === 'block' ? undefined : getter);
  if (value === undefined) {
    return [];
  }
  if (declared !== undefined) {
    return lowerTail(value, at, assigned(at.text(declared.children[0])));
  }
  const names = (childOfType(node, 'multi_variable_declaration')?.children ?? []).map((it) => at.text(it.children[0]));
  const { start, end } = node;
  const sink: Sink = (given) => [
    { start, end, kind: 'assign', target: { kind: 'pattern', names }, value: at.expression(given), isAugmented: false },
  ];
  return lowerTail(value, at, sink);
}

function lowerAssignment(node: SyntaxNode, at: Lowering): Block {
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  const isAugmented = at.fieldText(node, 'operator') !== '=';
  if (left?.type === 'identifier' && right !== undefined && !isAugmented) {
    return lowerTail(right, at, assigned(at.text(left)));
  }
  return assignmentOf(node, at.expression(left), at.expression(right), isAugmented);
}

/** `return x`, `return@name x`: a value that is chosen leaves from where it is chosen. */
function lowerReturn(node: SyntaxNode, at: Lowering): Block {
  const label = childOf(node, 'label');
  const value = node.children.findLast(({ field }) => field !== 'label');
  const sink = label === undefined ? undefined : sinkOfLabel(at.text(label), at);
  if (sink !== undefined) {
    return value === undefined || sink === ignored ? [jumpOf(node)] : lowerTail(value, at, sink);
  }
  if (value === undefined) {
    return [returnOf(node, undefined)];
  }
  return lowerTail(value, at, (given) => [
    returnOf(given === value ? node : given, at.expression(given), given !== value),
  ]);
}

function lowerFor(node: SyntaxNode, at: Lowering) {
  const parts = node.children.filter(({ type }) => type !== 'label');
  const [variable, iterable, body] = parts;
  const names =
    variable?.type === 'multi_variable_declaration'
      ? variable.children.map((it) => at.text(it.children[0]))
      : [at.text(variable?.children[0] ?? variable)];
  return loopOf(node, names, iterable === undefined ? undefined : at.expression(iterable), at.statement(body));
}

function lowerCallStatement(node: SyntaxNode, at: Lowering): Block {
  if (isErrorCall(node, at)) {
    const value = at.expression(childOfType(node, 'value_arguments')?.children[0]);
    return [throwOf(node, callOf(node, nameOf(node, 'IllegalStateException'), [value], [], true))];
  }
  if (/^(?:exitProcess|System\.exit|kotlin\.system\.exitProcess)\(/.test(at.text(node))) {
    const value = at.expression(node);
    return [expressionOf(value), jumpOf(value)];
  }
  return lowerTail(node, at, ignored);
}
