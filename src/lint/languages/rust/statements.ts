import type { Arm, Block, Expression, ImportIr, ModuleIr, Span, Statement } from '../../ir.ts';
import type { Pacer } from '../../pacer.ts';
import { childOf, type SourceText, type SyntaxNode } from '../../syntax.ts';
import { assignOf, blockOf, caughtBlock, expressionOf, jumpOf, otherOf, returnOf, throwOf } from '../shared/build.ts';
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
import { lowerRustExpression } from './expressions.ts';
import { lowerFunction, lowerImpl, lowerItems, namesIn } from './functions.ts';
import { splitTop } from './scan.ts';

/** Lowers a parsed file of Rust; undefined when it is no longer wanted. */
export async function lowerRust(root: SyntaxNode, source: SourceText, pacer: Pacer): Promise<ModuleIr | undefined> {
  // Attributes belong to the item behind them: one node of items keeps them together.
  const items: SyntaxNode = { ...root, type: 'items' };
  return lowerFile({ ...root, children: [items] }, source, pacer, {
    expression: lowerRustExpression,
    statement: lowerStatement,
  });
}

/** What becomes of the value that a block ends in. */
export type Sink = (value: SyntaxNode, at: Lowering) => readonly Statement[];

/** It leaves the function: `Err(e)` as a throw. */
export const returned: Sink = (value, at) => leave(value, value, true, at);

function leave(span: SyntaxNode, value: SyntaxNode, isImplicit: boolean, at: Lowering): readonly Statement[] {
  const lowered = at.expression(value);
  const isError = lowered.kind === 'call' && lowered.callee.kind === 'name' && lowered.callee.name === 'Err';
  return isError && lowered.kind === 'call' ? [throwOf(span, lowered.args[0])] : [returnOf(span, lowered, isImplicit)];
}

const LEAVING = /^(?:return|break|continue)_expression$/;
const BLOCK_LIKE = /^(?:if|match)_expression$|^(?:unsafe_|async_)?block$/;

/** Lowers what a value comes from, however nested: each arm gives its own value to `sink`. */
export function lowerTail(node: SyntaxNode, at: Lowering, sink: Sink): readonly Statement[] {
  return at.deeper(() => lowerValue(node, at, sink)) ?? [];
}

function lowerValue(node: SyntaxNode, at: Lowering, sink: Sink): readonly Statement[] {
  switch (node.type) {
    case 'items':
    case 'block': {
      const last = node.children.at(-1);
      const isTail = last !== undefined && isValue(last, at);
      const before = isTail ? node.children.slice(0, -1) : node.children;
      const tail = last?.type === 'expression_statement' ? last.children[0] : last;
      return [...lowerItems(before, at), ...(isTail && tail !== undefined ? lowerTail(tail, at, sink) : [])];
    }
    case 'unsafe_block':
    case 'async_block':
      return node.children.flatMap((child) => lowerTail(child, at, sink));
    case 'if_expression':
      return [lowerIf(node, at, sink)];
    case 'match_expression':
      return [lowerMatch(node, at, sink)];
    default:
      return LEAVING.test(node.type) || isPanic(node, at) ? at.statement(node) : sink(node, at);
  }
}

/** Whether the last node of a block is its value; an `if` or `match` is one even where the grammar calls it a statement. */
function isValue(node: SyntaxNode, at: Lowering): boolean {
  if (node.type === 'expression_statement') {
    return BLOCK_LIKE.test(node.children[0]?.type ?? '') && at.source.text[node.end - 1] !== ';';
  }
  return !/_(?:item|declaration|definition)$|^empty_statement$/.test(node.type);
}

/** `a::{b, c::d as e}`: what is brought, and from where. */
function usesIn(text: string, { start, end }: Span, prefix = '', depth = 0): ImportIr[] {
  // Longer than any is written by hand.
  if (text.length > 4000) {
    return [];
  }
  const group = /^\s*((?:\w+\s*::\s*)*)\{([\s\S]*)\}\s*$/.exec(text);
  if (group !== null) {
    const inner = `${prefix}${(group[1] ?? '').replace(/\s/g, '')}`;
    const names = group[2] ?? '';
    return depth > 8
      ? []
      : splitTop(names, { start: 0, end: names.length }, ',').flatMap((part) =>
          usesIn(names.slice(part.start, part.end), { start, end }, inner, depth + 1),
        );
  }
  const written = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?:: ?/g, '::');
  const [, path = '', alias] = /^([\w:*]*)(?: as (\w+))?$/.exec(written) ?? [];
  const names = `${prefix}${path}`.split('::');
  const name = names.pop() ?? '';
  // `use a::{self}`: the module itself.
  const brought = name === 'self' ? (names.pop() ?? '') : name;
  return brought === '' ? [] : [{ start, end, module: names.join('::'), name: brought, local: alias ?? brought }];
}

