import type { Confidence } from '../../protocol/finding.ts';
import { type Exit, type FunctionFlow, reaching } from '../flow/functionFlow.ts';
import { rootName } from '../flow/mentions.ts';
import type { Expression } from '../ir.ts';
import type { Handler, ValuedExit } from '../model.ts';
import { judge } from './evidence.ts';
import { makesErrors } from './makers.ts';
import type { Report, Rule, RuleContext } from './rule.ts';
import type { Evidence, Level } from './scene.ts';
import { natureOf } from './wording.ts';

const CONFIDENCE: Readonly<Record<Level, Confidence>> = { 1: 'low', 2: 'medium', 3: 'high' };

interface Candidate {
  readonly exit: ValuedExit;
  readonly evidence: Evidence;
  readonly level: Level;
  readonly handler: Handler;
  readonly tools: Set<string>;
  readonly isInner: boolean;
}

/** FL001: a tool returns an error message or an error object as a success (docs/rules/FL001.md). */
export const returnedError: Rule = {
  meta: { code: 'FL001', name: 'returned-error', severity: 'warning' },
  messages: {
    text: 'lint.returnedError.text',
    object: 'lint.returnedError.object',
    caught: 'lint.returnedError.caught',
    catch: 'lint.returnedError.catch',
    guard: 'lint.returnedError.guard',
    helper: 'lint.returnedError.helper',
    variable: 'lint.returnedError.variable',
  },
  check(context) {
    const candidates = new Map<number, Candidate>();
    const { handlers } = context.model;
    const dispatcher = handlers.find(setsFlags);
    const hasDispatcher = handlers.some(isDispatcher);
    for (const handler of handlers) {
      if (handler.kind === 'tool') {
        const isRead = dispatcher !== undefined && handler !== dispatcher;
        checkHandler(handler, candidates, isRead ? 'for flags' : hasDispatcher ? 'here' : 'elsewhere');
      }
    }
    return [...candidates.values()].map((candidate) => reportOf(candidate, context));
  },
};

/** Who reads what a function gives back before it is a result: a dispatcher here that looks for errors, one that does not, or who knows. */
type Reader = 'for flags' | 'here' | 'elsewhere';

/** A low-level handler, which serves all tools. */
const isDispatcher = ({ kind, name, certainty }: Handler) =>
  kind === 'tool' && name === undefined && certainty === 'registered';

/** One that makes the flag of what the tools give back: `isError: !result.success`. */
const setsFlags = (handler: Handler) =>
  isDispatcher(handler) &&
  handler.exits.some(
    ({ value, exit }) =>
      value.some(({ shape }) => shape.kind === 'result' && shape.flag === 'unknown' && shape.flagEntry !== undefined) &&
      !asksForTool(exit, handler.flow),
  );

/** `isError: !handlers[name]`: the flag tells whether there is such a tool, not what became of it. */
function asksForTool({ value, site }: Exit, { sites }: FunctionFlow): boolean {
  const flag = value?.kind === 'object' ? value.entries.find(({ key }) => key === 'isError')?.value : undefined;
  const asked = flag?.kind === 'not' ? flag.operand : undefined;
  const looked = asked?.kind === 'other' ? asked.parts[0] : asked;
  const table = looked === undefined ? undefined : rootName(looked);
  const made = table === undefined || site === undefined ? [] : reaching(table, site, sites);
  return made.length > 0 && made.every((it) => it.kind === 'assign' && it.value?.kind === 'object');
}

