import type { Entry, Expression } from '../../ir.ts';
import { childOf, type SyntaxNode } from '../../syntax.ts';
import {
  concatenate,
  constantText,
  type LoweringContext,
  lowerNested,
  other,
  readEscapes,
  textOf,
  widen,
} from '../lowering.ts';
import { lowerFunction } from './functions.ts';

/** Lowers a Python expression. Deep nesting ends in `other`. */
export function lowerExpression(node: SyntaxNode | undefined, context: LoweringContext): Expression {
  return lowerNested(node, context, lowerKind);
}

/** The kinds that most of a file is made of, without a closure for each node. */
function lowerKind(node: SyntaxNode, context: LoweringContext): Expression {
  const { start, end } = node;
  switch (node.type) {
    case 'string':
      return { start, end, kind: 'text', parts: stringParts(node, context) };
    case 'identifier':
      return { start, end, kind: 'name', name: textOf(context, node) };
    case 'attribute':
      return {
        start,
        end,
        kind: 'member',
        object: lowerExpression(childOf(node, 'object'), context),
        name: fieldText(node, 'attribute', context),
      };
    case 'call':
      return lowerCall(node, context);
    case 'dictionary':
      return lowerDictionary(node, context);
    default:
      return lowerRest(node, context);
  }
}

function lowerRest(node: SyntaxNode, context: LoweringContext): Expression {
  const lower = (child: SyntaxNode | undefined) => lowerExpression(child, context);
  const { start, end } = node;
  switch (node.type) {
    case 'concatenated_string':
      return {
        start,
        end,
        kind: 'text',
        parts: node.children.flatMap((child) =>
          child.type === 'string' ? stringParts(child, context) : [lower(child)],
        ),
      };
    case 'none':
      return { start, end, kind: 'constant', value: null };
    case 'true':
    case 'false':
      return { start, end, kind: 'constant', value: node.type === 'true' };
    case 'integer':
    case 'float':
      return { start, end, kind: 'constant', value: Number(textOf(context, node)) };
    case 'unary_operator': {
      const value = Number(textOf(context, node));
      return Number.isNaN(value)
        ? other(node, node.children.filter((c) => c.isNamed).map(lower))
        : { start, end, kind: 'constant', value };
    }
    case 'parenthesized_expression':
    case 'await':
      return widen(lower(node.children.find((child) => child.isNamed)), node);
    case 'subscript': {
      const object = lower(childOf(node, 'value'));
      const index = lower(childOf(node, 'subscript'));
      const key = constantText(index);
      return key === undefined ? other(node, [object, index]) : { start, end, kind: 'member', object, name: key };
    }
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
      return lowerList(node, context);
    case 'list_comprehension':
    case 'generator_expression':
    case 'set_comprehension':
    case 'dictionary_comprehension':
      return {
        start,
        end,
        kind: 'list',
        items: [],
        spreads: node.children.filter((c) => c.isNamed).flatMap((c) => partsOf(c, context)),
      };
    case 'conditional_expression': {
      const [then, condition, otherwise] = node.children.filter((child) => child.isNamed).map(lower);
      return then === undefined || otherwise === undefined
        ? other(node)
        : { start, end, kind: 'choice', condition, options: [then, otherwise] };
    }
    case 'boolean_operator': {
      const left = lower(childOf(node, 'left'));
      const right = lower(childOf(node, 'right'));
      const isOr = fieldText(node, 'operator', context) === 'or';
      return { start, end, kind: 'choice', condition: left, options: isOr ? [left, right] : [right] };
    }
    case 'not_operator':
      return { start, end, kind: 'not', operand: lower(childOf(node, 'argument')) };
    case 'comparison_operator': {
      const operator = node.children
        .filter((child) => child.field === 'operators')
        .map((child) => textOf(context, child))
        .join(' ');
      return {
        start,
        end,
        kind: 'compare',
        operator,
        parts: node.children.filter((c) => c.field !== 'operators').map(lower),
      };
    }
    case 'binary_operator':
      return lowerBinary(node, context);
    case 'named_expression': {
      const name = fieldText(node, 'name', context);
      const value = lower(childOf(node, 'value'));
      context.pending.push({ start, end, kind: 'assign', target: { kind: 'name', name }, value, isAugmented: false });
      return { start, end, kind: 'name', name };
    }
    case 'lambda':
      return { start, end, kind: 'function', value: lowerFunction(node, context, []) };
    default:
      return other(
        node,
        node.children.filter((child) => child.isNamed).flatMap((child) => partsOf(child, context)),
      );
  }
}

