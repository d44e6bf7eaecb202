import type { Entry, Expression } from '../../ir.ts';
import { childOf, type SyntaxNode } from '../../syntax.ts';
import { concatenate, constantText, widen } from '../lowering.ts';
import {
  callOf,
  choiceOf,
  constantOf,
  entryOf,
  formatParts,
  functionOf,
  listOf,
  memberOf,
  nameOf,
  objectOf,
  otherOf,
  textOfParts,
} from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';
import { lowerBlockFunction } from './functions.ts';
import { lowerHeredoc, lowerString } from './strings.ts';

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=', '===', '=~']);
const SPECIFIER = /%(?:%|[-+ 0]{0,8}\d{0,6}(?:\.\d{1,6})?[a-zA-Z])/g;
/** Calls without arguments that say something of their object; any other is read like a field. */
const CONVERSIONS = new Set([
  'to_s',
  'to_json',
  'to_h',
  'strip',
  'chomp',
  'freeze',
  'dup',
  'full_message',
  'inspect',
  'new',
  'call',
]);

/** Lowers an expression of Ruby. `T.new(…)` is a call of T, a block the last argument of its call. */
export function lowerRubyExpression(node: SyntaxNode, at: Lowering): Expression {
  switch (node.type) {
    case 'string':
    case 'chained_string':
      return lowerString(node, at);
    case 'heredoc_beginning':
      return lowerHeredoc(node, at);
    case 'simple_symbol':
      return textOfParts(node, [at.text(node).slice(1)]);
    case 'hash_key_symbol':
      return textOfParts(node, [at.text(node)]);
    case 'identifier': {
      const name = at.text(node);
      return at.siblings.has(name) ? callOf(node, memberOf(node, nameOf(node, 'self'), name), []) : nameOf(node, name);
    }
    case 'constant':
    case 'instance_variable':
    case 'class_variable':
    case 'global_variable':
    case 'self':
      return nameOf(node, at.text(node));
    case 'scope_resolution': {
      const scope = childOf(node, 'scope');
      const name = at.fieldText(node, 'name');
      return scope === undefined ? nameOf(node, name) : memberOf(node, at.expression(scope), name);
    }
    case 'nil':
      return constantOf(node, null);
    case 'true':
    case 'false':
      return constantOf(node, node.type === 'true');
    case 'integer':
    case 'float':
      return constantOf(node, Number.parseFloat(at.text(node)));
    case 'call':
      return lowerCall(node, at);
    case 'hash':
      return lowerHash(node, at);
    case 'array':
    case 'string_array':
    case 'symbol_array':
      return listOf(
        node,
        at.expressions(node.children.filter(({ type }) => type !== 'splat_argument')),
        at.expressions(node.children.filter(({ type }) => type === 'splat_argument')),
      );
    case 'conditional':
      return choiceOf(node, at.field(node, 'condition'), [
        at.field(node, 'consequence'),
        at.field(node, 'alternative'),
      ]);
    case 'rescue_modifier':
      return choiceOf(node, undefined, [at.field(node, 'body'), at.field(node, 'handler')]);
    case 'binary':
      return lowerBinary(node, at);
    case 'unary': {
      const operand = at.field(node, 'operand');
      return /^(?:!|not)$/.test(at.fieldText(node, 'operator'))
        ? { start: node.start, end: node.end, kind: 'not', operand }
        : otherOf(node, [operand]);
    }
    case 'parenthesized_statements':
      return widen(at.expression(node.children.at(-1)), node);
    case 'element_reference': {
      const [object, index] = at.expressions(node.children);
      const key = index === undefined ? undefined : constantText(index);
      return object === undefined || key === undefined
        ? otherOf(node, object === undefined ? [] : [object])
        : memberOf(node, object, key);
    }
    case 'assignment':
    case 'operator_assignment':
      return widen(at.field(node, 'right'), node);
    case 'lambda':
      return functionOf(node, lowerBlockFunction(node, childOf(node, 'body'), at));
    case 'argument_list':
    case 'splat_argument':
    case 'pattern':
      return node.children.length === 1 ? at.expression(node.children[0]) : listOf(node, at.expressions(node.children));
    default:
      return otherOf(node, at.expressions(node.children.filter(({ isNamed }) => isNamed)));
  }
}

function lowerCall(node: SyntaxNode, at: Lowering): Expression {
  const receiver = childOf(node, 'receiver');
  const method = childOf(node, 'method');
  const name = at.text(method);
  const span = method ?? node;
  const { args, named } = argumentsOf(childOf(node, 'arguments'), at);
  const block = childOf(node, 'block');
  const run = block === undefined ? [] : [functionOf(block, lowerBlockFunction(block, block, at))];
  if (receiver === undefined) {
    const [first] = args;
    const format = first === undefined ? undefined : constantText(first);
    if ((name === 'format' || name === 'sprintf') && format !== undefined) {
      return textOfParts(node, formatParts(format, SPECIFIER, args.slice(1)));
    }
    const callee = at.siblings.has(name) ? memberOf(span, nameOf(span, 'self'), name) : nameOf(span, name);
    return callOf(node, callee, [...args, ...run], named);
  }
  const object = at.expression(receiver);
  if (name === 'new') {
    return callOf(node, object, [...args, ...run], named, true);
  }
  const member = memberOf({ start: object.start, end: span.end }, object, name);
  const isRead = childOf(node, 'arguments') === undefined && block === undefined;
  const isCall = !isRead || CONVERSIONS.has(name) || (object.kind === 'name' && /^(?:self|[A-Z])/.test(object.name));
  return isCall ? callOf(node, member, [...args, ...run], named) : { ...member, start: node.start, end: node.end };
}

function argumentsOf(list: SyntaxNode | undefined, at: Lowering): { args: Expression[]; named: Entry[] } {
  const args: Expression[] = [];
  const named: Entry[] = [];
  for (const argument of list?.children ?? []) {
    if (argument.type === 'pair') {
      named.push(pairOf(argument, at));
    } else if (argument.type !== 'block_argument') {
      args.push(at.expression(argument));
    }
  }
  return { args, named };
}

/** `a: x`, `"a" => x`, and `a:` for the variable of that name. */
function pairOf(node: SyntaxNode, at: Lowering): Entry {
  const key = childOf(node, 'key');
  const value = childOf(node, 'value');
  const name = key === undefined ? undefined : constantText(at.expression(key));
  return entryOf(node, name, value === undefined ? nameOf(node, name ?? '') : at.expression(value));
}

function lowerHash(node: SyntaxNode, at: Lowering): Expression {
  const pairs = node.children.filter(({ type }) => type === 'pair').map((pair) => pairOf(pair, at));
  const spreads = node.children
    .filter(({ type }) => type === 'hash_splat_argument')
    .map((splat) => at.expression(splat.children[0]));
  return objectOf(node, pairs, spreads);
}

function lowerBinary(node: SyntaxNode, at: Lowering): Expression {
  const left = at.field(node, 'left');
  const right = at.field(node, 'right');
  const operator = at.fieldText(node, 'operator');
  if (operator === '||' || operator === 'or') {
    return choiceOf(node, left, [left, right]);
  }
  if (COMPARISONS.has(operator)) {
    return { start: node.start, end: node.end, kind: 'compare', operator, parts: [left, right] };
  }
  const format = operator === '%' ? constantText(left) : undefined;
  if (format !== undefined) {
    return textOfParts(node, formatParts(format, SPECIFIER, right.kind === 'list' ? right.items : [right]));
  }
  return operator === '+' ? concatenate(node, left, right) : otherOf(node, [left, right]);
}
