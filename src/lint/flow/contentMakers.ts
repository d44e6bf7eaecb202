import type { Call, Expression } from '../ir.ts';

/** Makes a result that succeeded, by its name: `textResult("…")`, `toText(data)`. */
const SUCCEEDS =
  /^(?:(?:make|create|build|to|format|as)_?)?(?:(?:[jJ]son)?[tT]ext|[jJ]son|[sS]uccess|[oO]k|[pP]lain)(?:_?(?:[rR]esult|[rR]esponse|[cC]ontent|[rR]eply|[aA]nswer|[oO]utput))$|^(?:success|ok|(?:to|as)_?(?:[tT]ext|[cC]ontent))$/;
/** Makes a result of what it is given: of a text, in which nothing could set the flag. */
const WRAPS =
  /^(?:(?:make|create|build|to|format|as)_?)?(?:(?:call_?)?tool|mcp)_?(?:tool_?)?(?:result|response|reply|content)$/i;

/** What a call of a function elsewhere makes a result of; undefined where it makes none, or one that may have failed. */
export function contentOf(
  call: Call,
  name: string | undefined,
  isText: (expression: Expression) => boolean,
): Expression | undefined {
  const text = call.args[0];
  if (call.isNew || name === undefined || text === undefined) {
    return undefined;
  }
  return SUCCEEDS.test(name) || (WRAPS.test(name) && isText(text)) ? text : undefined;
}
