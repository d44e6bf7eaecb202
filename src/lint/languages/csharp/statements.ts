import type { Arm, CatchClause, Expression, ModuleIr, Statement } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { MAX_DEPTH } from '../lowering.ts';
import { assignOf, blockOf, expressionOf, jumpOf, otherOf, returnOf, throwOf } from '../shared/build.ts';
import {
  branchOf,
  caseCondition,
  functionStatement,
  type Lowering,
  loopOf,
  lowerFile,
  tryOf,
} from '../shared/lowering.ts';
import { assignmentOf, ifOf } from '../shared/statements.ts';
import { armsOf, lowerCSharpExpression } from './expressions.ts';
import { isClass, lowerClass, lowerFunction } from './functions.ts';

/** Lowers a parsed file of C#; undefined when it is no longer wanted. */
export function lowerCSharp(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  return lowerFile(root, source, pacer, { expression: lowerCSharpExpression, statement: lowerStatement });
}

function lowerStatement(node: SyntaxNode, at: Lowering): readonly Statement[] {
  if (isClass(node)) {
    return lowerClass(node, at);
  }
  switch (node.type) {
    case 'using_directive': {
      const module = at.text(node.children.at(-1));
      at.imports.push({ start: node.start, end: node.end, module, name: '*', local: module });
      return [];
    }
    case 'namespace_declaration':
      return at.block(childOf(node, 'body'));
    case 'global_statement':
    case 'labeled_statement':
    case 'declaration_list':
    case 'finally_clause':
      return at.block(node);
    case 'block':
      return [blockOf(node, at.block(node))];
    case 'return_statement':
      return returned(node, node.children[0], false, at);
    case 'implicit_return':
      return returned(node, node.children[0], true, at);
    case 'throw_statement':
      return [throwOf(node, node.children[0] === undefined ? undefined : at.expression(node.children[0]))];
    case 'local_declaration_statement':
    case 'variable_declaration':
      return (childOfType(node, 'variable_declaration') ?? node).children
        .filter(({ type }) => type === 'variable_declarator')
        .map((declarator) => lowerDeclarator(declarator, at));
    case 'local_function_statement':
      return [functionStatement(lowerFunction(node, at))];
    case 'expression_statement':
      return lowerExpressionStatement(node.children[0], at);
    case 'if_statement':
      return [ifOf(node, at)];
    case 'switch_statement':
      return [lowerSwitch(node, at)];
    case 'foreach_statement':
      return [
        loopOf(node, namesIn(childOf(node, 'left'), at), at.field(node, 'right'), at.statement(childOf(node, 'body'))),
      ];
    case 'for_statement':
      return [
        ...at.statement(childOf(node, 'initializer')),
        loopOf(node, [], undefined, at.statement(childOf(node, 'body'))),
      ];
    case 'while_statement':
    case 'do_statement':
      return [loopOf(node, [], undefined, at.statement(childOf(node, 'body')))];
    case 'try_statement':
      return [lowerTry(node, at)];
    case 'using_statement':
    case 'lock_statement':
    case 'checked_statement':
    case 'fixed_statement':
      return node.children.flatMap((child) => at.statement(child));
    case 'yield_statement':
      return node.children[0] === undefined ? [jumpOf(node)] : [expressionOf(at.expression(node.children[0]))];
    case 'break_statement':
    case 'continue_statement':
    case 'goto_statement':
      return [jumpOf(node)];
    default:
      return [];
  }
}

function returned(node: SyntaxNode, value: SyntaxNode | undefined, isImplicit: boolean, at: Lowering): Statement[] {
  if (value?.type === 'switch_expression') {
    return [lowerArms(value, at)];
  }
  return [returnOf(node, value === undefined ? undefined : at.expression(value), isImplicit)];
}

/** `return x switch { … }`: each arm is an exit of its own, under its own condition. */
function lowerArms(node: SyntaxNode, at: Lowering): Statement {
  const subject = at.expression(node.children[0]);
  const arms = armsOf(node).map((arm): Arm => {
    const [pattern] = arm.children;
    const value = arm.children.at(-1);
    const body =
      value?.type === 'throw_expression'
        ? [throwOf(value, at.expression(value.children[0]))]
        : value === undefined
          ? []
          : [returnOf(value, at.expression(value), true)];
    const isRest = pattern?.type === 'discard' || pattern?.type === 'var_pattern';
    return {
      condition: isRest || pattern === undefined ? undefined : caseCondition(subject, [at.expression(pattern)]),
      body,
    };
  });
  return branchOf(node, arms, subject);
}

function lowerDeclarator(declarator: SyntaxNode, at: Lowering): Statement {
  const value = declarator.children.find(({ field, type }) => field !== 'name' && type !== 'bracketed_argument_list');
  const name = at.fieldText(declarator, 'name');
  return assignOf(declarator, name, value === undefined ? undefined : at.expression(value));
}

function namesIn(node: SyntaxNode | undefined, at: Lowering, depth = 0): string[] {
  if (node === undefined || depth > MAX_DEPTH) {
    return [];
  }
  return node.type === 'identifier' ? [at.text(node)] : node.children.flatMap((child) => namesIn(child, at, depth + 1));
}

function lowerExpressionStatement(node: SyntaxNode | undefined, at: Lowering): Statement[] {
  if (node?.type === 'assignment_expression') {
    const isAugmented = at.fieldText(node, 'operator') !== '=';
    return assignmentOf(node, at.field(node, 'left'), at.field(node, 'right'), isAugmented, flagName);
  }
  const value = at.expression(node);
  const isExit = value.kind === 'call' && /^(?:System\.)?Environment\.(?:Exit|FailFast)\(/.test(at.text(node));
  return isExit ? [expressionOf(value), jumpOf(value)] : [expressionOf(value)];
}

const flagName = (key: string) => (key === 'IsError' ? 'isError' : key);

/** Labels without statements belong to the next section that has some. */
function lowerSwitch(node: SyntaxNode, at: Lowering): Statement {
  const subject = at.field(node, 'value');
  const arms: Arm[] = [];
  let values: Expression[] = [];
  let isDefault = false;
  for (const section of childOf(node, 'body')?.children ?? []) {
    const patterns = section.children.filter(({ type }) => /_pattern$|^discard$|^when_clause$/.test(type));
    const body = section.children.filter((child) => !patterns.includes(child)).flatMap((child) => at.statement(child));
    values.push(...at.expressions(patterns));
    isDefault ||= patterns.length === 0;
    if (body.length > 0) {
      arms.push({ condition: isDefault ? undefined : (caseCondition(subject, values) ?? otherOf(section)), body });
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
      const declared = childOfType(clause, 'catch_declaration');
      const type = declared === undefined ? '' : at.fieldText(declared, 'type');
      const variable = declared === undefined ? '' : at.fieldText(declared, 'name');
      return {
        start: clause.start,
        end: clause.end,
        types: /^(?:System\.)?(?:Exception)?$/.test(type) ? [] : [type],
        variable: variable === '' ? undefined : variable,
        body: at.block(childOf(clause, 'body')),
      };
    });
  const finale = childOfType(node, 'finally_clause');
  return tryOf(node, at.block(childOf(node, 'body')), catches, finale === undefined ? [] : at.block(finale));
}
