import type { Confidence } from '../../protocol/finding.ts';
import { isLogging } from '../facts.ts';
import type { FunctionFlow, Site } from '../flow/functionFlow.ts';
import { partsOf } from '../flow/moduleIndex.ts';
import { isBroad, statementsIn } from '../flow/swallow.ts';
import type { CatchClause, Expression, Statement, TryStatement } from '../ir.ts';
import type { Handler, OwnedTry, Reached } from '../model.ts';
import { isTool, namesIn, reportOf, wordsOf } from './common.ts';
import { onlyLogs } from './emptyOnFailure.ts';
import type { Report, Rule, RuleContext } from './rule.ts';
import { wordingOf } from './wording.ts';

type Loop = Extract<Statement, { kind: 'loop' }>;

const messages = { swallowed: 'lint.hiddenPartial.swallowed', asText: 'lint.hiddenPartial.asText' } as const;

/** FL006: a loop drops the items that fail, and the result does not say so (docs/rules/FL006.md). */
export const hiddenPartial: Rule = {
  meta: { code: 'FL006', name: 'hidden-partial', severity: 'warning' },
  messages,
  check(context) {
    const { model } = context;
    const isInLoop = ({ statement, owner }: OwnedTry) =>
      model.flowOf(owner).sites.get(statement)?.context.isInLoop === true;
    // Without a try in a loop nothing is dropped in one.
    if (!model.tries.some(isInLoop)) {
      return [];
    }
    return model.reached().flatMap((reached) => {
      const handlers = reached.handlers.filter((handler) => isTool(handler) && handler.certainty === 'registered');
      return handlers.length === 0 ? [] : checkFunction(reached, handlers, context);
    });
  },
};

function checkFunction(reached: Reached, handlers: readonly Handler[], context: RuleContext): readonly Report[] {
  const reports: Report[] = [];
  for (const [statement, site] of reached.flow.sites) {
    if (statement.kind === 'loop' && statement.iterable !== undefined) {
      reports.push(...errorsAmongItems(statement, reached, handlers, context));
    }
    const loop = statement.kind === 'try' && site.context.isInLoop ? loopAround(site) : undefined;
    if (statement.kind !== 'try' || loop === undefined || !losesItems(statement, loop, reached, context)) {
      continue;
    }
    for (const clause of statement.catches) {
      const confidence = levelOf(clause, reached, context);
      if (onlyLogs(clause.body) && !stops(clause, context) && confidence !== undefined) {
        const span = clause.body[0] ?? clause.inside ?? clause;
        reports.push(reportOf({ span, message: messages.swallowed, confidence, handlers }, context));
      }
    }
  }
  return reports;
}

/** `out[i] = f"Error: {e}"` in a catch beside `out[i] = load(i)`: the reader cannot tell a text that says so from content. */
function errorsAmongItems(
  loop: Loop,
  { flow }: Reached,
  handlers: readonly Handler[],
  context: RuleContext,
): readonly Report[] {
  const filled = statementsIn(loop.body).flatMap((statement) =>
    statement.kind === 'assign' && statement.target.kind === 'member' && statement.target.key === undefined
      ? [{ statement, into: statement.target.object, value: statement.value }]
      : [],
  );
  return filled.flatMap(({ statement, into, value }) => {
    const hasContent = filled.some(
      (other) => other.into === into && other.value !== undefined && isContent(other.value),
    );
    const isError = flow.sites.get(statement)?.context.catchClause !== undefined && isErrorText(value);
    return isError && hasContent && isAnswer(into, loop, flow)
      ? [reportOf({ span: statement, message: messages.asText, confidence: 'medium', handlers }, context)]
      : [];
  });
}

const isErrorText = (value: Expression | undefined) => value?.kind === 'text' && wordingOf(wordsOf(value)) === 'error';

/** What a call gives, not a word of the server's own such as "deleted", and no object with room for a state. */
const isContent = ({ kind }: Expression) => kind === 'call' || kind === 'name' || kind === 'member';

/** Whether what was filled is the answer, alone or in something that is composed of it. */
const isAnswer = (name: string, loop: Loop, flow: FunctionFlow) =>
  flow.exits.some(
    ({ kind, site, value }) =>
      kind === 'return' &&
      site !== undefined &&
      value !== undefined &&
      site.statement.start > loop.end &&
      namesIn(value, site, flow.sites, 4).has(name),
  );

