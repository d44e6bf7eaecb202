import type { Arm, CatchClause, Expression, ModuleIr, Statement } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { assignOf, blockOf, expressionOf, jumpOf, returnOf, throwOf } from '../shared/build.ts';
import { branchOf, caseCondition, type Lowering, loopOf, lowerFile, tryOf } from '../shared/lowering.ts';
import { assignmentOf, ifOf } from '../shared/statements.ts';
import { lowerJavaExpression } from './expressions.ts';
import { isClass, lowerClass } from './functions.ts';

/** Lowers a parsed file of Java; undefined when it is no longer wanted. */
export function lowerJava(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  return lowerFile(root, source, pacer, { expression: lowerJavaExpression, statement: lowerStatement });
}

function lowerStatement(node: SyntaxNode, at: Lowering): readonly Statement[] {
  if (isClass(node)) {
    return lowerClass(node, at);
  }
  switch (node.type) {
    case 'import_declaration': {
      const [path] = node.children;
      const text = at.text(path);
      const last = text.split('.').at(-1) ?? text;
      const isAll = node.children.length > 1;
      const module = isAll ? text : text.slice(0, -last.length - 1);
      at.imports.push({
        start: node.start,
        end: node.end,
        module,
        name: isAll ? '*' : last,
        local: isAll ? text : last,
      });
      return [];
    }
    case 'block':
      return [blockOf(node, at.block(node))];
    case 'finally_clause':
    case 'labeled_statement':
      return at.block(node);
    case 'synchronized_statement':
      return at.statement(childOf(node, 'body'));
    case 'return_statement':
    case 'yield_statement': {
      const [value] = node.children;
      return value?.type === 'switch_expression'
        ? [lowerSwitch(value, true, at)]
        : [returnOf(node, value === undefined ? undefined : at.expression(value))];
    }
    case 'throw_statement':
      return [throwOf(node, at.expression(node.children[0]))];
    case 'local_variable_declaration':
      return node.children
        .filter(({ type }) => type === 'variable_declarator')
        .map((declarator) => {
          const value = childOf(declarator, 'value');
          return assignOf(
            declarator,
            at.fieldText(declarator, 'name'),
            value === undefined ? undefined : at.expression(value),
          );
        });
    case 'expression_statement':
      return lowerExpressionStatement(node.children[0], at);
    case 'if_statement':
      return [ifOf(node, at)];
    case 'switch_expression':
    case 'switch_statement':
      return [lowerSwitch(node, false, at)];
    case 'enhanced_for_statement':
      return [loopOf(node, [at.fieldText(node, 'name')], at.field(node, 'value'), at.statement(childOf(node, 'body')))];
    case 'for_statement':
      return [...at.statement(childOf(node, 'init')), loopOf(node, [], undefined, at.statement(childOf(node, 'body')))];
    case 'while_statement':
    case 'do_statement':
      return [loopOf(node, [], undefined, at.statement(childOf(node, 'body')))];
    case 'try_statement':
    case 'try_with_resources_statement':
      return [lowerTry(node, at)];
    case 'break_statement':
    case 'continue_statement':
      return [jumpOf(node)];
    default:
      return [];
  }
}

function lowerExpressionStatement(node: SyntaxNode | undefined, at: Lowering): Statement[] {
  if (node?.type === 'assignment_expression') {
    const isAugmented = at.fieldText(node, 'operator') !== '=';
    return assignmentOf(node, at.field(node, 'left'), at.field(node, 'right'), isAugmented);
  }
  const value = at.expression(node);
  const set = setterIn(value);
  if (set !== undefined) {
    return [set];
  }
  const isExit = value.kind === 'call' && /^(?:System\.exit|Runtime\.getRuntime\(\)\.halt)\(/.test(at.text(node));
  return isExit ? [expressionOf(value), jumpOf(value)] : [expressionOf(value)];
}

/** `answer.setMessage("…")` gives a member its value. */
function setterIn(value: Expression): Statement | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.object.kind !== 'name') {
    return undefined;
  }
  const [given, more] = value.args;
  const name = /^set([A-Z])(\w*)$/.exec(value.callee.name);
  if (given === undefined || more !== undefined || name === null) {
    return undefined;
  }
  const { start, end } = value;
  const key = `${name[1]?.toLowerCase()}${name[2]}`;
  const target = { kind: 'member', object: value.callee.object.name, key } as const;
  return { start, end, kind: 'assign', target, value: given, isAugmented: false };
}

/** Labels without statements belong to the next group that has some. With `isReturned` each arm is an exit. */
function lowerSwitch(node: SyntaxNode, isReturned: boolean, at: Lowering): Statement {
  const subject = at.field(node, 'condition');
  const arms: Arm[] = [];
  let values: Expression[] = [];
  let isDefault = false;
  for (const part of childOf(node, 'body')?.children ?? []) {
    const labels = part.children.filter(({ type }) => type === 'switch_label');
    const rest = part.children.filter(({ type }) => type !== 'switch_label');
    const given = labels.flatMap(({ children }) => children);
    values.push(...at.expressions(given));
    isDefault ||= given.length === 0;
    const body = rest.flatMap((child): readonly Statement[] =>
      isReturned && child.type === 'expression_statement'
        ? [returnOf(child, at.expression(child.children[0]), true)]
        : at.statement(child),
    );
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
      const declared = childOfType(clause, 'catch_formal_parameter');
      const types = (declared === undefined ? [] : (childOfType(declared, 'catch_type')?.children ?? [])).map((type) =>
        at.text(type),
      );
      return {
        start: clause.start,
        end: clause.end,
        types: types.some((type) => type === 'Exception' || type === 'Throwable') ? [] : types,
        variable: declared === undefined ? undefined : at.fieldText(declared, 'name'),
        body: at.block(childOf(clause, 'body')),
      };
    });
  const opened = (childOf(node, 'resources')?.children ?? []).flatMap((resource): Statement[] => {
    const value = childOf(resource, 'value');
    return value === undefined ? [] : [assignOf(resource, at.fieldText(resource, 'name'), at.expression(value))];
  });
  const finale = childOfType(node, 'finally_clause')?.children[0];
  return tryOf(node, [...opened, ...at.block(childOf(node, 'body'))], catches, at.block(finale));
}
