import type { Arm, Expression, Span, Statement } from '../../ir.ts';
import { childOf, type SyntaxNode } from '../../syntax.ts';
import { assignOf, expressionOf } from './build.ts';
import { branchOf, type Lowering } from './lowering.ts';

/** Statements that several grammars write alike. */

/** An `else if` chain becomes arms of one branch, so that its length costs no nesting. */
export function ifOf(node: SyntaxNode, at: Lowering): Statement {
  const arms: Arm[] = [];
  let current: SyntaxNode | undefined = node;
  while (current !== undefined) {
    const condition = at.field(current, 'condition');
    arms.push({ condition, body: at.statement(childOf(current, 'consequence')) });
    const otherwise: SyntaxNode | undefined = childOf(current, 'alternative');
    current = otherwise?.type === 'if_statement' ? otherwise : undefined;
    if (otherwise !== undefined && current === undefined) {
      arms.push({ condition: undefined, body: at.statement(otherwise) });
    }
  }
  return branchOf(node, arms);
}

/** `x = …`, `x.y = …`, `x["y"] = …`; any other target leaves only the value. `keyOf` names members as the model does. */
export function assignmentOf(
  span: Span,
  target: Expression,
  value: Expression,
  isAugmented: boolean,
  keyOf: (key: string) => string = (key) => key,
): Statement[] {
  const { start, end } = span;
  if (target.kind === 'name') {
    return [assignOf(span, target.name, value, isAugmented)];
  }
  if (target.kind !== 'member' || target.object.kind !== 'name') {
    return [expressionOf(value)];
  }
  const member = { kind: 'member', object: target.object.name, key: keyOf(target.name) } as const;
  return [{ start, end, kind: 'assign', target: member, value, isAugmented: false }];
}
