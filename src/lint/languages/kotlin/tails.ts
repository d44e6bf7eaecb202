import type { Arm, Block, CatchClause, Expression, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { assignOf, constantOf, expressionOf, nameOf, otherOf, returnOf } from '../shared/build.ts';
import { branchOf, caseCondition, type Lowering, loopOf, tryOf } from '../shared/lowering.ts';
import { argumentName, argumentValue, type CallParts, callParts } from './calls.ts';
import { factsOf } from './scan.ts';

/** What becomes of the value that a body ends in. */
export type Sink = (value: SyntaxNode, at: Lowering) => Block;

/** It leaves the function. */
export const returned: Sink = (value, at) => [returnOf(value, at.expression(value), true)];

/** Nothing asks for it. */
export const ignored: Sink = (value, at) => [expressionOf(at.expression(value))];

/** It is given to a variable. */
export const assigned =
  (name: string): Sink =>
  (value, at) => [assignOf(value, name, at.expression(value))];

/** What `lower` makes, after the statements that its expressions imply. */
export function withPending(at: Lowering, lower: () => Block): Block {
  const outer = at.pending;
  at.pending = [];
  const made = lower();
  const before = at.pending;
  at.pending = outer;
  return before.length === 0 ? made : [...before, ...made];
}

const JUMPS = new Set(['return_expression', 'throw_expression']);

/** Whether it leaves instead of having a value. */
export const isJump = (node: SyntaxNode, at: Lowering): boolean => JUMPS.has(node.type) || isErrorCall(node, at);

/** `error("…")` throws. */
export function isErrorCall(node: SyntaxNode, at: Lowering): boolean {
  if (node.type !== 'call_expression') {
    return false;
  }
  const { name, object, lambda } = callParts(node, at);
  return name === 'error' && object === undefined && lambda === undefined && !at.siblings.has(name);
}

const NO_VALUE = new Set([
  'return_expression',
  'throw_expression',
  'labeled_expression',
  'for_statement',
  'while_statement',
  'do_while_statement',
  'property_declaration',
  'function_declaration',
  'class_declaration',
  'object_declaration',
  'assignment',
]);

/** False for `a ?: b`, whose operator the copied tree does not tell. */
export function isNoElvis(node: SyntaxNode, at: Lowering): boolean {
  const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
  return left === undefined || right === undefined || !/\?:/.test(at.source.text.slice(left.end, right.start));
}

/** `value == null`. */
export function nullTest(value: Expression): Expression {
  const { start, end } = value;
  return { start, end, kind: 'compare', operator: '==', parts: [value, constantOf(value, null)] };
}

/** Lowers statements of which the last is the value of all. */
export function lowerTails(statements: readonly SyntaxNode[], at: Lowering, sink: Sink): Block {
  return statements.flatMap((statement, index) =>
    index < statements.length - 1 ? at.statement(statement) : lowerTail(statement, at, sink),
  );
}

/** Lowers an expression to statements that end in giving its value to `sink`, from every branch. */
export function lowerTail(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  return at.deeper(() => withPending(at, () => lowerBranches(node, at, sink))) ?? [];
}

function lowerBranches(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  switch (node.type) {
    case 'block':
      return lowerTails(node.children, at, sink);
    case 'parenthesized_expression': {
      const inner = node.children.at(-1);
      return inner === undefined ? [] : lowerTail(inner, at, sink);
    }
    case 'if_expression':
      return [lowerIf(node, at, sink)];
    case 'when_expression':
      return [...whenSubject(node, at), lowerWhen(node, at, sink)];
    case 'try_expression':
      return [lowerTry(node, at, sink)];
    case 'binary_expression':
      return isNoElvis(node, at) ? sink(node, at) : lowerElvis(node, at, sink);
    case 'call_expression':
      return lowerCallTail(node, at, sink);
    case 'identifier':
      return /^(?:break|continue)$/.test(at.text(node)) ? at.statement(node) : sink(node, at);
    default:
      return NO_VALUE.has(node.type) ? at.statement(node) : sink(node, at);
  }
}

function lowerElvis(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left === undefined || right === undefined || isJump(right, at)) {
    return sink(node, at);
  }
  const isSimple = (it: SyntaxNode) =>
    it.type !== 'try_expression' && it.type !== 'when_expression' && !isInPlace(it, at);
  if (isSimple(left) && isSimple(right)) {
    return sink(node, at);
  }
  const object = left.type === 'call_expression' ? callParts(left, at).object : undefined;
  // Only a name: what is longer is lowered with the left side, and twice on each level would never end.
  const tested = otherOf(left, object?.type === 'identifier' ? [at.expression(object)] : []);
  return [
    branchOf(node, [
      { condition: tested, body: lowerTail(left, at, sink) },
      { condition: undefined, body: lowerTail(right, at, sink) },
    ]),
  ];
}

