import type { FunctionIr, Parameter } from '../../ir.ts';
import { childOf, type SyntaxNode } from '../../syntax.ts';
import type { Lowering } from '../shared/lowering.ts';

/** Lowers a function, a method or a function literal. */
export function lowerFunction(node: SyntaxNode, at: Lowering, owner?: string): FunctionIr {
  const result = childOf(node, 'result');
  const name = childOf(node, 'name');
  const isLiteral = node.type === 'func_literal';
  const receiver = isLiteral ? at.receiver : receiverName(node, at);
  const results = resultTypes(result, at);
  const body = at.within(
    { receiver, results, caught: isLiteral ? at.caught : [], owner: isLiteral ? at.owner : owner },
    () => at.block(childOf(node, 'body')),
  );
  return {
    start: node.start,
    end: node.end,
    name: name === undefined ? undefined : at.text(name),
    parameters: parametersOf(childOf(node, 'parameters'), at),
    body,
    decorators: [],
    returnType: result === undefined ? undefined : at.text(result),
    owner: isLiteral ? at.owner : owner,
    isExported: /^\p{Lu}/u.test(at.text(name)),
    isDefaultExport: false,
  };
}

/** The type whose method `node` is. */
export function receiverType(node: SyntaxNode, at: Lowering): string | undefined {
  const type = childOf(node, 'receiver')?.children[0];
  const text = type === undefined ? '' : at.fieldText(type, 'type');
  return /^\*?\s*(\w+)/.exec(text)?.[1];
}

function receiverName(node: SyntaxNode, at: Lowering): string | undefined {
  const declared = childOf(node, 'receiver')?.children[0];
  const name = declared === undefined ? '' : at.fieldText(declared, 'name');
  return name === '' || name === '_' ? undefined : name;
}

function resultTypes(result: SyntaxNode | undefined, at: Lowering): string[] {
  if (result === undefined) {
    return [];
  }
  return result.type === 'parameter_list'
    ? result.children.flatMap((child) => {
        const type = at.fieldText(child, 'type');
        const count = child.children.filter(({ field }) => field === 'name').length;
        return Array<string>(Math.max(1, count)).fill(type);
      })
    : [at.text(result)];
}

function parametersOf(list: SyntaxNode | undefined, at: Lowering): Parameter[] {
  return (list?.children ?? []).flatMap((child): Parameter[] => {
    const type = at.fieldText(child, 'type');
    const names = child.children.filter(({ field }) => field === 'name').map((name) => at.text(name));
    return names.length === 0
      ? [{ name: undefined, names: [], type }]
      : names.map((name) => ({ name, names: [name], type }));
  });
}
