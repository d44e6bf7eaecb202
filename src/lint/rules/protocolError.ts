import type { Exit } from '../flow/functionFlow.ts';
import { letsThrough } from '../flow/swallow.ts';
import type { Expression } from '../ir.ts';
import type { Handler, Reached } from '../model.ts';
import { isProtocolError, isTool, reportOf, sdkOf, type Thrown, thrownOf, wordsOf } from './common.ts';
import type { Report, Rule, RuleContext } from './rule.ts';
import { raisedBecomes } from './sdkFailures.ts';

const messages = {
  class: 'lint.protocolError.class',
  lowLevel: 'lint.protocolError.lowLevel',
  rethrow: 'lint.protocolError.rethrow',
} as const;

/** FL003: a failure that the model could correct becomes a JSON-RPC error (docs/rules/FL003.md). */
export const protocolError: Rule = {
  meta: { code: 'FL003', name: 'protocol-error-for-tool-failure', severity: 'warning' },
  messages,
  check(context) {
    const hasAny = context.model.handlers.some((handler) => isTool(handler) && raisedBecomes(handler.sdk) !== 'result');
    return hasAny ? context.model.reached().flatMap((reached) => checkFunction(reached, context)) : [];
  },
};

function checkFunction(reached: Reached, context: RuleContext): readonly Report[] {
  const handlers = reached.escapes.filter((handler) => isTool(handler) && handler.certainty === 'registered');
  const lowLevel = handlers.filter(({ sdk }) => raisedBecomes(sdk) === 'protocol');
  const highLevel = handlers.filter(({ sdk }) => raisedBecomes(sdk) === 'protocolIfMeant');
  if (lowLevel.length + highLevel.length === 0) {
    return [];
  }
  return reached.flow.exits.flatMap((exit) => {
    if (exit.kind !== 'throw' || exit.site === undefined || !exit.site.context.tries.every(letsThrough)) {
      return [];
    }
    const thrown = thrownOf(exit.value);
    const affected = lowLevel.filter(({ sdk }) => raisedBecomes(sdk, thrown?.className) === 'protocol');
    if (lowLevel.length > 0) {
      return affected.length === 0 ? [] : checkLowLevel(exit, thrown, affected, reached, context);
    }
    return thrown !== undefined &&
      isProtocolError(thrown.className, context.model.imports) &&
      !isAboutTheTool(thrown, exit)
      ? [report(exit, thrown, messages.class, 'high', highLevel, context)]
      : [];
  });
}

function checkLowLevel(
  exit: Exit,
  thrown: Thrown | undefined,
  handlers: readonly Handler[],
  reached: Reached,
  context: RuleContext,
): readonly Report[] {
  if (thrown === undefined) {
    return !isSelective(exit) ? [report(exit, thrown, messages.rethrow, 'medium', handlers, context)] : [];
  }
  // No tool by that name, and no capability for it: those are errors of the protocol.
  if (isAboutTheTool(thrown, exit) || /Elicitation|Cancel|Abort/.test(thrown.className)) {
    return [];
  }
  const isSure = reached.isHandler || isProtocolError(thrown.className, context.model.imports);
  return [report(exit, thrown, messages.lowLevel, isSure ? 'high' : 'medium', handlers, context)];
}

function report(
  exit: Exit,
  thrown: Thrown | undefined,
  message: string,
  confidence: Report['confidence'],
  handlers: readonly Handler[],
  context: RuleContext,
): Report {
  const statement = exit.site?.statement ?? { start: 0, end: 0, kind: 'jump' };
  const place = exit.site?.context;
  // A helper gives back something else than a result, so only a handler's own throw can become one.
  const isOwn = handlers.some(({ flow }) => flow.exits.includes(exit));
  const fixes = () =>
    place !== undefined && isOwn
      ? (context.fixes.mend?.({
          kind: 'protocolError',
          sdk: sdkOf(handlers),
          statement,
          message: thrown?.message,
          context: place,
        }) ?? [])
      : [];
  return reportOf(
    { span: statement, message, confidence, handlers, args: { error: thrown?.className ?? '' }, fixes },
    context,
  );
}

/** `if (error instanceof McpError) throw error`: it lets through what was thrown, and flagged, elsewhere. */
function isSelective(exit: Exit): boolean {
  const clause = exit.site?.context.catchClause;
  return (
    exit.site?.context.guards.some(({ condition }) => clause !== undefined && condition.start >= clause.start) === true
  );
}

const ABOUT_TOOL =
  /\b(?:unknown|no such|unrecogni[sz]ed|unsupported|invalid|missing|undefined) (?:tool|method|function|command|operation|action)\b|\b(?:tool|method|function|command|operation)\b.{0,60}\b(?:not found|not exist|unknown|not supported|not available|unsupported|disabled|not implemented|not registered|not recogni[sz]ed)|n['’]t (?:know|have|find) (?:a |the )?tool/i;

function isAboutTheTool({ code, message }: Thrown, exit: Exit): boolean {
  const words = wordsOf(message);
  return (
    (code !== undefined && REQUEST_LEVEL.test(code)) ||
    ABOUT_TOOL.test(words) ||
    ABOUT_RIGHTS.test(words) ||
    isNameMismatch(exit)
  );
}

/** Codes that are about the request, not about what the tool was asked to do. */
const REQUEST_LEVEL =
  /^(?:MethodNotFound|METHOD_NOT_FOUND|MISSING_REQUIRED_CLIENT_CAPABILITY|URL_ELICITATION_REQUIRED|UrlElicitationRequired|ConnectionClosed|CONNECTION_CLOSED)$/;
/** Who may not call a tool cannot make up for it by another call. */
const ABOUT_RIGHTS =
  /\b(?:is gated|forbidden|unauthori[sz]ed|not (?:authori[sz]ed|permitted)|permission|capability)\b/i;

/** `if (request.params.name !== "lend") throw …`, and the default of a switch over the name. */
function isNameMismatch(exit: Exit): boolean {
  const guard = exit.site?.context.guards.at(-1);
  const condition = guard?.condition;
  if (guard === undefined || condition?.kind !== 'compare' || condition.parts.length !== 2) {
    return false;
  }
  const isUnequal = /^(?:!==?|!=|not in)$/.test(condition.operator) !== guard.isNegated;
  return isUnequal && condition.parts.some(isToolName);
}

const isToolName = (part: Expression) =>
  part.kind === 'member' && part.name === 'name' && part.object.kind !== 'call'
    ? /^(?:params|request|req)$/.test(lastName(part.object) ?? '')
    : part.kind === 'name' && /^(?:tool_?name|toolName)$/.test(part.name);

const lastName = (expression: Expression) =>
  expression.kind === 'member' || expression.kind === 'name' ? expression.name : undefined;
