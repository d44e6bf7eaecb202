import type { Arm, Block, Expression, ModuleIr, Statement } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import {
  assignOf,
  blockOf,
  caughtBlock,
  constantOf,
  expressionOf,
  jumpOf,
  otherOf,
  returnOf,
  throwOf,
} from '../shared/build.ts';
import {
  branchOf,
  caseCondition,
  classStatement,
  functionStatement,
  type Lowering,
  loopOf,
  lowerFile,
  tryOf,
} from '../shared/lowering.ts';
import { type ErrorTest, errorIn } from './errors.ts';
import { lowerGoExpression } from './expressions.ts';
import { lowerFunction, receiverType } from './functions.ts';

/** Lowers a parsed file of Go; undefined when it is no longer wanted. */
export function lowerGo(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  return lowerFile(root, source, pacer, { expression: lowerGoExpression, statement: lowerStatement });
}

function lowerStatement(node: SyntaxNode, at: Lowering): readonly Statement[] {
  switch (node.type) {
    case 'function_declaration':
      return [functionStatement(lowerFunction(node, at))];
    case 'method_declaration': {
      const owner = receiverType(node, at);
      return [classStatement(node, owner, [], [functionStatement(lowerFunction(node, at, owner))])];
    }
    case 'import_declaration':
      importsIn(node, at);
      return [];
    case 'const_declaration':
    case 'var_declaration':
      return (childOfType(node, 'var_spec_list') ?? node).children
        .filter(({ type }) => type === 'const_spec' || type === 'var_spec')
        .flatMap((spec) => lowerSpec(spec, at));
    case 'statement_list':
      return at.block(node);
    case 'block':
      return [blockOf(node, at.block(node))];
    case 'labeled_statement':
      return at.block(node);
    case 'return_statement':
      return [lowerReturn(node, at)];
    case 'short_var_declaration':
    case 'assignment_statement':
      return lowerAssignment(node, at);
    case 'if_statement':
      return lowerIf(node, at);
    case 'expression_switch_statement':
    case 'type_switch_statement':
    case 'select_statement':
      return [...at.statement(childOf(node, 'initializer')), lowerSwitch(node, at)];
    case 'for_statement':
      return lowerFor(node, at);
    case 'expression_statement':
      return lowerExpressionStatement(node.children[0], at);
    case 'go_statement':
    case 'defer_statement':
      return node.children.map((child) => expressionOf(at.expression(child)));
    case 'break_statement':
    case 'continue_statement':
    case 'goto_statement':
      return [jumpOf(node)];
    default:
      return [];
  }
}

function importsIn(node: SyntaxNode, at: Lowering): void {
  for (const spec of [node, ...node.children].flatMap(({ children }) => children)) {
    const path = spec.type === 'import_spec' ? at.fieldText(spec, 'path').slice(1, -1) : '';
    if (path !== '') {
      const alias = at.fieldText(spec, 'name');
      const last =
        path
          .replace(/\/v\d+$/, '')
          .split('/')
          .at(-1) ?? path;
      const local = alias === '' ? last : alias;
      at.imports.push({ start: spec.start, end: spec.end, module: path, name: '*', local });
    }
  }
}

function lowerSpec(spec: SyntaxNode, at: Lowering): Statement[] {
  const names = spec.children.filter(({ field }) => field === 'name');
  const values = (childOf(spec, 'value')?.children ?? []).filter(({ isNamed }) => isNamed);
  return names.flatMap((name, index) => {
    const value = values[index];
    // A declared builder or struct has a value that nothing here tells.
    return [assignOf(spec, at.text(name), value === undefined ? otherOf(spec) : at.expression(value))];
  });
}

/**
 * `return result, err`. An error that is there makes it a throw: what stands beside it is dropped by every SDK. Of the
 * three results of a typed handler the first that is not nil counts.
 */
function lowerReturn(node: SyntaxNode, at: Lowering): Statement {
  const values = (node.children[0]?.children ?? []).filter(({ isNamed }) => isNamed);
  const last = values.at(-1);
  const isTuple = values.length > 1 && last !== undefined && (at.results.at(-1) ?? 'error') === 'error';
  if (values.length < 2) {
    const [value] = values;
    return returnOf(node, value === undefined ? undefined : at.expression(value));
  }
  const lowered = at.expressions(values);
  const filled = lowered.slice(0, -1).find((value) => !isZero(value));
  const error = lowered.at(-1);
  if (isTuple && error !== undefined && !isZero(error)) {
    const isCaught = error.kind === 'name' && at.caught.includes(error.name);
    if (filled === undefined || error.kind !== 'name' || isCaught) {
      return throwOf(node, error);
    }
  }
  // In the place of a result, what is named after an error is a result that tells of one.
  const isResult =
    filled?.kind === 'name' && at.caught.includes(filled.name) && /\bCallToolResult/.test(at.results[0] ?? '');
  return returnOf(node, isResult ? otherOf(node) : (filled ?? lowered[0]));
}

const isZero = (value: Expression) => value.kind === 'constant' && value.value === null;

