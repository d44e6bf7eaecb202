import type { Expression, FunctionIr, Parameter, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { MAX_DEPTH } from '../lowering.ts';
import { callOf, entryOf, nameOf, returnOf, textOfParts, withoutArguments } from '../shared/build.ts';
import { classStatement, functionStatement, type Lowering } from '../shared/lowering.ts';
import { lowerTail, returned } from './statements.ts';

/** Lowers a function or a method; what its body ends in is returned. */
export function lowerFunction(node: SyntaxNode, at: Lowering, attributes: readonly SyntaxNode[]): FunctionIr {
  const returns = childOf(node, 'return_type');
  const body = childOf(node, 'body');
  return {
    start: node.start,
    end: node.end,
    name: at.fieldText(node, 'name'),
    parameters: (childOf(node, 'parameters')?.children ?? [])
      .filter(({ type }) => type === 'parameter')
      .map((parameter) => lowerParameter(parameter, at)),
    body: body === undefined ? [] : lowerTail(body, at, returned),
    decorators: attributes.flatMap((attribute) => lowerAttribute(attribute, at)),
    returnType: returns === undefined ? undefined : at.text(returns),
    owner: at.owner,
    isExported: childOfType(node, 'visibility_modifier') !== undefined,
    isDefaultExport: false,
  };
}

/** Lowers a closure: `|e| …`. */
export function lowerClosure(node: SyntaxNode, at: Lowering): FunctionIr {
  const body = childOf(node, 'body');
  return {
    start: node.start,
    end: node.end,
    name: undefined,
    parameters: (childOf(node, 'parameters')?.children ?? []).map((parameter) => lowerParameter(parameter, at)),
    body:
      body === undefined
        ? []
        : body.type === 'block'
          ? lowerTail(body, at, returned)
          : [returnOf(body, at.expression(body), true)],
    decorators: [],
    returnType: undefined,
    owner: at.owner,
    isExported: false,
    isDefaultExport: false,
  };
}

function lowerParameter(node: SyntaxNode, at: Lowering): Parameter {
  const pattern = childOf(node, 'pattern') ?? node;
  const type = childOf(node, 'type');
  const names = namesIn(pattern, at);
  return {
    name: pattern.type === 'identifier' ? at.text(pattern) : undefined,
    names,
    type: type === undefined ? undefined : at.text(type),
  };
}

/** The variables that a pattern binds. */
export function namesIn(pattern: SyntaxNode | undefined, at: Lowering, depth = 0): string[] {
  if (pattern === undefined || depth > MAX_DEPTH) {
    return [];
  }
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_field_identifier') {
    const name = at.text(pattern);
    return /^[a-z_]/.test(name) ? [name] : [];
  }
  return pattern.children
    .filter(({ field }) => field !== 'type' && field !== 'condition')
    .flatMap((child) => namesIn(child, at, depth + 1));
}

/** `#[tool(name = "x", …)]`. */
function lowerAttribute(item: SyntaxNode, at: Lowering): Expression[] {
  const attribute = childOfType(item, 'attribute');
  const [path] = attribute?.children ?? [];
  if (attribute === undefined || path === undefined) {
    return [];
  }
  const text = at.fieldText(attribute, 'arguments');
  const given = /\bname\s*=\s*"([^"]*)"/.exec(text)?.[1];
  const named = given === undefined ? [] : [entryOf(attribute, 'name', textOfParts(attribute, [given]))];
  if (/\bannotations\s*[=(]/.test(text)) {
    named.push(entryOf(attribute, 'annotations', textOfParts(attribute, [])));
  }
  return [callOf(attribute, nameOf(attribute, at.text(path).split('::').at(-1) ?? ''), [], named)];
}

/** Lowers the items of a file, a module or an `impl`; attributes stand before what they are about. */
export function lowerItems(nodes: readonly SyntaxNode[], at: Lowering): Statement[] {
  const statements: Statement[] = [];
  let attributes: SyntaxNode[] = [];
  for (const node of nodes) {
    if (node.type === 'attribute_item') {
      attributes.push(node);
      continue;
    }
    if (node.type === 'function_item') {
      statements.push(functionStatement(lowerFunction(node, at, attributes)));
    } else {
      statements.push(...at.statement(node));
    }
    attributes = [];
  }
  return statements;
}

/** `impl T { … }` and `impl Trait for T { … }`: methods of T. */
export function lowerImpl(node: SyntaxNode, at: Lowering): Statement[] {
  const owner = withoutArguments(at.fieldText(node, 'type')).split('::').at(-1);
  const trait = at.fieldText(node, 'trait');
  const body = at.within({ owner }, () => lowerItems(childOf(node, 'body')?.children ?? [], at));
  return [classStatement(node, owner, trait === '' ? [] : [trait], body)];
}
