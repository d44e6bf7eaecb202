import type { TextArgs } from '../../base/text.ts';
import type { Fix, TextEdit } from '../../protocol/finding.ts';
import type { Expression, Span } from '../ir.ts';
import type { SourceText } from '../syntax.ts';

/** Replaces `[start, end)`. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Proposal {
  /** Names a title in `protocol/texts/lint.ts`. */
  readonly title: string;
  readonly args?: TextArgs;
  readonly isSafe: boolean;
  readonly changes: readonly Change[];
}

/** Turns proposals into fixes: edits in order and not overlapping; the first is the preferred one. */
export function fixesOf(proposals: readonly (Proposal | undefined)[], source: SourceText): Fix[] {
  return proposals
    .filter((proposal) => proposal !== undefined)
    .filter(({ changes }) => changes.length > 0 && !overlap(changes))
    .map(({ title, args, isSafe, changes }, index) => ({
      title,
      args: args ?? {},
      isSafe,
      isPreferred: index === 0,
      edits: [...changes].sort((a, b) => a.start - b.start).map((change) => editOf(change, source)),
    }));
}

const editOf = ({ start, end, text }: Change, source: SourceText): TextEdit => ({
  range: source.range(start, end),
  newText: text,
});

function overlap(changes: readonly Change[]): boolean {
  const sorted = [...changes].sort((a, b) => a.start - b.start);
  return sorted.some((change, index) => index > 0 && change.start < (sorted[index - 1]?.end ?? 0));
}

export const isWithin = (inner: Span, outer: Span) => inner.start >= outer.start && inner.end <= outer.end;

/** Whether nothing but white space stands before `offset` on its line. */
export function startsLine(offset: number, source: SourceText): boolean {
  return source.text.slice(source.lineStart(source.lineAt(offset)), offset).trim() === '';
}

/** An expression that may be evaluated twice: names, fields, comparisons of them. */
export function isPure(expression: Expression): boolean {
  switch (expression.kind) {
    case 'name':
    case 'constant':
      return true;
    case 'member':
      return isPure(expression.object);
    case 'not':
      return isPure(expression.operand);
    case 'compare':
      return expression.parts.every(isPure);
    case 'text':
      return expression.parts.every((part) => typeof part === 'string');
    default:
      return false;
  }
}
