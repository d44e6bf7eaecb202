import type { Expression, FunctionIr, Parameter, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { assignOf, callOf, nameOf, returnOf, throwOf } from '../shared/build.ts';
import { classStatement, functionStatement, type Lowering } from '../shared/lowering.ts';
import { argumentsOf, lastPart } from './expressions.ts';

/** Lowers a function, a method or a closure; the body of an arrow function becomes an implicit return. */
export function lowerFunction(node: SyntaxNode, at: Lowering, more: readonly Expression[] = []): FunctionIr {
  const name = childOf(node, 'name');
  const body = childOf(node, 'body');
  const returns = childOf(node, 'return_type');
  const isArrow = node.type === 'arrow_function' && body !== undefined;
  return {
    start: node.start,
    end: node.end,
    name: name === undefined ? undefined : at.text(name),
    parameters: (childOf(node, 'parameters')?.children ?? []).map((parameter) => lowerParameter(parameter, at)),
    body: isArrow ? returnedBy(body, at) : at.block(body),
    decorators: [...attributesOf(node, at), ...more],
    returnType: returns === undefined ? undefined : at.text(returns),
    owner: at.owner,
    isExported: true,
    isDefaultExport: false,
  };
}

function returnedBy(body: SyntaxNode, at: Lowering): Statement[] {
  return body.type === 'throw_expression'
    ? [throwOf(body, at.expression(body.children[0]))]
    : [returnOf(body, at.expression(body), true)];
}

function lowerParameter(node: SyntaxNode, at: Lowering): Parameter {
  const name = at.fieldText(node, 'name').replace(/^\$/, '');
  const type = childOf(node, 'type');
  return { name, names: [name], type: type === undefined ? undefined : at.text(type) };
}

function attributesOf(node: SyntaxNode, at: Lowering): Expression[] {
  return (childOf(node, 'attributes')?.children ?? [])
    .flatMap(({ children }) => children)
    .map((attribute) => {
      const { args, named } = argumentsOf(childOf(attribute, 'parameters'), at);
      return callOf(attribute, nameOf(attribute, lastPart(at.text(attribute.children[0]))), args, named);
    });
}

/** Lowers a class or a trait. Its constants are known outside of it, so that they are found by their names. */
export function lowerClass(node: SyntaxNode, at: Lowering): Statement[] {
  const name = at.fieldText(node, 'name');
  const constants: Statement[] = [];
  // An attribute of the class is about the method that makes it callable.
  const own = attributesOf(node, at);
  const body = at.within({ owner: name }, () =>
    (childOf(node, 'body')?.children ?? []).flatMap((member): Statement[] => {
      switch (member.type) {
        case 'method_declaration': {
          const isInvoke = at.fieldText(member, 'name') === '__invoke';
          return [functionStatement(lowerFunction(member, at, isInvoke ? own : []))];
        }
        case 'const_declaration':
          constants.push(...constantsOf(member, at));
          return [];
        case 'property_declaration':
          return propertiesOf(member, at);
        default:
          return [];
      }
    }),
  );
  const bases = (childOfType(node, 'base_clause')?.children ?? []).map((base) => lastPart(at.text(base)));
  return [...constants, classStatement(node, name, bases, body, { nameSpan: childOf(node, 'name'), decorators: own })];
}

export function constantsOf(node: SyntaxNode, at: Lowering): Statement[] {
  return node.children
    .filter(({ type }) => type === 'const_element')
    .map((element) => assignOf(element, at.text(element.children[0]), at.expression(element.children[1])));
}

function propertiesOf(member: SyntaxNode, at: Lowering): Statement[] {
  return member.children
    .filter(({ type }) => type === 'property_element')
    .flatMap((element) => {
      const value = childOf(element, 'default_value') ?? childOfType(element, 'property_initializer')?.children[0];
      const name = at.text(childOf(element, 'name') ?? element.children[0]).replace(/^\$/, '');
      return value === undefined ? [] : [assignOf(element, name, at.expression(value))];
    });
}