/** The loop over items whose body the try stands in, with nothing but conditions between. */
function loopAround(site: Site): Loop | undefined {
  for (let at = site.outer; at !== undefined; at = at.site.outer) {
    const { statement } = at.site;
    if (statement.kind === 'loop') {
      // A loop without items repeats an attempt.
      return statement.iterable === undefined || isCounting(statement.iterable) ? undefined : statement;
    }
    if (statement.kind !== 'branch' && statement.kind !== 'block') {
      return undefined;
    }
  }
  return undefined;
}

/** `range(max_retries)`, or a few things written out, of which each may be missing. */
const isCounting = (iterable: Expression) =>
  iterable.kind === 'list' ||
  (iterable.kind === 'call' && iterable.callee.kind === 'name' && iterable.callee.name === 'range');

/** What the body of the try collects is lost with the item, and what was collected is the answer. */
function losesItems(statement: TryStatement, loop: Loop, { flow }: Reached, context: RuleContext): boolean {
  const body = statementsIn([...statement.body, ...statement.orElse]);
  const leaves = body.some(
    (inner) => inner.kind === 'return' || (inner.kind === 'jump' && /^break\b/.test(context.source.slice(inner))),
  );
  if (leaves) {
    return false;
  }
  const collected = new Set(body.flatMap(collectedBy));
  const inside = new Set<Statement>(body);
  const elsewhere = statementsIn(loop.body).filter((inner) => !inside.has(inner));
  // What is also filled beside the try takes every item, with or without what failed.
  for (const name of elsewhere.flatMap(collectedBy)) {
    collected.delete(name);
  }
  const answers = flow.exits.filter(({ kind, site }) => kind === 'return' && (site?.statement.start ?? 0) > loop.end);
  return (
    collected.size > 0 &&
    answers.some(({ value, site }) => {
      if (value === undefined || site === undefined) {
        return false;
      }
      const names = namesIn(value, site, flow.sites, 4);
      // "3 of 5 read": who names what was asked for tells that some are missing.
      return [...collected].some((name) => names.has(name)) && !namesOf(loop.iterable).some((name) => names.has(name));
    })
  );
}

const COLLECTS = /^(?:append|push|add|set|extend|update|insert|unshift|concat|setdefault|put)$/;

/** The variable that a statement adds to. */
function collectedBy(statement: Statement): readonly string[] {
  if (statement.kind === 'assign') {
    const { target, isAugmented } = statement;
    if (target.kind === 'member') {
      return [target.object];
    }
    return target.kind === 'name' && isAugmented ? [target.name] : [];
  }
  const call = statement.kind === 'expression' && statement.value.kind === 'call' ? statement.value : undefined;
  return call?.callee.kind === 'member' &&
    call.callee.object.kind === 'name' &&
    COLLECTS.test(call.callee.name) &&
    !isLogging(call)
    ? [call.callee.object.name]
    : [];
}

function namesOf(expression: Expression | undefined): readonly string[] {
  if (expression === undefined) {
    return [];
  }
  return expression.kind === 'name' ? [expression.name] : partsOf(expression).flatMap(namesOf);
}

const stops = ({ body }: CatchClause, { source }: RuleContext) =>
  statementsIn(body).some((inner) => inner.kind === 'jump' && /^break\b/.test(source.slice(inner)));

const FAILURES =
  /(?:OSError|IOError|PermissionError|TimeoutError|Timeout|HTTP\w*|Request\w*|Connection\w*|Api\w*|API\w*|\w*ClientError)(?:Error|Exception)?$/;

/** The end of a class's name that is looked at, since the pattern looks for its end from each of its letters. */
const LONGEST_NAME = 200;

/** Errors of parsing an item are often what the loop looks for. */
function levelOf(clause: CatchClause, { isHandler }: Reached, { facts }: RuleContext): Confidence | undefined {
  if (isBroad(clause)) {
    return isHandler ? 'high' : 'medium';
  }
  if (clause.types.some((type) => facts.isAbsence(type))) {
    return undefined;
  }
  return clause.types.some((type) => FAILURES.test(type.slice(-LONGEST_NAME))) ? 'medium' : 'low';
}
