import type { CatchClause, Span } from '../ir.ts';
import type { MendRequest, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, isWithin, type Proposal } from './edits.ts';

/** One kind of what may be mended. */
export type Of<K extends MendRequest['kind']> = Extract<MendRequest, { kind: K }>;

/** Writes to stderr instead: `written` matches how the call starts, `instead` is what comes in that place. */
export function writeToStderr(
  { call, isSafe }: Of<'stdout'>,
  written: RegExp,
  instead: string,
  source: SourceText,
): Proposal | undefined {
  const slice = source.slice(call);
  const found = written.exec(slice)?.[0];
  if (found === undefined) {
    return undefined;
  }
  // In the whole call, for what looks ahead.
  const rest = slice.length - found.length;
  const text = slice.replace(written, instead).slice(0, rest === 0 ? undefined : -rest);
  const changes = [{ start: call.start, end: call.start + found.length, text }];
  return { title: 'lint.fix.writeToStderr', isSafe, changes };
}

/** Sets a member first in the braces of a literal: `{ … }` of `span`. Undefined when it has none. */
export function insertMember(span: Span, member: string, source: SourceText): Change | undefined {
  const open = source.text.indexOf('{', span.start);
  if (open < 0 || open >= span.end) {
    return undefined;
  }
  const rest = source.text.slice(open + 1, span.end);
  const indent = /^[^\S\n]*\r?\n([^\S\n]*)\S/.exec(rest)?.[1];
  const isEmpty = rest.trimStart().startsWith('}');
  const at = open + 1;
  if (indent !== undefined && !isEmpty) {
    return { start: at, end: at, text: `${source.lineBreak}${indent}${member},` };
  }
  // `{ X }` keeps its blanks, `{X}` goes without.
  const isSpaced = /^\s/.test(rest);
  return { start: at, end: at, text: isSpaced ? ` ${member},` : `${member}${isEmpty ? '' : ', '}` };
}

/** Replaces a flag that is written out and not set. */
export const replaceFlag = ({ start, end }: Span, text: string): Change => ({ start, end, text });

/** Sets the flag of the one result that is returned; `flagChange` knows how it is written. Safe: only the flag changes. */
export function setFlag(
  { evidence, exit }: ReturnedErrorFix,
  source: SourceText,
  flagChange: (span: Span, flag: Span | undefined, source: SourceText) => Change | undefined,
): Proposal | undefined {
  const { result } = evidence;
  if (result?.shape.kind !== 'result' || evidence.isConditional || exit.value.length !== 1) {
    return undefined;
  }
  const change = flagChange(result.span, result.shape.flagEntry, source);
  return change === undefined ? undefined : { title: 'lint.fix.returnErrorResult', isSafe: true, changes: [change] };
}

/** The error's text as the source has it, when it stands in the statement; `toText` converts what is no text yet. */
function errorText(
  { evidence }: ReturnedErrorFix,
  within: Span,
  source: SourceText,
  toText: (slice: string) => string,
): string | undefined {
  const { text } = evidence;
  if (text === undefined || !isWithin(text, within)) {
    return undefined;
  }
  const slice = source.slice(text);
  return evidence.isTextual ? slice : toText(slice);
}

/** Sets the flag in a result that is written as a literal: `type` matches what it starts with, `flag` is the member. */
export function setFlagInLiteral(
  { evidence, exit }: ReturnedErrorFix,
  type: RegExp,
  flag: string,
  source: SourceText,
): Proposal | undefined {
  const { result } = evidence;
  const isSole = exit.value.length === 1 || result?.choice !== undefined || result?.assignedAt !== undefined;
  if (result?.shape.kind !== 'result' || evidence.isConditional || !isSole || !type.test(source.slice(result.span))) {
    return undefined;
  }
  const { flagEntry } = result.shape;
  const change = flagEntry === undefined ? insertMember(result.span, flag, source) : replaceFlag(flagEntry, flag);
  return change === undefined ? undefined : { title: 'lint.fix.returnErrorResult', isSafe: true, changes: [change] };
}

export interface Thrower {
  /** Makes text of an expression that is none. */
  toText(slice: string): string;
  toThrow(message: string): string;
  /** The thrown class: a catch of it, or of everything, around the statement would swallow it. */
  readonly own: string;
}

/**
 * Replaces a return of plain text, or of an object with a text, by a throw with that text. Undefined when the return may
 * also be a success, when the text stands elsewhere, or when a catch around it would swallow what is thrown.
 */
export function throwInstead(request: ReturnedErrorFix, source: SourceText, thrower: Thrower): Change | undefined {
  const { evidence, exit } = request;
  const site = exit.exit.site;
  const statement = site?.statement;
  if (
    site === undefined ||
    statement?.kind !== 'return' ||
    exit.value.length !== 1 ||
    evidence.isConditional ||
    evidence.result !== undefined ||
    site.context.tries.some(({ catches }) => catches.some((clause) => catchesOwn(clause, thrower.own)))
  ) {
    return undefined;
  }
  const text = errorText(request, statement, source, thrower.toText);
  if (text === undefined) {
    return undefined;
  }
  const isClosed = source.text[statement.end - 1] === ';';
  return {
    start: statement.start,
    end: statement.end,
    text: `${thrower.toThrow(text)}${isClosed ? ';' : ''}`,
  };
}

const catchesOwn = ({ types }: CatchClause, own: string) =>
  types.length === 0 || types.some((type) => type.endsWith(own) || /RuntimeException$/.test(type));