const ignored: Sink = (value, at) => [expressionOf(at.expression(value))];

function lowerStatement(node: SyntaxNode, at: Lowering): readonly Statement[] {
  switch (node.type) {
    case 'items':
      return lowerItems(node.children, at);
    case 'impl_item':
    case 'trait_item':
      return lowerImpl(node, at);
    case 'mod_item': {
      const body = childOf(node, 'body');
      if (body === undefined) {
        const { start, end } = node;
        at.imports.push({
          start,
          end,
          module: 'self',
          name: at.fieldText(node, 'name'),
          local: at.fieldText(node, 'name'),
        });
      }
      return lowerItems(body?.children ?? [], at);
    }
    case 'function_item':
      return [functionStatement(lowerFunction(node, at, []))];
    case 'use_declaration': {
      at.imports.push(...usesIn(at.fieldText(node, 'argument'), node));
      return [];
    }
    case 'const_item':
    case 'static_item':
      return [assignOf(node, at.fieldText(node, 'name'), at.field(node, 'value'))];
    case 'let_declaration':
      return lowerLet(node, at);
    case 'expression_statement': {
      const [inner] = node.children;
      return inner === undefined
        ? []
        : inner.type === 'return_expression'
          ? lowerReturn(node, inner, at)
          : at.statement(inner);
    }
    case 'return_expression':
      return lowerReturn(node, node, at);
    case 'if_expression':
    case 'match_expression':
    case 'unsafe_block':
      return lowerTail(node, at, ignored);
    case 'block':
      return [blockOf(node, lowerTail(node, at, ignored))];
    case 'for_expression':
      return [loopOf(node, namesIn(childOf(node, 'pattern'), at), at.field(node, 'value'), bodyOf(node, at))];
    case 'while_expression':
    case 'loop_expression':
      return [loopOf(node, [], undefined, bodyOf(node, at))];
    case 'assignment_expression':
    case 'compound_assignment_expr': {
      const isAugmented = node.type === 'compound_assignment_expr';
      return assignmentOf(node, at.field(node, 'left'), at.field(node, 'right'), isAugmented);
    }
    case 'break_expression':
    case 'continue_expression':
      return [jumpOf(node)];
    default:
      if (/_(?:item|declaration|definition)$|^empty_statement$/.test(node.type)) {
        return [];
      }
      return isPanic(node, at)
        ? [expressionOf(at.expression(node)), jumpOf(node)]
        : [expressionOf(at.expression(node))];
  }
}

const bodyOf = (node: SyntaxNode, at: Lowering): Block => {
  const body = childOf(node, 'body');
  return body === undefined ? [] : lowerTail(body, at, ignored);
};

