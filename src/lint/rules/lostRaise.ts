import { isBroad, rethrows, statementsIn } from '../flow/swallow.ts';
import type { CatchClause, TryStatement } from '../ir.ts';
import type { Alternative, Handler, Helper, Value, ValuedExit } from '../model.ts';
import { reportOf, sdkOf, thrownOf } from './common.ts';
import type { Report, Rule, RuleContext } from './rule.ts';
import { raisedBecomes } from './sdkFailures.ts';

const messages = {
  text: 'lint.lostRaise.text',
  nothing: 'lint.lostRaise.nothing',
} as const;

/** FL011: a broad catch turns an error that was thrown on purpose into text or nothing (docs/rules/FL011.md). */
export const lostRaise: Rule = {
  meta: { code: 'FL011', name: 'lost-raise', severity: 'warning' },
  messages,
  check(context) {
    return [...context.model.outputs()].flatMap(([ir, handlers]) =>
      raisedBecomes(sdkOf(handlers)) === 'protocol' || handlers.every(({ certainty }) => certainty !== 'registered')
        ? []
        : checkFunction(context.model.exitsOf(ir), handlers, context),
    );
  },
};

interface Lost {
  readonly clause: CatchClause;
  readonly className: string;
  readonly line: number;
}

function checkFunction(
  exits: readonly ValuedExit[],
  handlers: readonly Handler[],
  context: RuleContext,
): readonly Report[] {
  const lost = new Map<CatchClause, Lost>();
  for (const { exit } of exits) {
    const thrown = exit.kind === 'throw' && exit.value?.kind === 'call' ? thrownOf(exit.value) : undefined;
    if (thrown === undefined || exit.site === undefined) {
      continue;
    }
    const clause = catching(exit.site.context.tries, thrown.className);
    if (clause !== undefined && !lost.has(clause)) {
      const line = context.source.lineAt(exit.site.statement.start) + 1;
      lost.set(clause, { clause, className: thrown.className, line });
    }
  }
  return [...lost.values()].flatMap((found) => {
    const message = swallowed(found.clause, exits);
    return message === undefined ? [] : [report(found, message, handlers, context)];
  });
}

/** The catch that ends an error of this class, when it is one for all errors. */
function catching(tries: readonly TryStatement[], className: string): CatchClause | undefined {
  for (const { catches } of tries.toReversed()) {
    const clause = catches.find(
      (candidate) => isBroad(candidate) || candidate.types.some((type) => type.split('.').at(-1) === className),
    );
    if (clause !== undefined) {
      return isBroad(clause) ? clause : undefined;
    }
  }
  return undefined;
}

/** What becomes of the error; undefined when it is thrown on, marked as an error, or handed to something unknown. */
function swallowed(clause: CatchClause, exits: readonly ValuedExit[]): string | undefined {
  if (rethrows(clause) || statementsIn(clause.body).some(({ kind }) => kind === 'throw')) {
    return undefined;
  }
  const returned = exits.filter(({ exit }) => exit.kind === 'return' && exit.site?.context.catchClause === clause);
  if (returned.length === 0) {
    return clause.body.length === 0 || statementsIn(clause.body).every(({ kind }) => kind === 'expression')
      ? messages.nothing
      : undefined;
  }
  return returned.some(({ exit, value }) => exit.value !== undefined && mayBeMarked(value)) ? undefined : messages.text;
}

/** Whether the error flag may be set on a value. */
function mayBeMarked(value: Value): boolean {
  return value.length === 0 || value.some(isMarked);
}

function isMarked({ shape }: Alternative): boolean {
  switch (shape.kind) {
    case 'result':
      return shape.flag === 'true' || shape.flag === 'unknown';
    case 'helper':
      return helperMarks(shape.helper);
    case 'unknown':
      return true;
    case 'object':
      return shape.isOpen || shape.entries.some(({ key }) => /^is_?error$/i.test(key));
    default:
      return false;
  }
}

const helperMarks = ({ exits }: Helper) => exits.some(({ exit, value }) => exit.kind === 'throw' || mayBeMarked(value));

function report(
  { clause, className, line }: Lost,
  message: string,
  handlers: readonly Handler[],
  context: RuleContext,
): Report {
  // Its head: up to the end of the line that it starts on.
  const { source } = context;
  const lineEnd = source.lineStart(source.lineAt(clause.start) + 1);
  const end = clause.start + source.text.slice(clause.start, Math.min(lineEnd, clause.end)).trimEnd().length;
  const isMeant = /^(?:Tool|User|Mcp|MCP|Resource|Prompt)\w*(?:Error|Exception)$/.test(className);
  return reportOf(
    {
      span: { start: clause.start, end },
      message,
      confidence: isMeant ? 'high' : 'medium',
      handlers,
      args: { error: className, line },
      fixes: () => context.fixes.mend?.({ kind: 'lostRaise', clause, className }) ?? [],
    },
    context,
  );
}