function lowerIf(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const arms: Arm[] = [];
  for (let current: SyntaxNode | undefined = node; current !== undefined; ) {
    const [, consequence, alternative]: readonly (SyntaxNode | undefined)[] = current.children;
    const condition = at.field(current, 'condition');
    arms.push({ condition, body: consequence === undefined ? [] : lowerTail(consequence, at, sink) });
    current = alternative?.type === 'if_expression' ? alternative : undefined;
    if (alternative !== undefined && current === undefined) {
      arms.push({ condition: undefined, body: lowerTail(alternative, at, sink) });
    }
  }
  return branchOf(node, arms);
}

/** `when (val x = …)`. */
function whenSubject(node: SyntaxNode, at: Lowering): Block {
  const subject = childOfType(node, 'when_subject');
  const declared = subject === undefined ? undefined : childOfType(subject, 'variable_declaration');
  const value = subject?.children.at(-1);
  return declared === undefined || value === undefined || value === declared
    ? []
    : lowerTail(value, at, assigned(at.text(declared.children[0])));
}

function lowerWhen(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const given = childOfType(node, 'when_subject');
  const declared = given === undefined ? undefined : childOfType(given, 'variable_declaration');
  const subject =
    given === undefined
      ? undefined
      : declared === undefined
        ? at.expression(given.children.at(-1))
        : nameOf(declared, at.text(declared.children[0]));
  const arms = node.children
    .filter(({ type }) => type === 'when_entry')
    .map((entry): Arm => {
      const conditions = entry.children.filter(({ field }) => field === 'condition');
      const body = entry.children.findLast(({ field }) => field !== 'condition');
      const values = at.expressions(conditions);
      const condition = subject === undefined ? values[0] : caseCondition(subject, values);
      return { condition, body: body === undefined ? [] : lowerTail(body, at, sink) };
    });
  return branchOf(node, arms, subject);
}

function lowerTry(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const body = childOfType(node, 'block');
  const finale = childOfType(childOfType(node, 'finally_block') ?? EMPTY, 'block');
  const catches = node.children
    .filter(({ type }) => type === 'catch_block')
    .map((clause): CatchClause => {
      const [variable, type] = clause.children;
      const block = childOfType(clause, 'block');
      const caught = at.text(type);
      return {
        start: clause.start,
        end: clause.end,
        types: /^(?:java\.lang\.|kotlin\.)?(?:Exception|Throwable)$/.test(caught) ? [] : [caught],
        variable: at.text(variable),
        body: block === undefined ? [] : lowerTail(block, at, sink),
      };
    });
  return tryOf(node, body === undefined ? [] : lowerTail(body, at, sink), catches, at.block(finale));
}

const EMPTY: SyntaxNode = { type: '', field: undefined, isNamed: true, start: 0, end: 0, children: [] };

// -- lambdas that run where they stand ------------------------------------------------------------------------------------

/** Their lambda runs once, here, and its value is theirs. */
const IN_PLACE =
  /^(?:let|run|with|use|useLines|withContext|runBlocking|coroutineScope|supervisorScope|withTimeout(?:OrNull)?|synchronized|withLock|withPermit|transaction|suspendTransaction|newSuspendedTransaction|runCatching|readAction|writeAction|runReadAction|runWriteAction|invokeAndWait)$/;
