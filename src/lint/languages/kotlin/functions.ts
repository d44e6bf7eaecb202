import type { Block, Expression, FunctionIr, Parameter, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { callOf, nameOf } from '../shared/build.ts';
import { classStatement, functionStatement, type Lowering } from '../shared/lowering.ts';
import { lowerArguments } from './calls.ts';
import { factsOf } from './scan.ts';
import { lowerTail, lowerTails, returned } from './tails.ts';

/** Lowers a function; one whose body is an expression gives back its value. */
export function lowerFunction(node: SyntaxNode, at: Lowering): FunctionIr {
  const body = childOfType(node, 'function_body')?.children[0];
  const types = node.children.slice(node.children.findIndex(({ type }) => type === 'function_value_parameters') + 1);
  const returns = types.find(({ type }) => type.endsWith('_type'));
  const name = childOf(node, 'name');
  return {
    start: node.start,
    end: node.end,
    name: name === undefined ? undefined : at.text(name),
    parameters: parametersOf(childOfType(node, 'function_value_parameters'), at),
    body: functionBody(at, () =>
      body === undefined ? [] : body.type === 'block' ? at.block(body) : lowerTail(body, at, returned),
    ),
    decorators: annotationsOf(node, at),
    returnType: returns === undefined ? undefined : at.text(returns),
    owner: at.owner,
    isExported: !/\b(?:private|internal)\b/.test(at.text(childOfType(node, 'modifiers'))),
    isDefaultExport: false,
  };
}

/** Lowers a lambda: it gives back what it ends in. */
export function lowerLambda(node: SyntaxNode, at: Lowering): FunctionIr {
  const declared = childOfType(node, 'lambda_parameters')?.children ?? [];
  const statements = node.children.filter(({ type }) => type !== 'lambda_parameters');
  return {
    start: node.start,
    end: node.end,
    name: undefined,
    parameters: declared.length === 0 ? [parameter('it')] : declared.map((it) => declaredParameter(it, at)),
    body: functionBody(at, () => lowerTails(statements, at, returned)),
    decorators: [],
    returnType: undefined,
    owner: at.owner,
    isExported: false,
    isDefaultExport: false,
  };
}

/** A function has its own statements before statements, and its own returns. */
function functionBody(at: Lowering, lower: () => Block): Block {
  const { pending } = at;
  const { labels } = factsOf(at.source);
  at.pending = [];
  labels.push({ name: undefined, sink: undefined });
  const body = lower();
  labels.pop();
  at.pending = pending;
  return body;
}

const parameter = (name: string, type?: string, hasDefault = false): Parameter => ({
  name,
  names: [name],
  type,
  hasDefault,
});

function declaredParameter(node: SyntaxNode, at: Lowering): Parameter {
  if (node.type === 'multi_variable_declaration') {
    const names = node.children.map((it) => at.text(it.children[0]));
    return { name: undefined, names, type: undefined };
  }
  const [name, type] = node.children;
  return parameter(at.text(name), type === undefined ? undefined : at.text(type));
}

function parametersOf(list: SyntaxNode | undefined, at: Lowering): Parameter[] {
  const nodes = list?.children ?? [];
  return nodes.flatMap((node, index) => {
    if (node.type !== 'parameter') {
      return [];
    }
    const [name, type] = node.children;
    const next = nodes[index + 1];
    const hasDefault = next !== undefined && next.type !== 'parameter' && next.type !== 'parameter_modifiers';
    return [parameter(at.text(name), type === undefined ? undefined : at.text(type), hasDefault)];
  });
}

/** The annotations of a declaration, as calls. */
function annotationsOf(node: SyntaxNode, at: Lowering): Expression[] {
  return (childOfType(node, 'modifiers')?.children ?? [])
    .filter(({ type }) => type === 'annotation')
    .map((annotation) => {
      const made = childOfType(annotation, 'constructor_invocation');
      const type = childOfType(made ?? annotation, 'user_type');
      const { args, named } = lowerArguments(childOfType(made ?? annotation, 'value_arguments')?.children ?? [], at);
      return callOf(annotation, nameOf(annotation, at.text(type).split('.').at(-1) ?? ''), args, named);
    });
}

const CLASSES = new Set(['class_declaration', 'object_declaration', 'companion_object']);

/** Whether it declares a class or an object. */
export const isClass = ({ type }: SyntaxNode): boolean => CLASSES.has(type);

/** Lowers a class or an object. Its values are known outside of it, so that they are found by their bare names. */
export function lowerClass(node: SyntaxNode, at: Lowering): Statement[] {
  return at.deeper(() => lowerMembers(node, at.fieldText(node, 'name'), at)) ?? [];
}

/** Lowers `object : Base { … }`: a class without a name. */
export function lowerObject(node: SyntaxNode, at: Lowering): Statement[] {
  return at.deeper(() => lowerMembers(node, `$object${node.start}`, at)) ?? [];
}

function lowerMembers(node: SyntaxNode, name: string, at: Lowering): Statement[] {
  const members = membersOf(node);
  const methods = members.filter(({ type }) => type === 'function_declaration');
  const siblings = new Set(methods.map((method) => at.fieldText(method, 'name')));
  const beside: Statement[] = [];
  const body = at.within({ owner: name, siblings }, () =>
    members.flatMap((member): Block => {
      if (member.type === 'function_declaration') {
        return [functionStatement(lowerFunction(member, at))];
      }
      if (isClass(member)) {
        beside.push(...lowerClass(member, at));
        return [];
      }
      const made = at.statement(member);
      if (
        member.type === 'property_declaration' &&
        !/\bvar\b/.test(at.source.text.slice(member.start, member.start + 40))
      ) {
        beside.push(...made.filter(({ kind }) => kind === 'assign'));
      }
      return member.type === 'anonymous_initializer' ? at.block(childOfType(member, 'block')) : made;
    }),
  );
  const bases = (childOfType(node, 'delegation_specifiers')?.children ?? []).flatMap((base) => {
    const type = childOfType(base.children[0] ?? base, 'user_type') ?? childOfType(base, 'user_type');
    return type === undefined ? [] : [at.text(type).replace(/<.*$/s, '')];
  });
  return [...beside, classStatement(node, name, bases, body)];
}

/** The members of a class, those of its companion among them. */
function membersOf(node: SyntaxNode): readonly SyntaxNode[] {
  const body = childOfType(node, 'class_body', 'enum_class_body');
  return (body?.children ?? []).flatMap((member) =>
    member.type === 'companion_object' ? (childOfType(member, 'class_body')?.children ?? []) : [member],
  );
}
