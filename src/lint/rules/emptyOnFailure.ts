import type { Confidence } from '../../protocol/finding.ts';
import { isLogging } from '../facts.ts';
import type { Exit, FunctionFlow, Site } from '../flow/functionFlow.ts';
import { isBroad, statementsIn } from '../flow/swallow.ts';
import type { Block, CatchClause, FunctionIr, Statement } from '../ir.ts';
import type { Alternative, Handler, HandlerModel, Reached, Value, ValuedExit } from '../model.ts';
import { isTool, namesIn, reportOf } from './common.ts';
import type { Report, Rule, RuleContext } from './rule.ts';

const messages = {
  returned: 'lint.emptyOnFailure.returned',
  helper: 'lint.emptyOnFailure.helper',
  fallsThrough: 'lint.emptyOnFailure.fallsThrough',
} as const;

/** FL002: after a failure a tool answers as it does when there is nothing (docs/rules/FL002.md). */
export const emptyOnFailure: Rule = {
  meta: { code: 'FL002', name: 'empty-on-failure', severity: 'warning' },
  messages,
  check(context) {
    if (!mayHideFailure(context.model)) {
      return [];
    }
    const outputs = context.model.outputs();
    return context.model.reached().flatMap((reached) => {
      const handlers = reached.handlers.filter((handler) => isTool(handler) && handler.certainty === 'registered');
      if (handlers.length === 0 || !hasTry(reached.flow)) {
        return [];
      }
      const isOutput = outputs.has(reached.ir);
      const isAnswer = isOutput || handlers.some((handler) => answersWith(handler, reached.ir, context));
      return isAnswer ? checkFunction(reached, handlers, isOutput, context) : [];
    });
  },
};

/** Whether any catch of the file gives back nothing or falls through; mostly none does, and what runs it is of no matter. */
function mayHideFailure({ tries, exitsOf }: HandlerModel): boolean {
  const owners = new Set(tries.map(({ owner }) => owner));
  return (
    tries.some(({ statement }) => statement.catches.some((clause) => isBroad(clause) && onlyLogs(clause.body))) ||
    [...owners].some((owner) =>
      exitsOf(owner).some(
        ({ exit, value }) => exit.site?.context.catchClause !== undefined && givesNothing(exit, value),
      ),
    )
  );
}

const isNothingAt = (exit: Exit, value: Value) =>
  exit.value === undefined || (value.length > 0 && value.every(({ shape }) => shape.kind === 'nothing'));

const givesNothing = (exit: Exit, value: Value) =>
  exit.kind === 'return' && (isNothingAt(exit, value) || isEmptyValue(value));

function hasTry({ sites }: FunctionFlow): boolean {
  for (const { kind } of sites.keys()) {
    if (kind === 'try') {
      return true;
    }
  }
  return false;
}

function checkFunction(
  reached: Reached,
  handlers: readonly Handler[],
  isOutput: boolean,
  context: RuleContext,
): readonly Report[] {
  const exits = context.model.exitsOf(reached.ir);
  const returned = exits.flatMap((exit) => {
    const found = checkReturn(exit, reached, isOutput, context);
    return found === undefined || exit.exit.site === undefined
      ? []
      : [
          reportOf(
            {
              span: exit.exit.site.statement,
              message: reached.isHandler ? messages.returned : messages.helper,
              confidence: found,
              handlers,
            },
            context,
          ),
        ];
  });
  return isOutput ? [...returned, ...fallingThrough(exits, reached, handlers, context)] : returned;
}

function checkReturn(
  { exit, value }: ValuedExit,
  reached: Reached,
  isOutput: boolean,
  context: RuleContext,
): Confidence | undefined {
  const clause = exit.site?.context.catchClause;
  if (exit.kind !== 'return' || exit.site === undefined || clause === undefined || exit.site.context.isRetry) {
    return undefined;
  }
  const isNothing = isNothingAt(exit, value);
  const isEmpty = isNothing || isEmptyValue(value);
  // A caller can tell nothing from something; of what a helper gives only an empty collection hides the failure.
  if (
    !isEmpty ||
    (isNothing && !reached.isHandler && !(isOutput && isReturned(reached))) ||
    isSelective(exit.site, clause)
  ) {
    return undefined;
  }
  const level = levelOf(clause, reached, context);
  return level === 'high' && !reached.isHandler ? 'medium' : level;
}

/** `return helper(…)`, with nothing between that could look at the value. */
const isReturned = ({ ir, handlers }: Reached) =>
  handlers.some(({ exits }) =>
    exits.some(({ value }) =>
      value.some(
        ({ shape, assignedAt }) => shape.kind === 'helper' && shape.helper.ir === ir && assignedAt === undefined,
      ),
    ),
  );

