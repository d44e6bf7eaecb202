import { pathOf } from '../../flow/moduleIndex.ts';
import type { Expression } from '../../ir.ts';

export interface ChainCall {
  readonly name: string;
  readonly args: readonly Expression[];
}

/** A chain of calls on a builder: the class that it starts from, and the calls in their order. */
export interface Chain {
  readonly root: string | undefined;
  readonly calls: readonly ChainCall[];
}

/** Takes `X.builder().a(1).b(2)` apart. */
export function chainOf(expression: Expression): Chain {
  const calls: ChainCall[] = [];
  let current = expression;
  while (current.kind === 'call' && current.callee.kind === 'member' && calls.length < 60) {
    calls.unshift({ name: current.callee.name, args: current.args });
    current = current.callee.object;
  }
  return { root: pathOf(current)?.split('.').at(-1), calls };
}
