import type { Block, Expression, Statement } from '../ir.ts';
import type { Pacer } from '../pacer.ts';
import type { SourceText, SyntaxNode } from '../syntax.ts';

/**
 * Nesting beyond which expressions are lowered to `other` and statements are left out: no one writes it by hand, and
 * hostile nesting must not overflow the stack.
 */
export const MAX_DEPTH = 150;

export const other = (node: SyntaxNode, parts: readonly Expression[] = []): Expression => ({
  start: node.start,
  end: node.end,
  kind: 'other',
  parts,
});

/** Lowers an expression one level deeper, by `lower`; what is missing and what is nested too deeply becomes `other`. */
export function lowerNested<Context extends { depth: number }>(
  node: SyntaxNode | undefined,
  context: Context,
  lower: (node: SyntaxNode, context: Context) => Expression,
): Expression {
  if (node === undefined) {
    return { start: 0, end: 0, kind: 'other', parts: [] };
  }
  if (context.depth > MAX_DEPTH) {
    return other(node);
  }
  context.depth++;
  const lowered = lower(node, context);
  context.depth--;
  return lowered;
}

/** The same expression with the span of the syntax around it: parentheses, `await`, a cast. */
export function widen(inner: Expression, node: SyntaxNode): Expression {
  return { ...inner, start: node.start, end: node.end };
}

/** Joins the sides of a concatenation when one of them is text. */
export function concatenate(node: SyntaxNode, left: Expression, right: Expression): Expression {
  if (left.kind !== 'text' && right.kind !== 'text') {
    return other(node, [left, right]);
  }
  const partsOf = (side: Expression) => (side.kind === 'text' ? side.parts : [side]);
  return { start: node.start, end: node.end, kind: 'text', parts: [...partsOf(left), ...partsOf(right)] };
}

/** State of one file's lowering. */
export interface LoweringContext {
  readonly source: SourceText;
  depth: number;
  /** Statements that an expression implies, to run before the statement it stands in: `if (x := f())`. */
  pending: Statement[];
  /** The class whose body is being lowered. */
  owner: string | undefined;
}

export function textOf(context: LoweringContext, node: SyntaxNode): string {
  return context.source.text.slice(node.start, node.end);
}

/** The text of an expression that is a constant string. */
export function constantText(expression: Expression): string | undefined {
  if (expression.kind !== 'text') {
    return undefined;
  }
  return expression.parts.every((part) => typeof part === 'string') ? expression.parts.join('') : undefined;
}

/** Enough of a string literal's escapes to judge wording: line breaks become spaces, characters by number become themselves. */
export function readEscapes(raw: string): string {
  if (!raw.includes('\\')) {
    return raw;
  }
  return raw.replace(
    /\\(?:u\{?([0-9a-fA-F]{4,6})\}?|U([0-9a-fA-F]{8})|(.))/gs,
    (_, short?: string, long?: string, plain?: string) => {
      const code = Number.parseInt(short ?? long ?? '', 16);
      if (Number.isNaN(code)) {
        return plain === 'n' || plain === 't' || plain === 'r' || plain === '\n' ? ' ' : (plain ?? '');
      }
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

/**
 * Lowers a file statement by statement with pauses between them; undefined when it is no longer wanted. `lowerBlock`
 * lowers the children of a node.
 */
export async function lowerTopLevel(
  root: SyntaxNode,
  context: LoweringContext,
  pacer: Pacer,
  lowerBlock: (node: SyntaxNode, context: LoweringContext) => Block,
): Promise<Block | undefined> {
  const statements: Statement[] = [];
  for (const child of root.children) {
    statements.push(...lowerBlock({ ...root, children: [child] }, context));
    if (pacer.isDue && !(await pacer.goOn())) {
      return undefined;
    }
  }
  return statements;
}