/** `found = helper(…)`, and `found` is in the answer. */
function answersWith(handler: Handler, helper: FunctionIr, { model }: RuleContext): boolean {
  const names = new Set<string>();
  for (const { statement, callees } of model.callsIn(handler.ir)) {
    if (statement.kind === 'assign' && statement.target.kind === 'name' && callees.includes(helper)) {
      names.add(statement.target.name);
    }
  }
  return handler.flow.exits.some(
    ({ value, site }) =>
      names.size > 0 &&
      value !== undefined &&
      site !== undefined &&
      [...namesIn(value, site, handler.flow.sites, 4)].some((name) => names.has(name)),
  );
}

/** How sure it is that a catch is about failures; undefined when it is about things that are not there. */
function levelOf(clause: CatchClause, { isHandler }: Reached, { facts }: RuleContext): Confidence | undefined {
  if (isBroad(clause)) {
    return 'high';
  }
  // What cannot be read as a number or as JSON is a way to say that it is none.
  if (!isHandler && clause.types.some((type) => /(?:Value|Type|JSONDecode|Unicode\w*)Error$/.test(type))) {
    return 'low';
  }
  return clause.types.some((type) => facts.isAbsence(type)) ? undefined : 'medium';
}

/** The catch looks at the error before it answers with nothing. */
const isSelective = ({ context: { guards } }: Site, clause: CatchClause) =>
  guards.some(
    ({ condition, isNegated }) => !isNegated && condition.start >= clause.start && condition.end <= clause.end,
  );

function isEmptyValue(value: Value): boolean {
  return value.length > 0 && value.every(isEmpty);
}

function isEmpty({ shape }: Alternative): boolean {
  switch (shape.kind) {
    case 'nothing':
      return true;
    case 'text':
      return /^(?:\[\s*\]|\{\s*\}|null|None|undefined)?$/.test(shape.text.trim());
    case 'list':
      return !shape.isOpen && shape.items.every(isEmptyValue);
    case 'object':
      return !shape.isOpen && shape.entries.every(({ value }) => isEmptyValue(value) || isZero(value));
    case 'result':
      return (
        (shape.flag === 'absent' || shape.flag === 'false') &&
        isEmptyValue(shape.blocks) &&
        (shape.structured.length === 0 || isEmptyValue(shape.structured))
      );
    case 'block':
      return isEmptyValue(shape.text);
    default:
      return false;
  }
}

const isZero = (value: Value) =>
  value.every(({ shape }) => shape.kind === 'constant' && (shape.value === 0 || shape.value === false));

// -- falling through --------------------------------------------------------------------------------------------------

function fallingThrough(
  exits: readonly ValuedExit[],
  reached: Reached,
  handlers: readonly Handler[],
  context: RuleContext,
): readonly Report[] {
  const reports: Report[] = [];
  for (const [statement, site] of reached.flow.sites) {
    if (statement.kind !== 'try' || site.context.isInLoop || site.context.catchClause !== undefined) {
      continue;
    }
    for (const clause of statement.catches) {
      if (isBroad(clause) && onlyLogs(clause.body) && endsEmpty(statement, site, exits)) {
        const span = clause.body[0] ?? clause.inside ?? clause;
        reports.push(reportOf({ span, message: messages.fallsThrough, confidence: 'medium', handlers }, context));
      }
    }
  }
  return reports;
}

/** Nothing in it reaches the result. */
export function onlyLogs(block: Block): boolean {
  return statementsIn(block).every(
    (statement) =>
      statement.kind === 'jump' ||
      statement.kind === 'branch' ||
      statement.kind === 'block' ||
      (statement.kind === 'expression' && statement.value.kind === 'call' && isLogging(statement.value)) ||
      (statement.kind === 'expression' && statement.value.kind !== 'call'),
  );
}

/** After a try whose work did not finish, what follows gives back nothing. */
function endsEmpty(statement: Extract<Statement, { kind: 'try' }>, site: Site, exits: readonly ValuedExit[]): boolean {
  const body = statementsIn([...statement.body, ...statement.orElse]);
  const next = site.block[site.index + 1];
  if (next === undefined) {
    // At the very end of the function; the work would have returned something.
    return site.outer === undefined && body.some((inner) => inner.kind === 'return' && inner.value !== undefined);
  }
  const exit = exits.find(({ exit: { site: at } }) => at?.statement === next);
  if (next.kind !== 'return' || exit === undefined) {
    return false;
  }
  if (isEmptyValue(exit.value)) {
    return body.some((inner) => inner.kind === 'return');
  }
  // `found = []; try: found = search() …; return found`
  const isBefore = ({ assignedAt }: Alternative) =>
    assignedAt !== undefined && assignedAt.statement.end <= statement.start;
  const isInside = ({ assignedAt }: Alternative) => assignedAt !== undefined && body.includes(assignedAt.statement);
  return (
    exit.value.some((it) => isBefore(it) && isEmpty(it)) &&
    exit.value.some(isInside) &&
    exit.value.every((it) => isInside(it) || (isBefore(it) && isEmpty(it)))
  );
}