/** The value is what they are called on. */
const GIVES_OBJECT = /^(?:also|apply|onEach)$/;
const LOOPS = /^(?:forEach|forEachIndexed|repeat)$/;
/** They handle the failure of what they are called on. */
const HANDLES = /^(?:getOrElse|recover|recoverCatching|onFailure)$/;
/** They pass a result on. */
const PASSES = /^(?:getOrThrow|onSuccess|map|mapCatching)$/;

/** A wrapper of the server's own around what makes the result of a tool. */
const GIVES_RESULT = /\bCallToolResult\b/;
/** They keep their lambda for later, or run it for each of many. */
const KEEPS = /^(?:[A-Z]|add|register|callHandler|map|flatMap|filter|fold|lazy|mcp|tool|require|check|ifEmpty|ifBlank)/;

/** Whether a call is lowered to statements: its lambda is no function of its own. */
export function isInPlace(node: SyntaxNode, at: Lowering): boolean {
  if (node.type !== 'call_expression') {
    return false;
  }
  const { name, lambda, object, given } = callParts(node, at);
  if (name === 'fold') {
    return foldParts(given, at) !== undefined;
  }
  const isKnown = lambda !== undefined && !at.siblings.has(name) && !factsOf(at.source).functions.has(name);
  if (isKnown && (IN_PLACE.test(name) || GIVES_OBJECT.test(name))) {
    return true;
  }
  if (lambda !== undefined && given.length === 0 && object !== undefined && HANDLES.test(name)) {
    return true;
  }
  return (
    object !== undefined && /^(?:getOrThrow|getOrNull|getOrDefault|onSuccess)$/.test(name) && isInPlace(object, at)
  );
}

function lowerCallTail(node: SyntaxNode, at: Lowering, sink: Sink): Block {
  const parts = callParts(node, at);
  const { name, lambda, object, given } = parts;
  if (isErrorCall(node, at)) {
    return at.statement(node);
  }
  if (lambda !== undefined && LOOPS.test(name)) {
    return lowerLoop(node, parts, lambda, at);
  }
  if (!isInPlace(node, at)) {
    return lambda !== undefined && sink !== ignored && GIVES_RESULT.test(at.text(lambda)) && !KEEPS.test(name)
      ? lambdaBody(lambda, name, at, sink)
      : sink(node, at);
  }
  if (name === 'fold') {
    return lowerFold(node, object, given, at, sink);
  }
  if (object !== undefined && (HANDLES.test(name) || PASSES.test(name) || lambda === undefined)) {
    return lowerHandled(node, parts, object, at, sink);
  }
  const before = (name === 'with' ? given.slice(1) : given).map((argument) =>
    expressionOf(at.expression(argumentValue(argument))),
  );
  const subject = name === 'with' ? argumentValue(given[0] ?? EMPTY) : object;
  if (lambda === undefined) {
    return sink(node, at);
  }
  if (GIVES_OBJECT.test(name) && object !== undefined) {
    return [...bind(lambda, object, at), ...lambdaBody(lambda, name, at, ignored), ...lowerTail(object, at, sink)];
  }
  return [...before, ...bind(lambda, subject, at), ...lambdaBody(lambda, name, at, sink)];
}

/** The parameter of a lambda has the value that it is called on. */
function bind(lambda: SyntaxNode, object: SyntaxNode | undefined, at: Lowering): Block {
  if (object === undefined) {
    return [];
  }
  const parameter = parameterOf(lambda, at) ?? 'it';
  return lowerTail(object, at, assigned(parameter));
}

function parameterOf(lambda: SyntaxNode, at: Lowering): string | undefined {
  const declared = childOfType(lambda, 'lambda_parameters')?.children[0];
  return declared === undefined ? undefined : at.text(declared.children[0] ?? declared);
}