const PANICS = /^(?:(?:panic|todo|unimplemented|unreachable|bail)!|(?:std::)?process::(?:exit|abort)\()/;
const isPanic = (node: SyntaxNode, at: Lowering) =>
  PANICS.test(at.source.text.slice(node.start, Math.min(node.end, node.start + 30)));

function lowerReturn(span: SyntaxNode, node: SyntaxNode, at: Lowering): readonly Statement[] {
  const [value] = node.children;
  if (value === undefined) {
    return [returnOf(span, undefined)];
  }
  return BLOCK_LIKE.test(value.type) ? lowerTail(value, at, returned) : leave(span, value, false, at);
}

function lowerLet(node: SyntaxNode, at: Lowering): readonly Statement[] {
  const pattern = childOf(node, 'pattern');
  const value = childOf(node, 'value');
  const names = namesIn(pattern, at);
  const [name] = names;
  const otherwise = childOf(node, 'alternative');
  const guarded =
    value !== undefined && otherwise !== undefined ? [lowerLetElse(node, pattern, value, otherwise, at)] : [];
  const isPlain = pattern?.type === 'identifier' && name !== undefined;
  if (value !== undefined && isPlain && BLOCK_LIKE.test(value.type)) {
    return lowerTail(value, at, (tail, inside) => [assignOf(tail, name, inside.expression(tail))]);
  }
  const lowered = value === undefined ? undefined : at.expression(value);
  const { start, end } = node;
  return isPlain
    ? [assignOf(node, name, lowered)]
    : [
        ...guarded,
        { start, end, kind: 'assign', target: { kind: 'pattern', names }, value: lowered, isAugmented: false },
      ];
}

/** `let Some(x) = f() else { … }`: what follows `else` runs when it is not so. */
function lowerLetElse(
  node: SyntaxNode,
  pattern: SyntaxNode | undefined,
  value: SyntaxNode,
  otherwise: SyntaxNode,
  at: Lowering,
): Statement {
  const { start, end } = value;
  const condition: Expression = { start, end, kind: 'not', operand: at.expression(value) };
  const body = lowerTail(otherwise, at, ignored);
  const isResult = at.text(pattern).startsWith('Ok(');
  return branchOf(node, [{ condition, body: isResult ? caughtBlock(otherwise, undefined, [], body) : body }]);
}

function lowerIf(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const arms: Arm[] = [];
  let current: SyntaxNode | undefined = node;
  while (current !== undefined) {
    const test = childOf(current, 'condition');
    const pattern = test?.type === 'let_condition' ? childOf(test, 'pattern') : undefined;
    const condition = test?.type === 'let_condition' ? otherOf(test, [at.field(test, 'value')]) : at.expression(test);
    arms.push({ condition, body: armBody(childOf(current, 'consequence'), pattern, at, sink) });
    const otherwise: SyntaxNode | undefined = childOf(current, 'alternative')?.children[0];
    current = otherwise?.type === 'if_expression' ? otherwise : undefined;
    if (otherwise !== undefined && current === undefined) {
      const body = lowerTail(otherwise, at, sink);
      const isFailed = at.text(pattern).startsWith('Ok(');
      arms.push({ condition: undefined, body: isFailed ? caughtBlock(otherwise, undefined, [], body) : body });
    }
  }
  return branchOf(node, arms);
}

/** An arm for `Err(e)` is a catch of e; one for a certain kind of error leads to what is expected. */
function armBody(node: SyntaxNode | undefined, pattern: SyntaxNode | undefined, at: Lowering, sink: Sink): Block {
  if (node === undefined) {
    return [];
  }
  const body = lowerTail(node, at, sink);
  const text = at.text(pattern);
  if (!text.startsWith('Err(')) {
    return body;
  }
  return /^Err\(\s*(?:ref\s+|mut\s+)*[a-z_]\w*\s*\)$/.test(text)
    ? caughtBlock(node, namesIn(pattern, at)[0], [], body)
    : [tryOf(node, body, [])];
}

const TRANSPARENT = new Set(['as_str', 'as_ref', 'as_deref', 'to_string', 'clone']);

function lowerMatch(node: SyntaxNode, at: Lowering, sink: Sink): Statement {
  const whole = at.field(node, 'value');
  const isView = whole.kind === 'call' && whole.callee.kind === 'member' && TRANSPARENT.has(whole.callee.name);
  const subject = isView && whole.callee.kind === 'member' ? whole.callee.object : whole;
  const arms: Arm[] = [];
  for (const arm of childOf(node, 'body')?.children ?? []) {
    const pattern = childOf(arm, 'pattern');
    const guard = pattern === undefined ? undefined : childOf(pattern, 'condition');
    const isRest = guard === undefined && /^(?:_|[a-z]\w*)$/.test(at.text(pattern));
    const tested = pattern?.children.filter(({ field }) => field !== 'condition') ?? [];
    const values = tested.flatMap((part) => (part.type === 'or_pattern' ? part.children : [part]));
    const condition = isRest ? undefined : (caseCondition(subject, at.expressions(values)) ?? at.expression(guard));
    arms.push({ condition, body: armBody(childOf(arm, 'value'), pattern, at, sink) });
  }
  return branchOf(node, arms, subject);
}
