import type { Entry, Expression, FunctionIr, Parameter, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { assignOf, callOf, entryOf, nameOf, returnOf } from '../shared/build.ts';
import { classStatement, functionStatement, type Lowering } from '../shared/lowering.ts';

/** Lowers a method, a constructor or a lambda; an expression body becomes an implicit return. */
export function lowerFunction(node: SyntaxNode, at: Lowering): FunctionIr {
  const name = childOf(node, 'name');
  const body = childOf(node, 'body');
  const returns = childOf(node, 'type');
  const isBlock = body === undefined || body.type === 'block' || body.type === 'constructor_body';
  return {
    start: node.start,
    end: node.end,
    name: name === undefined ? undefined : at.text(name),
    parameters: parametersOf(childOf(node, 'parameters'), at),
    body: isBlock ? at.block(body) : [returnOf(body, at.expression(body), true)],
    decorators: annotationsOf(node, at),
    returnType: returns === undefined ? undefined : at.text(returns),
    owner: at.owner,
    isExported: /\bpublic\b/.test(at.text(childOfType(node, 'modifiers'))),
    isDefaultExport: false,
  };
}

function parametersOf(list: SyntaxNode | undefined, at: Lowering): Parameter[] {
  if (list === undefined) {
    return [];
  }
  const nodes = list.type === 'identifier' ? [list] : list.children;
  return nodes.map((parameter) => {
    const named = childOf(parameter, 'name') ?? childOfType(parameter, 'variable_declarator');
    const name = at.text(named ?? parameter);
    const type = childOf(parameter, 'type');
    return { name, names: [name], type: type === undefined ? undefined : at.text(type) };
  });
}

function annotationsOf(node: SyntaxNode, at: Lowering): Expression[] {
  return (childOfType(node, 'modifiers')?.children ?? [])
    .filter(({ type }) => type === 'annotation' || type === 'marker_annotation')
    .map((annotation) => {
      const args: Expression[] = [];
      const named: Entry[] = [];
      for (const child of childOf(annotation, 'arguments')?.children ?? []) {
        if (child.type === 'element_value_pair') {
          named.push(entryOf(child, at.fieldText(child, 'key'), at.field(child, 'value')));
        } else {
          args.push(at.expression(child));
        }
      }
      const name = at.fieldText(annotation, 'name').split('.').at(-1) ?? '';
      return callOf(annotation, nameOf(annotation, name), args, named);
    });
}

const CLASSES = new Set(['class_declaration', 'record_declaration']);
export const isClass = ({ type }: SyntaxNode) => CLASSES.has(type);

/** Lowers a class. Its constants are known outside of it, so that they are found by their bare names. */
export function lowerClass(node: SyntaxNode, at: Lowering): Statement[] {
  return at.deeper(() => lowerMembers(node, at)) ?? [];
}

function lowerMembers(node: SyntaxNode, at: Lowering): Statement[] {
  const name = at.fieldText(node, 'name');
  const members = childOf(node, 'body')?.children ?? [];
  const methods = members.filter(({ type }) => type === 'method_declaration');
  const siblings = new Set(methods.map((method) => at.fieldText(method, 'name')));
  const constants: Statement[] = [];
  const body = at.within({ owner: name, siblings }, () =>
    members.flatMap((member): Statement[] => {
      if (member.type === 'method_declaration' || member.type === 'constructor_declaration') {
        return [functionStatement(lowerFunction(member, at))];
      }
      if (member.type === 'field_declaration') {
        const fields = fieldsOf(member, at);
        constants.push(...(/\bfinal\b/.test(at.text(childOfType(member, 'modifiers'))) ? fields : []));
        return fields;
      }
      return isClass(member) ? lowerClass(member, at) : [];
    }),
  );
  const base = childOf(node, 'superclass')?.children[0];
  return [...constants, classStatement(node, name, base === undefined ? [] : [at.text(base)], body)];
}

function fieldsOf(member: SyntaxNode, at: Lowering): Statement[] {
  return member.children
    .filter(({ type }) => type === 'variable_declarator')
    .flatMap((declarator) => {
      const value = childOf(declarator, 'value');
      return value === undefined ? [] : [assignOf(declarator, at.fieldText(declarator, 'name'), at.expression(value))];
    });
}