/** Lowers the body of a lambda in place; `return@name` gives its value to the same sink. */
function lambdaBody(lambda: SyntaxNode, name: string, at: Lowering, sink: Sink): Block {
  const { labels } = factsOf(at.source);
  labels.push({ name, sink });
  const body = lowerTails(
    lambda.children.filter(({ type }) => type !== 'lambda_parameters'),
    at,
    sink,
  );
  labels.pop();
  return body;
}

function lowerLoop(node: SyntaxNode, { name, object, given }: CallParts, lambda: SyntaxNode, at: Lowering): Block {
  const iterable = object ?? argumentValue(given[0] ?? EMPTY);
  const variable = parameterOf(lambda, at) ?? 'it';
  const walked = iterable === undefined ? undefined : at.expression(iterable);
  return [loopOf(node, [variable], walked, lambdaBody(lambda, name, at, ignored))];
}

/** `….getOrElse { e -> … }`: a catch around what it is called on. */
function lowerHandled(node: SyntaxNode, parts: CallParts, object: SyntaxNode, at: Lowering, sink: Sink): Block {
  const { name, lambda, given } = parts;
  if (lambda !== undefined && HANDLES.test(name)) {
    return [
      tryOf(node, lowerTail(object, at, sink), [caughtBy(lambda, name, at, name === 'onFailure' ? ignored : sink)]),
    ];
  }
  const body = lowerTail(object, at, lambda === undefined ? sink : assigned(parameterOf(lambda, at) ?? 'it'));
  if (name === 'getOrNull' || name === 'getOrDefault') {
    const instead = argumentValue(given[0] ?? EMPTY);
    const clause = { start: node.end, end: node.end, types: [], variable: undefined };
    return [tryOf(node, body, [{ ...clause, body: instead === undefined ? [] : lowerTail(instead, at, sink) }])];
  }
  return lambda === undefined ? body : [...body, ...lambdaBody(lambda, name, at, sink)];
}

function caughtBy(lambda: SyntaxNode, name: string, at: Lowering, sink: Sink): CatchClause {
  const { start, end } = lambda;
  return { start, end, types: [], variable: parameterOf(lambda, at) ?? 'it', body: lambdaBody(lambda, name, at, sink) };
}

interface Fold {
  readonly success: SyntaxNode;
  readonly failure: SyntaxNode;
}

/** `fold(onSuccess = { … }, onFailure = { … })`; a fold over a list has one lambda and a start. */
function foldParts(given: readonly SyntaxNode[], at: Lowering): Fold | undefined {
  const [first, second] = given;
  const one = first === undefined ? undefined : argumentValue(first);
  const other = second === undefined ? undefined : argumentValue(second);
  if (first === undefined || one?.type !== 'lambda_literal' || other?.type !== 'lambda_literal') {
    return undefined;
  }
  return at.text(argumentName(first)) === 'onFailure'
    ? { success: other, failure: one }
    : { success: one, failure: other };
}

function lowerFold(
  node: SyntaxNode,
  object: SyntaxNode | undefined,
  given: readonly SyntaxNode[],
  at: Lowering,
  sink: Sink,
): Block {
  const fold = foldParts(given, at);
  if (fold === undefined || object === undefined) {
    return sink(node, at);
  }
  const value = lowerTail(object, at, assigned(parameterOf(fold.success, at) ?? 'it'));
  const body = [...value, ...lambdaBody(fold.success, 'fold', at, sink)];
  return [tryOf(node, body, [caughtBy(fold.failure, 'fold', at, sink)])];
}

/** What `return@name value` does: the sink of the call that is lowered in place, else the function ends. */
export function sinkOfLabel(name: string, at: Lowering): Sink | undefined {
  const { labels } = factsOf(at.source);
  for (let index = labels.length - 1; index >= 0; index--) {
    const label = labels[index];
    if (label?.name === undefined) {
      return undefined;
    }
    if (label.name === name) {
      return label.sink;
    }
  }
  return undefined;
}