/** Clauses of comprehensions and such have no value of their own: their named children stand for them. */
function partsOf(node: SyntaxNode, context: LoweringContext): Expression[] {
  return node.type.endsWith('_clause') || node.type === 'pair'
    ? node.children.filter((child) => child.isNamed).map((child) => lowerExpression(child, context))
    : [lowerExpression(node, context)];
}

function fieldText(node: SyntaxNode, field: string, context: LoweringContext): string {
  const child = childOf(node, field);
  return child === undefined ? '' : textOf(context, child);
}

function stringParts(node: SyntaxNode, context: LoweringContext): (string | Expression)[] {
  if (node.children.length === 0) {
    return [plainText(textOf(context, node))];
  }
  const parts: (string | Expression)[] = [];
  for (const child of node.children) {
    if (child.type === 'string_content') {
      parts.push(readEscapes(textOf(context, child)));
    } else if (child.type === 'interpolation') {
      parts.push(lowerExpression(childOf(child, 'expression'), context));
    }
  }
  return parts;
}

/** What stands between the quotes of a string without interpolations; parts of it are not in the tree. */
function plainText(literal: string): string {
  const head = /^([a-zA-Z]{0,2})("""|'''|"|')/.exec(literal);
  const quote = head?.[2] ?? '';
  const inner = literal.slice(
    head?.[0].length ?? 0,
    literal.endsWith(quote) ? literal.length - quote.length : undefined,
  );
  return /r/i.test(head?.[1] ?? '') ? inner : readEscapes(inner);
}

function lowerCall(node: SyntaxNode, context: LoweringContext): Expression {
  const argumentList = childOf(node, 'arguments');
  const args: Expression[] = [];
  const named: Entry[] = [];
  if (argumentList?.type === 'generator_expression') {
    args.push(lowerExpression(argumentList, context));
  } else {
    for (const child of argumentList?.children ?? []) {
      if (child.type === 'keyword_argument') {
        const value = lowerExpression(childOf(child, 'value'), context);
        named.push({ start: child.start, end: child.end, key: fieldText(child, 'name', context), value });
      } else if (child.type === 'dictionary_splat') {
        named.push({
          start: child.start,
          end: child.end,
          key: undefined,
          value: lowerExpression(child.children[0], context),
        });
      } else if (child.isNamed) {
        args.push(lowerExpression(child, context));
      }
    }
  }
  return {
    start: node.start,
    end: node.end,
    kind: 'call',
    callee: lowerExpression(childOf(node, 'function'), context),
    args,
    named,
    isNew: false,
  };
}

function lowerDictionary(node: SyntaxNode, context: LoweringContext): Expression {
  const entries: Entry[] = [];
  const spreads: Expression[] = [];
  for (const child of node.children) {
    if (child.type === 'pair') {
      const key = lowerExpression(childOf(child, 'key'), context);
      const value = lowerExpression(childOf(child, 'value'), context);
      entries.push({ start: child.start, end: child.end, key: constantText(key), value });
    } else if (child.type === 'dictionary_splat') {
      spreads.push(lowerExpression(child.children[0], context));
    }
  }
  return { start: node.start, end: node.end, kind: 'object', entries, spreads };
}

function lowerList(node: SyntaxNode, context: LoweringContext): Expression {
  const items: Expression[] = [];
  const spreads: Expression[] = [];
  for (const child of node.children) {
    if (child.type === 'list_splat') {
      spreads.push(lowerExpression(child.children[0], context));
    } else if (child.isNamed) {
      items.push(lowerExpression(child, context));
    }
  }
  return { start: node.start, end: node.end, kind: 'list', items, spreads };
}

function lowerBinary(node: SyntaxNode, context: LoweringContext): Expression {
  const left = lowerExpression(childOf(node, 'left'), context);
  const right = lowerExpression(childOf(node, 'right'), context);
  const operator = fieldText(node, 'operator', context);
  if (operator === '+') {
    return concatenate(node, left, right);
  }
  return operator === '%' && left.kind === 'text'
    ? { start: node.start, end: node.end, kind: 'text', parts: [...left.parts, right] }
    : other(node, [left, right]);
}
