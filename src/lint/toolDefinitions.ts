import type { SourceRange } from '../protocol/finding.ts';
import type { Expression } from './ir.ts';
import type { Handler, HandlerModel } from './model.ts';
import type { SourceText } from './syntax.ts';

/** Where a file defines a tool: the name in its registration, or of the function that runs. */
export interface ToolDefinition {
  readonly name: string;
  readonly range: SourceRange;
}

/** A registration names its tool shortly before the function: descriptions and schemas come between. */
const MAX_REGISTRATION_CHARS = 8000;

/**
 * The tools that a file registers, in the order of their places. A low-level handler, which serves all tools, defines
 * those whose names it compares with. A function that only looks like a handler defines none.
 */
export function toolDefinitions(model: HandlerModel, source: SourceText): readonly ToolDefinition[] {
  const found = new Map<string, ToolDefinition>();
  for (const handler of model.handlers) {
    if (handler.kind !== 'tool' || handler.certainty !== 'registered') {
      continue;
    }
    for (const { name, start, end } of handler.name === undefined ? dispatched(handler) : [placeOf(handler, source)]) {
      if (!found.has(name)) {
        found.set(name, { name, range: source.range(start, end) });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.range.startLine - b.range.startLine);
}

interface Place {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function placeOf({ name = '', ir }: Handler, { text }: SourceText): Place {
  if (ir.name !== undefined) {
    const at = wordAt(text, ir.name, ir.start, ir.end);
    if (at >= 0) {
      return { name, start: at, end: at + ir.name.length };
    }
  }
  const at = quotedBefore(text, name, ir.start);
  if (at >= 0) {
    return { name, start: at, end: at + name.length + 2 };
  }
  const lineEnd = text.indexOf('\n', ir.start);
  return { name, start: ir.start, end: Math.min(ir.end, lineEnd < 0 ? ir.end : lineEnd) };
}

/** Where `name` stands in quotes, nearest before an offset; -1 when it does not. */
function quotedBefore(text: string, name: string, before: number): number {
  const limit = before - MAX_REGISTRATION_CHARS;
  for (let at = text.lastIndexOf(name, before); at > 0 && at > limit; at = text.lastIndexOf(name, at - 1)) {
    const quote = text.charAt(at - 1);
    if (/["'`]/.test(quote) && text.charAt(at + name.length) === quote) {
      return at - 1;
    }
  }
  return -1;
}

/** Where `word` stands as a whole word between two offsets; -1 when it does not. */
function wordAt(text: string, word: string, start: number, end: number): number {
  for (let at = text.indexOf(word, start); at >= 0 && at < end; at = text.indexOf(word, at + 1)) {
    if (!/[\w$]/.test(text.charAt(at - 1)) && !/[\w$]/.test(text.charAt(at + word.length))) {
      return at;
    }
  }
  return -1;
}

function dispatched(handler: Handler): readonly Place[] {
  return handler.exits.flatMap(({ exit }) =>
    (exit.site?.context.guards ?? []).flatMap(({ condition, isNegated }) => {
      const compared = isNegated ? undefined : comparedName(condition);
      return compared === undefined ? [] : [compared];
    }),
  );
}

/** The text in `name === "get_author"`. */
function comparedName(condition: Expression): Place | undefined {
  if (condition.kind !== 'compare' || condition.parts.length !== 2 || !/^={2,3}$/.test(condition.operator)) {
    return undefined;
  }
  const [left, right] = condition.parts;
  const isName = (left?.kind === 'name' || left?.kind === 'member') && /name/i.test(left.name);
  return isName && right?.kind === 'text' && right.parts.every((part) => typeof part === 'string')
    ? { name: right.parts.join(''), start: right.start, end: right.end }
    : undefined;
}
