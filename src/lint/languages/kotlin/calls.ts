import type { Entry, Expression } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { constantText } from '../lowering.ts';
import { callOf, entryOf, listOf, memberOf, nameOf, objectOf, textOfParts } from '../shared/build.ts';
import type { Lowering } from '../shared/lowering.ts';
import { factsOf } from './scan.ts';

/** A call taken apart: `object.name(given) { lambda }`. */
export interface CallParts {
  readonly callee: SyntaxNode | undefined;
  /** What it is called on. */
  readonly object: SyntaxNode | undefined;
  readonly name: string;
  readonly given: readonly SyntaxNode[];
  /** The lambda after the brackets. */
  readonly lambda: SyntaxNode | undefined;
}

/** Takes a `call_expression` apart; a lambda after brackets is an argument of the same call. */
export function callParts(node: SyntaxNode, at: Lowering): CallParts {
  const lambda = childOfType(childOfType(node, 'annotated_lambda') ?? node, 'lambda_literal');
  const [first] = node.children;
  const inner = lambda !== undefined && first?.type === 'call_expression' ? first : node;
  const hasOwn = inner === node || childOfType(inner, 'annotated_lambda') === undefined;
  const call = hasOwn ? inner : node;
  const [callee] = call.children;
  const isMember = callee?.type === 'navigation_expression';
  const named = isMember ? callee.children.at(-1) : callee;
  return {
    callee,
    object: isMember ? callee.children[0] : undefined,
    name: named?.type === 'identifier' ? at.text(named) : '',
    given: childOfType(call, 'value_arguments')?.children ?? [],
    lambda,
  };
}

/** The name of an argument, when it has one. */
export const argumentName = ({ children }: SyntaxNode): SyntaxNode | undefined =>
  children.length > 1 && children[0]?.type === 'identifier' ? children[0] : undefined;

export const argumentValue = ({ children }: SyntaxNode): SyntaxNode | undefined => children.at(-1);

/** Lowers arguments, those with a name apart from the others. */
export function lowerArguments(given: readonly SyntaxNode[], at: Lowering): { args: Expression[]; named: Entry[] } {
  const args: Expression[] = [];
  const named: Entry[] = [];
  for (const argument of given) {
    const key = argumentName(argument);
    const value = at.expression(argumentValue(argument));
    if (key === undefined) {
      args.push(value);
    } else {
      named.push(entryOf(argument, at.text(key), value));
    }
  }
  return { args, named };
}

const LISTS =
  /^(?:(?:mutable)?(?:List|Set)Of|(?:list|set|array|sequence|persistentList)Of(?:NotNull)?|empty(?:List|Set))$/;
const MAPS = /^(?:map|mutableMap|linkedMap|hashMap|emptyMap)(?:Of)?$/;
const OBJECTS = /^(?:buildJsonObject|buildMap|putJsonObject)$/;

/** Lowers a call; `inside` lowers a lambda. */
export function lowerCall(node: SyntaxNode, at: Lowering): Expression {
  const parts = callParts(node, at);
  const { name, object } = parts;
  if (object === undefined && OBJECTS.test(name) && parts.lambda !== undefined) {
    return objectOf(node, putsIn(parts.lambda, at));
  }
  if (name === 'buildString' && parts.lambda !== undefined) {
    return textOfParts(node, appendsIn(parts.lambda, at));
  }
  if (object === undefined && MAPS.test(name)) {
    return objectOf(node, pairsIn(parts.given, at));
  }
  const { args, named } = lowerArguments(parts.given, at);
  if (parts.lambda !== undefined) {
    args.push(at.expression(parts.lambda));
  }
  if (object === undefined && LISTS.test(name)) {
    return listOf(node, args);
  }
  return called(node, parts, args, named, at);
}

function called(node: SyntaxNode, parts: CallParts, args: Expression[], named: Entry[], at: Lowering): Expression {
  const { callee, object, name } = parts;
  const known = factsOf(at.source);
  const span = callee === undefined ? node : (callee.children.at(-1) ?? callee);
  const isNew = /^[A-Z]/.test(name);
  if (object !== undefined) {
    // A function of the file that adds to a class of others is found by its bare name.
    const isExtension = known.extensions.has(name) && !at.siblings.has(name);
    const receiver = at.expression(object);
    const target = isExtension
      ? nameOf(span, name)
      : memberOf({ start: receiver.start, end: span.end }, receiver, name);
    return callOf(node, target, args, named, isNew);
  }
  if (name === '') {
    return callOf(node, at.expression(callee), args, named);
  }
  const fields = isNew ? known.records.get(name) : undefined;
  if (fields !== undefined && args.length <= fields.length) {
    const positional = args.map((value, index) => entryOf(value, fields[index], value));
    return callOf(node, nameOf(span, name), [], [...positional, ...named], true);
  }
  const target = at.siblings.has(name) ? memberOf(span, nameOf(span, 'this'), name) : nameOf(span, name);
  return callOf(node, target, args, named, isNew);
}

/** `mapOf("a" to 1)`. */
function pairsIn(given: readonly SyntaxNode[], at: Lowering): Entry[] {
  return given.flatMap((argument) => {
    const pair = argumentValue(argument);
    const [key, word, value] = pair?.type === 'infix_expression' ? pair.children : [];
    return pair === undefined || value === undefined || at.text(word) !== 'to'
      ? []
      : [entryOf(pair, constantText(at.expression(key)), at.expression(value))];
  });
}

/** `put("a", 1)` in the lambda of a builder. */
function putsIn(lambda: SyntaxNode, at: Lowering): Entry[] {
  return lambda.children.flatMap((child) => {
    if (child.type === 'assignment') {
      const index = childOf(child, 'left');
      const key = index?.type === 'index_expression' ? index.children.at(-1) : undefined;
      const value = childOf(child, 'right');
      return key === undefined || value === undefined
        ? []
        : [entryOf(child, constantText(at.expression(key)), at.expression(value))];
    }
    const { name, given, lambda: nested } = child.type === 'call_expression' ? callParts(child, at) : NO_CALL;
    const [key, value] = given.map(argumentValue);
    if (key === undefined || !/^(?:put|putJson(?:Object|Array)|add)$/.test(name)) {
      return [];
    }
    const made = value ?? nested;
    return made === undefined ? [] : [entryOf(child, constantText(at.expression(key)), at.expression(made))];
  });
}

const NO_CALL = { name: '', given: [], lambda: undefined } as const;

/** `append("…")` and `appendLine("…")` in the lambda of a builder: what the text is made of. */
function appendsIn(lambda: SyntaxNode, at: Lowering): (string | Expression)[] {
  return lambda.children.flatMap((child): (string | Expression)[] => {
    const { name, given } = child.type === 'call_expression' ? callParts(child, at) : NO_CALL;
    const [first] = given;
    if (!/^append(?:Line)?$/.test(name) || first === undefined) {
      return [{ start: child.start, end: child.end, kind: 'other', parts: [] }];
    }
    const value = at.expression(argumentValue(first));
    return value.kind === 'text' ? [...value.parts, ' '] : [value];
  });
}