function checkHandler(handler: Handler, candidates: Map<number, Candidate>, reader: Reader): void {
  // A function that only ever gives back errors formats them for its callers.
  const judged = handler.exits.map((exit) => {
    const tool = handler.name ?? toolNameIn(exit);
    return { exit, tool, judgement: judge(exit, handler, tool) };
  });
  const returns = judged.filter(({ exit }) => exit.exit.kind === 'return');
  const formats = makesErrors(handler.ir.name) || returns.every(({ judgement }) => judgement.own !== undefined);
  if (handler.certainty !== 'registered' && formats) {
    return;
  }
  for (const { exit, tool, judgement } of judged) {
    if (judgement.own !== undefined) {
      add(candidates, { exit, evidence: judgement.own, handler, isInner: false }, tool, reader);
    }
    for (const inner of judgement.inner) {
      add(
        candidates,
        { exit: inner.exit, evidence: inner.evidence, handler, isInner: true },
        tool ?? inner.helper.ir.name,
        reader,
      );
    }
  }
}

function add(
  candidates: Map<number, Candidate>,
  found: Omit<Candidate, 'level' | 'tools'>,
  tool: string | undefined,
  reader: Reader,
): void {
  const start = found.exit.exit.site?.statement.start;
  const { evidence } = found;
  const isData = evidence.isStructured && evidence.result === undefined;
  const level =
    reader === 'for flags' && isData ? undefined : weighed(evidence, found.exit, found.handler, tool, reader);
  if (start === undefined || level === undefined) {
    return;
  }
  const known = candidates.get(start);
  const tools = known?.tools ?? new Set<string>();
  if (tool !== undefined) {
    tools.add(tool);
  }
  if (known === undefined || level > known.level) {
    candidates.set(start, { ...found, level, tools });
  }
}

/**
 * A tool whose job is errors drops a level, unless it caught the error itself or refuses its arguments; so does a function that only looks
 * like a handler, and twice when its caller could read the error in the data.
 */
function weighed(
  evidence: Evidence,
  exit: ValuedExit,
  handler: Handler,
  tool: string | undefined,
  reader: Reader,
): Level | undefined {
  const isOwnError = evidence.level === 3 && exit.exit.site?.context.catchClause !== undefined;
  const isReport = !isOwnError && !evidence.isRefusal && natureOf(tool).isReport;
  const isShaped = handler.certainty !== 'registered';
  // Results and content blocks go to a client as they are, unlike data that the caller could read.
  const isData = evidence.isStructured && evidence.result === undefined && reader === 'elsewhere';
  const isDeclared = handler.declaresPlainValues || handler.certainty === 'declared';
  const shaped = isData ? 2 : isDeclared ? 0 : 1;
  const level = evidence.level - (isReport ? 1 : 0) - (isShaped ? shaped : 0);
  return level === 3 || level === 2 || level === 1 ? level : undefined;
}

/** A low-level handler serves all tools: the comparison that guards an exit tells which one it is. */
function toolNameIn({ exit }: ValuedExit): string | undefined {
  for (const { condition, isNegated } of exit.site?.context.guards.toReversed() ?? []) {
    const text = isNegated ? undefined : comparedText(condition);
    if (text !== undefined) {
      return text;
    }
  }
  return undefined;
}

function comparedText(condition: Expression): string | undefined {
  if (condition.kind !== 'compare' || condition.parts.length !== 2 || !/^={2,3}$/.test(condition.operator)) {
    return undefined;
  }
  const [left, right] = condition.parts;
  const isName = left?.kind === 'name' || left?.kind === 'member' ? /name/i.test(left.name) : false;
  return isName && right?.kind === 'text' && right.parts.every((part) => typeof part === 'string')
    ? right.parts.join('')
    : undefined;
}

function reportOf({ exit, evidence, level, handler, tools, isInner }: Candidate, context: RuleContext): Report {
  const statement = exit.exit.site?.statement ?? handler.ir;
  const names = [...tools];
  return {
    confidence: CONFIDENCE[level],
    span: statement,
    range: context.source.range(statement.start, statement.end),
    message: returnedError.messages[evidence.reason] ?? 'lint.returnedError.text',
    args: { tool: names.length === 0 ? 'tools/call' : names.join(', ') },
    tools: names,
    sdk: handler.sdk,
    fixes: () => context.fixes.returnedError({ sdk: handler.sdk, evidence, exit, isInner }),
  };
}
