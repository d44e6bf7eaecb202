import type { Block, Call, Entry, Expression, FunctionIr, Span, Statement } from '../../ir.ts';

/**
 * Makers of the few forms that front ends lower to. Each takes the span of the syntax it stands for: a node will do.
 */

const at = ({ start, end }: Span): Span => ({ start, end });

export const textOfParts = (span: Span, parts: readonly (string | Expression)[]): Expression => ({
  ...at(span),
  kind: 'text',
  parts,
});

export const constantOf = (span: Span, value: number | boolean | null): Expression => ({
  ...at(span),
  kind: 'constant',
  value,
});

export const nameOf = (span: Span, name: string): Expression => ({ ...at(span), kind: 'name', name });

export const memberOf = (span: Span, object: Expression, name: string): Expression => ({
  ...at(span),
  kind: 'member',
  object,
  name,
});

export const listOf = (span: Span, items: readonly Expression[], spreads: readonly Expression[] = []): Expression => ({
  ...at(span),
  kind: 'list',
  items,
  spreads,
});

export const objectOf = (span: Span, entries: readonly Entry[], spreads: readonly Expression[] = []): Expression => ({
  ...at(span),
  kind: 'object',
  entries,
  spreads,
});

export const choiceOf = (
  span: Span,
  condition: Expression | undefined,
  options: readonly Expression[],
): Expression => ({ ...at(span), kind: 'choice', condition, options });

export const otherOf = (span: Span, parts: readonly Expression[] = []): Expression => ({
  ...at(span),
  kind: 'other',
  parts,
});

export const functionOf = (span: Span, value: FunctionIr): Expression => ({ ...at(span), kind: 'function', value });

export const callOf = (
  span: Span,
  callee: Expression,
  args: readonly Expression[],
  named: readonly Entry[] = [],
  isNew = false,
): Call => ({ ...at(span), kind: 'call', callee, args, named, isNew });

export const entryOf = (span: Span, key: string | undefined, value: Expression): Entry => ({ ...at(span), key, value });

export const returnOf = (span: Span, value: Expression | undefined, isImplicit = false): Statement => ({
  ...at(span),
  kind: 'return',
  value,
  isImplicit,
});

export const throwOf = (span: Span, value: Expression | undefined): Statement => ({
  ...at(span),
  kind: 'throw',
  value,
});

export const jumpOf = (span: Span): Statement => ({ ...at(span), kind: 'jump' });

export const assignOf = (span: Span, name: string, value: Expression | undefined, isAugmented = false): Statement => ({
  ...at(span),
  kind: 'assign',
  target: { kind: 'name', name },
  value,
  isAugmented,
});

export const expressionOf = (value: Expression): Statement => ({ ...at(value), kind: 'expression', value });

export const blockOf = (span: Span, body: Block): Statement => ({
  ...at(span),
  kind: 'block',
  binds: [],
  uses: [],
  body,
});

/**
 * What a test for an error leads to, in languages whose errors are values: the same as a catch. The body of the try
 * never ends, so that control gets past it only through the catch.
 */
export const caughtBlock = (span: Span, variable: string | undefined, types: readonly string[], body: Block): Block => [
  {
    ...at(span),
    kind: 'try',
    body: [jumpOf(span)],
    catches: [{ ...at(span), types, variable, body }],
    orElse: [],
    finale: [],
  },
];

/** One text block, as the evaluation knows it from object literals. */
export const textBlock = (text: Expression): Expression =>
  objectOf(text, [entryOf(text, 'type', textOfParts(text, ['text'])), entryOf(text, 'text', text)]);

/** A type's name without what stands in angle brackets. */
export function withoutArguments(name: string): string {
  const open = name.indexOf('<');
  return (open < 0 ? name : name.slice(0, open)).trim();
}

/** The parts of a format text: what `hole` matches is filled from `args` in order; the rest stays. */
export function formatParts(format: string, hole: RegExp, args: readonly Expression[]): (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  let used = 0;
  let last = 0;
  for (const match of format.matchAll(hole)) {
    const [whole] = match;
    if (whole === '%%' || whole === '{{' || whole === '}}') {
      continue;
    }
    const position = match[1] === undefined || match[1] === '' ? used++ : Number(match[1]);
    const argument = args[position];
    parts.push(format.slice(last, match.index));
    if (argument !== undefined) {
      parts.push(argument);
    }
    last = match.index + whole.length;
  }
  parts.push(format.slice(last));
  return parts.filter((part) => part !== '');
}