function lowerAssignment(node: SyntaxNode, at: Lowering): Statement[] {
  const left = (childOf(node, 'left')?.children ?? []).filter(({ isNamed }) => isNamed);
  const right = at.expressions((childOf(node, 'right')?.children ?? []).filter(({ isNamed }) => isNamed));
  const isAugmented = !['', '='].includes(at.fieldText(node, 'operator'));
  const { start, end } = node;
  return left.flatMap((target, index): Statement[] => {
    // Of `value, err := f()` the first is what f is for.
    const value = left.length === right.length ? right[index] : index === 0 ? right[0] : undefined;
    const lowered = at.expression(target);
    if (lowered.kind === 'name') {
      return lowered.name === '_'
        ? value === undefined
          ? []
          : [expressionOf(value)]
        : [assignOf(node, lowered.name, value ?? otherOf(node), isAugmented)];
    }
    const known = value ?? otherOf(node);
    return lowered.kind === 'member' && lowered.object.kind === 'name'
      ? [
          {
            start,
            end,
            kind: 'assign',
            target: { kind: 'member', object: lowered.object.name, key: memberKey(lowered.name) },
            value: known,
            isAugmented: false,
          },
        ]
      : [expressionOf(known)];
  });
}

/** The flag has one name in the model. */
const memberKey = (name: string) => (name === 'IsError' ? 'isError' : name);

function lowerExpressionStatement(node: SyntaxNode | undefined, at: Lowering): Statement[] {
  const value = at.expression(node);
  if (value.kind !== 'call') {
    return [expressionOf(value)];
  }
  const { callee, start, end } = value;
  if (callee.kind === 'member' && callee.name === 'SetError' && callee.object.kind === 'name') {
    const target = { kind: 'member', object: callee.object.name, key: 'isError' } as const;
    return [{ start, end, kind: 'assign', target, value: constantOf(value, true), isAugmented: false }];
  }
  const isLeaving =
    (callee.kind === 'name' && callee.name === 'panic') ||
    (callee.kind === 'member' && (/^(?:Fatal(?:f|ln)?|Goexit)$/.test(callee.name) || isExit(callee)));
  return isLeaving ? [expressionOf(value), jumpOf(value)] : [expressionOf(value)];
}

const isExit = (callee: Expression) =>
  callee.kind === 'member' && callee.name === 'Exit' && callee.object.kind === 'name' && callee.object.name === 'os';

/** A test for an error leads to a catch of it. */
function lowerIf(node: SyntaxNode, at: Lowering): Statement[] {
  const before: Statement[] = [];
  const arms: Arm[] = [];
  let current: SyntaxNode | undefined = node;
  while (current !== undefined) {
    before.push(...at.statement(childOf(current, 'initializer')));
    const condition = at.field(current, 'condition');
    const found = errorIn(condition);
    const body = childOf(current, 'consequence');
    arms.push({ condition, body: testedBody(body, found, at) });
    const otherwise: SyntaxNode | undefined = childOf(current, 'alternative');
    current = otherwise?.type === 'if_statement' ? otherwise : undefined;
    if (otherwise !== undefined && current === undefined) {
      const failed = found?.kind === 'absent' ? ({ kind: 'failed', name: found.name } as const) : undefined;
      arms.push({ condition: undefined, body: testedBody(otherwise, failed, at) });
    }
  }
  return [...before, branchOf(node, arms)];
}

/** What a test for an error leads to is a catch of it; a test for one kind of it leads to what is expected. */
function testedBody(node: SyntaxNode | undefined, found: ErrorTest | undefined, at: Lowering): Block {
  if (node === undefined || found === undefined || found.kind === 'absent') {
    return at.block(node);
  }
  const body = at.within({ caught: [...at.caught, found.name] }, () => at.block(node));
  return found.kind === 'failed' ? caughtBlock(node, found.name, [], body) : [tryOf(node, body, [])];
}

function lowerSwitch(node: SyntaxNode, at: Lowering): Statement {
  const value = childOf(node, 'value');
  const subject = value === undefined ? undefined : at.expression(value);
  const arms: Arm[] = [];
  for (const arm of node.children) {
    if (!/_case$/.test(arm.type)) {
      continue;
    }
    const list = childOf(arm, 'value');
    const values = at.expressions(
      list?.type === 'expression_list' ? list.children.filter(({ isNamed }) => isNamed) : [],
    );
    const body = childOfType(arm, 'statement_list');
    const only = values.length === 1 ? values[0] : undefined;
    const found = subject === undefined && only !== undefined ? errorIn(only) : undefined;
    const condition =
      arm.type === 'default_case'
        ? undefined
        : subject === undefined || node.type === 'type_switch_statement'
          ? (only ?? otherOf(arm, subject === undefined ? values : [subject]))
          : caseCondition(subject, values);
    arms.push({ condition, body: testedBody(body, found, at) });
  }
  return branchOf(node, arms, subject);
}

function lowerFor(node: SyntaxNode, at: Lowering): Statement[] {
  const range = childOfType(node, 'range_clause');
  const clause = childOfType(node, 'for_clause');
  const names = (range === undefined ? [] : (childOf(range, 'left')?.children ?? []))
    .filter(({ type }) => type === 'identifier')
    .map((name) => at.text(name));
  const iterable = range === undefined ? undefined : at.field(range, 'right');
  const before = clause === undefined ? [] : at.statement(childOf(clause, 'initializer'));
  return [...before, loopOf(node, names, iterable, at.block(childOf(node, 'body')))];
}
