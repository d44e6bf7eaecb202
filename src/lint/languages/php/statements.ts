import type { Arm, CatchClause, Expression, ModuleIr, Statement } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { MAX_DEPTH } from '../lowering.ts';
import { blockOf, callOf, expressionOf, jumpOf, nameOf, returnOf, throwOf } from '../shared/build.ts';
import {
  branchOf,
  caseCondition,
  functionStatement,
  type Lowering,
  loopOf,
  lowerFile,
  tryOf,
} from '../shared/lowering.ts';
import { assignmentOf } from '../shared/statements.ts';
import { lastPart, lowerPhpExpression } from './expressions.ts';
import { constantsOf, lowerClass, lowerFunction } from './functions.ts';

/** Lowers a parsed file of PHP; undefined when it is no longer wanted. */
export function lowerPhp(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  return lowerFile(root, source, pacer, { expression: lowerPhpExpression, statement: lowerStatement });
}

function lowerStatement(node: SyntaxNode, at: Lowering): readonly Statement[] {
  switch (node.type) {
    case 'class_declaration':
    case 'trait_declaration':
      return lowerClass(node, at);
    case 'function_definition':
      return [functionStatement(lowerFunction(node, at))];
    case 'const_declaration':
      return constantsOf(node, at);
    case 'namespace_definition':
      return at.block(childOf(node, 'body'));
    case 'namespace_use_declaration':
      importsIn(node, at);
      return [];
    case 'compound_statement':
    case 'colon_block':
      return [blockOf(node, at.block(node))];
    case 'return_statement': {
      const [value] = node.children;
      return value?.type === 'match_expression'
        ? [lowerMatch(value, at)]
        : [returnOf(node, value === undefined ? undefined : at.expression(value))];
    }
    case 'expression_statement':
      return lowerExpressionStatement(node.children[0], node, at);
    case 'echo_statement':
      return [expressionOf(callOf(node, nameOf(node, 'echo'), at.expressions(node.children)))];
    case 'exit_statement':
      return [expressionOf(callOf(node, nameOf(node, 'exit'), at.expressions(node.children))), jumpOf(node)];
    case 'if_statement':
      return [lowerIf(node, at)];
    case 'switch_statement':
      return [lowerSwitch(node, at)];
    case 'foreach_statement': {
      const [iterable, variable] = node.children;
      return [loopOf(node, namesIn(variable, at), at.expression(iterable), at.statement(childOf(node, 'body')))];
    }
    case 'for_statement':
    case 'while_statement':
    case 'do_statement':
      return [loopOf(node, [], undefined, at.statement(childOf(node, 'body')))];
    case 'try_statement':
      return [lowerTry(node, at)];
    case 'break_statement':
    case 'continue_statement':
      return [jumpOf(node)];
    default:
      return [];
  }
}

/** `use A\B\C as D`, `use A\{B, C}`. */
function importsIn(node: SyntaxNode, at: Lowering): void {
  const group = childOf(node, 'body');
  const prefix = group === undefined ? '' : `${at.text(node.children[0])}\\`;
  for (const clause of (group ?? node).children.filter(({ type }) => type === 'namespace_use_clause')) {
    const path = `${prefix}${at.text(clause.children[0])}`.replace(/^\\/, '');
    const name = lastPart(path);
    const alias = at.fieldText(clause, 'alias');
    const module = path.slice(0, Math.max(0, path.length - name.length - 1));
    at.imports.push({ start: node.start, end: node.end, module, name, local: alias === '' ? name : alias });
  }
}

function namesIn(node: SyntaxNode | undefined, at: Lowering, depth = 0): string[] {
  if (node === undefined || depth > MAX_DEPTH) {
    return [];
  }
  return node.type === 'variable_name'
    ? [at.text(node).replace(/^\$/, '')]
    : node.children.flatMap((child) => namesIn(child, at, depth + 1));
}

