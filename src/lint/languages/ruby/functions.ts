import type { Block, FunctionIr, Parameter, Statement } from '../../ir.ts';
import { childOf, childOfType, type SyntaxNode } from '../../syntax.ts';
import { assignOf } from '../shared/build.ts';
import { classStatement, functionStatement, type Lowering } from '../shared/lowering.ts';
import { lowerTails, returned } from './tails.ts';

/** Lowers a method; what its body ends in is returned. */
export function lowerMethod(node: SyntaxNode, at: Lowering): FunctionIr {
  return {
    ...functionParts(node, childOf(node, 'parameters'), childOf(node, 'body'), at),
    name: at.fieldText(node, 'name'),
  };
}

/** Lowers a block or a lambda: `next` and its end are its returns. */
export function lowerBlockFunction(node: SyntaxNode, block: SyntaxNode | undefined, at: Lowering): FunctionIr {
  const inside = block?.type === 'do_block' || block?.type === 'block' ? block : undefined;
  const parameters =
    childOf(node, 'parameters') ?? (inside === undefined ? undefined : childOfType(inside, 'block_parameters'));
  const body = inside === undefined ? block : childOfType(inside, 'body_statement', 'block_body');
  return functionParts(node, parameters, body, at);
}

function functionParts(
  node: SyntaxNode,
  parameters: SyntaxNode | undefined,
  body: SyntaxNode | undefined,
  at: Lowering,
): FunctionIr {
  return {
    start: node.start,
    end: node.end,
    name: undefined,
    parameters: (parameters?.children ?? []).map((parameter) => lowerParameter(parameter, at)),
    body: body === undefined ? [] : lowerTails(body, at, returned),
    decorators: [],
    returnType: undefined,
    owner: at.owner,
    isExported: true,
    isDefaultExport: false,
  };
}

function lowerParameter(node: SyntaxNode, at: Lowering): Parameter {
  const name = node.type === 'identifier' ? at.text(node) : at.fieldText(node, 'name');
  return { name, names: [name], type: undefined };
}

const METHODS = new Set(['method', 'singleton_method']);

/** Lowers a class or a module; what is nested in it stands beside it, and its constants are known outside of it. */
export function lowerClass(node: SyntaxNode, at: Lowering): Statement[] {
  return at.deeper(() => lowerMembers(node, at)) ?? [];
}

function lowerMembers(node: SyntaxNode, at: Lowering): Statement[] {
  const [first] = node.children;
  const nameSpan = childOf(node, 'name') ?? first;
  const name = at.text(nameSpan).split('::').at(-1);
  const base = childOf(node, 'superclass')?.children[0];
  const members = membersOf(childOfType(node, 'body_statement'));
  const siblings = new Set(
    members.filter(({ type }) => METHODS.has(type)).map((method) => at.fieldText(method, 'name')),
  );
  const beside: Statement[] = [];
  const body = at.within({ owner: name, siblings }, () =>
    members.flatMap((member): Block => {
      switch (member.type) {
        case 'method':
        case 'singleton_method':
          return [functionStatement(lowerMethod(member, at))];
        case 'class':
        case 'module':
          beside.push(...lowerClass(member, at));
          return [];
        case 'assignment': {
          const value = assignOf(member, at.fieldText(member, 'left'), at.field(member, 'right'));
          beside.push(value);
          return [value];
        }
        case 'call':
          return at.statement(member);
        default:
          return [];
      }
    }),
  );
  return [...beside, classStatement(node, name, base === undefined ? [] : [at.text(base)], body, { nameSpan })];
}

/** The members of a class, those of `class << self` among them. */
function membersOf(body: SyntaxNode | undefined): SyntaxNode[] {
  return (body?.children ?? []).flatMap((member) =>
    member.type === 'singleton_class' ? membersOf(childOfType(member, 'body_statement')) : [member],
  );
}
