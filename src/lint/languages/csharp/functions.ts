import type { Expression, FunctionIr, Parameter, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { assignOf, callOf, nameOf, throwOf } from '../shared/build.ts';
import { classStatement, functionStatement, type Lowering } from '../shared/lowering.ts';
import { argumentsOf } from './expressions.ts';

/** Lowers a method, a local function or a lambda; an expression body becomes an implicit return. */
export function lowerFunction(node: SyntaxNode, at: Lowering): FunctionIr {
  const name = childOf(node, 'name');
  const body = childOf(node, 'body');
  const returns =
    childOf(node, 'returns') ?? (node.type === 'local_function_statement' ? childOf(node, 'type') : undefined);
  const parameters = childOf(node, 'parameters');
  const list =
    parameters?.type === 'parameter_list' ? parameters.children : parameters === undefined ? [] : [parameters];
  const expression =
    body?.type === 'arrow_expression_clause' ? body.children[0] : body?.type === 'block' ? undefined : body;
  return {
    start: node.start,
    end: node.end,
    name: name === undefined ? undefined : at.text(name),
    parameters: list.map((parameter) => lowerParameter(parameter, at)),
    body: expression === undefined ? at.block(body) : returnedBy(expression, at),
    // A trigger stands on a parameter and registers the method.
    decorators: [...attributesOf(node, at), ...list.flatMap((parameter) => triggersOf(parameter, at))],
    returnType: returns === undefined ? undefined : at.text(returns),
    owner: at.owner,
    isExported: /^public\b/m.test(at.source.text.slice(node.start, body?.start ?? node.end)),
    isDefaultExport: false,
  };
}

/** What `=> expression` gives back. */
function returnedBy(expression: SyntaxNode, at: Lowering): Statement[] {
  return expression.type === 'throw_expression'
    ? [throwOf(expression, at.expression(expression.children[0]))]
    : [...at.statement({ ...expression, type: 'implicit_return', field: undefined, children: [expression] })];
}

function lowerParameter(node: SyntaxNode, at: Lowering): Parameter {
  const named = childOf(node, 'name');
  const name = named === undefined ? at.text(node) : at.text(named);
  const type = childOf(node, 'type');
  return { name, names: [name], type: type === undefined ? undefined : at.text(type) };
}

function attributesOf(node: SyntaxNode, at: Lowering): Expression[] {
  return node.children
    .filter(({ type }) => type === 'attribute_list')
    .flatMap(({ children }) => children)
    .filter(({ type }) => type === 'attribute')
    .map((attribute) => {
      const { args, named } = argumentsOf(childOfType(attribute, 'attribute_argument_list'), at);
      const name = at.fieldText(attribute, 'name').split('.').at(-1) ?? '';
      return callOf(attribute, nameOf(attribute, name.replace(/Attribute$/, '')), args, named);
    });
}

const triggersOf = (parameter: SyntaxNode, at: Lowering) =>
  attributesOf(parameter, at).filter(
    (it) => it.kind === 'call' && it.callee.kind === 'name' && it.callee.name === 'McpToolTrigger',
  );

const CLASSES = new Set(['class_declaration', 'record_declaration', 'struct_declaration', 'record_struct_declaration']);
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
      if (member.type === 'method_declaration') {
        return [functionStatement(lowerFunction(member, at))];
      }
      if (member.type === 'field_declaration') {
        const fields = fieldsOf(member, at);
        constants.push(...(/\b(?:const|readonly)\b/.test(at.text(member)) ? fields : []));
        return fields;
      }
      return isClass(member) ? lowerClass(member, at) : [];
    }),
  );
  const bases = (childOfType(node, 'base_list')?.children ?? []).map((base) => at.text(base));
  return [...constants, classStatement(node, name, bases, body)];
}

function fieldsOf(member: SyntaxNode, at: Lowering): Statement[] {
  const declarators = (childOfType(member, 'variable_declaration')?.children ?? []).filter(
    ({ type }) => type === 'variable_declarator',
  );
  return declarators.flatMap((declarator) => {
    const value = declarator.children.find(({ field }) => field !== 'name');
    return value === undefined ? [] : [assignOf(declarator, at.fieldText(declarator, 'name'), at.expression(value))];
  });
}