function lowerExpressionStatement(node: SyntaxNode | undefined, whole: SyntaxNode, at: Lowering): Statement[] {
  switch (node?.type) {
    case 'throw_expression':
      return [throwOf(whole, at.expression(node.children[0]))];
    case 'assignment_expression':
    case 'augmented_assignment_expression': {
      const isAugmented = node.type !== 'assignment_expression';
      const target = childOf(node, 'left');
      const value = at.field(node, 'right');
      const { start, end } = node;
      if (target?.type === 'list_literal' || target?.type === 'array_creation_expression') {
        const names = namesIn(target, at);
        return [{ start, end, kind: 'assign', target: { kind: 'pattern', names }, value, isAugmented: false }];
      }
      return assignmentOf(node, at.expression(target), value, isAugmented);
    }
  }
  const value = at.expression(node);
  const isExit = value.kind === 'call' && value.callee.kind === 'name' && value.callee.name === 'die';
  return isExit ? [expressionOf(value), jumpOf(value)] : [expressionOf(value)];
}

function lowerIf(node: SyntaxNode, at: Lowering): Statement {
  const arms: Arm[] = [{ condition: at.field(node, 'condition'), body: at.statement(childOf(node, 'body')) }];
  for (const clause of node.children.filter(({ field }) => field === 'alternative')) {
    const condition = clause.type === 'else_if_clause' ? at.field(clause, 'condition') : undefined;
    arms.push({ condition, body: at.statement(childOf(clause, 'body')) });
  }
  return branchOf(node, arms);
}

/** `return match (x) { … }`: each arm is an exit of its own, under its own condition. */
function lowerMatch(node: SyntaxNode, at: Lowering): Statement {
  const subject = at.field(node, 'condition');
  const arms = (childOf(node, 'body')?.children ?? []).map((arm): Arm => {
    const value = childOf(arm, 'return_expression');
    const body =
      value === undefined
        ? []
        : value.type === 'throw_expression'
          ? [throwOf(value, at.expression(value.children[0]))]
          : [returnOf(value, at.expression(value), true)];
    const values = at.expressions(childOf(arm, 'conditional_expressions')?.children ?? []);
    return { condition: caseCondition(subject, values), body };
  });
  return branchOf(node, arms, subject);
}

/** Cases without statements belong to the next one that has some. */
function lowerSwitch(node: SyntaxNode, at: Lowering): Statement {
  const subject = at.field(node, 'condition');
  const arms: Arm[] = [];
  let values: Expression[] = [];
  let isDefault = false;
  for (const part of childOf(node, 'body')?.children ?? []) {
    const value = childOf(part, 'value');
    isDefault ||= part.type === 'default_statement';
    values.push(...(value === undefined ? [] : [at.expression(value)]));
    const body = part.children.filter((child) => child !== value).flatMap((child) => at.statement(child));
    if (body.length > 0) {
      arms.push({ condition: isDefault ? undefined : caseCondition(subject, values), body });
      values = [];
      isDefault = false;
    }
  }
  return branchOf(node, arms, subject);
}

function lowerTry(node: SyntaxNode, at: Lowering): Statement {
  const catches = node.children
    .filter(({ type }) => type === 'catch_clause')
    .map((clause): CatchClause => {
      const types = (childOf(clause, 'type')?.children ?? []).map((type) => lastPart(at.text(type)));
      const variable = at.fieldText(clause, 'name').replace(/^\$/, '');
      return {
        start: clause.start,
        end: clause.end,
        types: types.some((type) => type === 'Exception' || type === 'Throwable') ? [] : types,
        variable: variable === '' ? undefined : variable,
        body: at.block(childOf(clause, 'body')),
      };
    });
  const finale = childOfType(node, 'finally_clause');
  return tryOf(
    node,
    at.block(childOf(node, 'body')),
    catches,
    finale === undefined ? [] : at.block(childOf(finale, 'body')),
  );
}
