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

/** Lowers an expression of TypeScript or JavaScript. Deep nesting ends in `other`. */
export function lowerExpression(node: SyntaxNode | undefined, context: LoweringContext): Expression {
  return lowerNested(node, context, lowerKind);
}

/** The kinds that most of a file is made of, without a closure for each node. */
function lowerKind(node: SyntaxNode, context: LoweringContext): Expression {
  const { start, end } = node;
  switch (node.type) {
    case 'string':
      return { start, end, kind: 'text', parts: [stringText(node, context)] };
    case 'template_string':
      return { start, end, kind: 'text', parts: templateParts(node, context) };
    case 'identifier':
    case 'shorthand_property_identifier':
    case 'this':
    case 'super': {
      const name = textOf(context, node);
      return name === 'undefined' ? { start, end, kind: 'constant', value: null } : { start, end, kind: 'name', name };
    }
    case 'null':
    case 'undefined':
      return { start, end, kind: 'constant', value: null };
    case 'true':
    case 'false':
      return { start, end, kind: 'constant', value: node.type === 'true' };
    case 'number':
      return { start, end, kind: 'constant', value: Number(textOf(context, node)) };
    case 'member_expression':
      return {
        start,
        end,
        kind: 'member',
        object: lowerExpression(childOf(node, 'object'), context),
        name: propertyName(node, context),
      };
    case 'call_expression':
    case 'new_expression':
      return lowerCall(node, context);
    case 'object':
      return lowerObject(node, context);
    case 'arrow_function':
    case 'function_expression':
    case 'generator_function':
      return { start, end, kind: 'function', value: lowerFunction(node, context) };
    case 'binary_expression':
      return lowerBinary(node, context);
    default:
      return lowerRest(node, context);
  }
}

function lowerRest(node: SyntaxNode, context: LoweringContext): Expression {
  const lower = (child: SyntaxNode | undefined) => lowerExpression(child, context);
  const named = () => node.children.filter((child) => child.isNamed);
  const { start, end } = node;
  switch (node.type) {
    case 'parenthesized_expression':
    case 'await_expression':
    case 'as_expression':
    case 'satisfies_expression':
    case 'non_null_expression':
      return widen(lower(named()[0]), node);
    case 'subscript_expression': {
      const object = lower(childOf(node, 'object'));
      const index = lower(childOf(node, 'index'));
      const key = constantText(index);
      return key === undefined ? other(node, [object, index]) : { start, end, kind: 'member', object, name: key };
    }
    case 'array':
      return {
        start,
        end,
        kind: 'list',
        items: named()
          .filter((child) => child.type !== 'spread_element')
          .map(lower),
        spreads: node.children.filter((c) => c.type === 'spread_element').map((c) => lower(c.children[0])),
      };
    case 'ternary_expression':
      return {
        start,
        end,
        kind: 'choice',
        condition: lower(childOf(node, 'condition')),
        options: [lower(childOf(node, 'consequence')), lower(childOf(node, 'alternative'))],
      };
    case 'unary_expression': {
      const operand = lower(childOf(node, 'argument'));
      const operator = fieldText(node, 'operator', context);
      return operator === '!' ? { start, end, kind: 'not', operand } : unary(node, operator, operand);
    }
    case 'assignment_expression':
      return widen(lower(childOf(node, 'right')), node);
    case 'sequence_expression':
      return lower(named().at(-1));
    default:
      return other(node, named().map(lower));
  }
}

function unary(node: SyntaxNode, operator: string, operand: Expression): Expression {
  return operator === '-' && operand.kind === 'constant' && typeof operand.value === 'number'
    ? { start: node.start, end: node.end, kind: 'constant', value: -operand.value }
    : operator === 'typeof'
      ? { start: node.start, end: node.end, kind: 'other', parts: [operand], operator }
      : other(node, [operand]);
}

function fieldText(node: SyntaxNode, field: string, context: LoweringContext): string {
  const child = childOf(node, field);
  return child === undefined ? '' : textOf(context, child);
}

const propertyName = (node: SyntaxNode, context: LoweringContext) => withoutHash(fieldText(node, 'property', context));

const withoutHash = (name: string) => (name.startsWith('#') ? name.slice(1) : name);

function stringText(node: SyntaxNode, context: LoweringContext): string {
  return readEscapes(context.source.text.slice(node.start + 1, Math.max(node.start + 1, node.end - 1)));
}

function templateParts(node: SyntaxNode, context: LoweringContext): (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  for (const child of node.children) {
    if (child.type === 'template_substitution') {
      parts.push(lowerExpression(child.children[0], context));
    } else {
      parts.push(readEscapes(textOf(context, child)));
    }
  }
  return parts;
}

function lowerCall(node: SyntaxNode, context: LoweringContext): Expression {
  const isNew = node.type === 'new_expression';
  const argumentList = childOf(node, 'arguments');
  const args = (argumentList?.children ?? []).filter((child) => child.isNamed);
  if (argumentList?.type === 'template_string') {
    return other(node, [lowerExpression(argumentList, context)]);
  }
  return {
    start: node.start,
    end: node.end,
    kind: 'call',
    callee: lowerExpression(childOf(node, isNew ? 'constructor' : 'function'), context),
    args: args.map((child) => lowerExpression(child.type === 'spread_element' ? child.children[0] : child, context)),
    named: [],
    isNew,
  };
}

/** The key of a pair or method; undefined when it is computed. */
export function keyOf(node: SyntaxNode | undefined, context: LoweringContext): string | undefined {
  switch (node?.type) {
    case 'property_identifier':
    case 'private_property_identifier':
    case 'number':
    case 'identifier':
      return withoutHash(textOf(context, node));
    case 'string':
      return stringText(node, context);
    default:
      return undefined;
  }
}

function lowerObject(node: SyntaxNode, context: LoweringContext): Expression {
  const entries: Entry[] = [];
  const spreads: Expression[] = [];
  for (const child of node.children) {
    const { start, end } = child;
    if (child.type === 'pair') {
      const value = lowerExpression(childOf(child, 'value'), context);
      entries.push({ start, end, key: keyOf(childOf(child, 'key'), context), value });
    } else if (child.type === 'shorthand_property_identifier') {
      entries.push({ start, end, key: textOf(context, child), value: lowerExpression(child, context) });
    } else if (child.type === 'method_definition') {
      const value: Expression = { start, end, kind: 'function', value: lowerFunction(child, context) };
      entries.push({ start, end, key: keyOf(childOf(child, 'name'), context), value });
    } else if (child.type === 'spread_element') {
      spreads.push(lowerExpression(child.children[0], context));
    }
  }
  return { start: node.start, end: node.end, kind: 'object', entries, spreads };
}

const COMPARISONS = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=', 'instanceof', 'in']);

function lowerBinary(node: SyntaxNode, context: LoweringContext): Expression {
  const left = lowerExpression(childOf(node, 'left'), context);
  const right = lowerExpression(childOf(node, 'right'), context);
  const operator = fieldText(node, 'operator', context);
  const { start, end } = node;
  if (operator === '||' || operator === '??') {
    return { start, end, kind: 'choice', condition: left, options: [left, right] };
  }
  if (operator === '&&') {
    return { start, end, kind: 'choice', condition: left, options: [right] };
  }
  if (COMPARISONS.has(operator)) {
    return { start, end, kind: 'compare', operator, parts: [left, right] };
  }
  return operator === '+' ? concatenate(node, left, right) : other(node, [left, right]);
}
