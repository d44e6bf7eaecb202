import type { FunctionFlow } from '../flow/functionFlow.ts';
import { rootName } from '../flow/mentions.ts';
import { isBroad } from '../flow/swallow.ts';
import type { CatchClause, Expression } from '../ir.ts';
import { type Alternative, type Handler, HOLE, type Shape, type Value, type ValuedExit } from '../model.ts';
import { findIn, reportOf, thrownOf, wordsOf } from './common.ts';
import { judge } from './evidence.ts';
import type { Report, Rule, RuleContext } from './rule.ts';
import { wordingOf } from './wording.ts';

const messages = {
  sentence: 'lint.genericError.sentence',
  empty: 'lint.genericError.empty',
} as const;

/** FL005: every failure says the same, or nothing (docs/rules/FL005.md). */
export const genericError: Rule = {
  meta: { code: 'FL005', name: 'generic-error', severity: 'info' },
  messages,
  check(context) {
    return [...context.model.outputs()].flatMap(([ir, handlers]) =>
      context.model.exitsOf(ir).flatMap((exit) => checkExit(exit, context.model.flowOf(ir), handlers, context)),
    );
  },
};

function checkExit(
  valued: ValuedExit,
  flow: FunctionFlow,
  handlers: readonly Handler[],
  context: RuleContext,
): readonly Report[] {
  const { exit, value } = valued;
  const { site } = exit;
  if (site === undefined) {
    return [];
  }
  const clause = site.context.catchClause;
  const isCaught = clause !== undefined && isBroad(clause);
  if (exit.kind !== 'throw' && !isCaught && !isFlagged(value)) {
    return [];
  }
  const given = exit.kind === 'throw' ? wordsOf(thrownOf(exit.value)?.message) : errorText(valued, flow, handlers);
  if (exit.kind === 'throw' ? saysNothing(valued) : given === '' && isFlagged(value)) {
    return [reportOf({ span: site.statement, message: messages.empty, confidence: 'high', handlers }, context)];
  }
  const text = given ?? '';
  // What is wrong with an argument is no cause that the text keeps to itself.
  if (!isCaught || text === '' || text.includes(HOLE) || wordingOf(text) === 'input' || isLookedAt(valued, flow)) {
    return [];
  }
  const confidence = GENERIC.test(text) ? 'high' : 'medium';
  return [
    reportOf({ span: site.statement, message: messages.sentence, confidence, handlers, args: { text } }, context),
  ];
}

const GENERIC =
  /^(?:an? )?(?:unexpected |unknown |internal |server |general )*(?:error|failure|exception|problem|issue)?(?: has)?(?: occurred| happened)?[.!]?$|^(?:something|it) went wrong|^(?:operation|request|call|tool|execution|command) failed[.!]?$|^failed[.!]?$|^error[.!:]?$/i;

const placeOf = (flow: FunctionFlow, handler: Handler | undefined) => ({
  flow,
  givesPlainValues: handler?.givesPlainValues ?? false,
  declaresPlainValues: handler?.declaresPlainValues ?? false,
});

const isFlagged = (value: Value) => value.every(({ shape }) => shape.kind === 'result' && shape.flag === 'true');

/** The constant text of an error that is given back, flagged or not; undefined when it is none. */
function errorText(valued: ValuedExit, flow: FunctionFlow, handlers: readonly Handler[]): string | undefined {
  const [alternative, ...more] = valued.value;
  if (alternative === undefined || more.length > 0) {
    return undefined;
  }
  const { shape } = alternative;
  const isError =
    isFlagged(valued.value) || (judge(valued, placeOf(flow, handlers[0]), undefined).own?.level ?? 0) >= 2;
  if (!isError) {
    return undefined;
  }
  switch (shape.kind) {
    case 'text':
      return shape.isCaught ? undefined : shape.text;
    case 'result':
      return shape.flag === 'unknown' ? undefined : blocksText(shape);
    case 'list':
      return listText(shape);
    case 'object':
      return objectText(shape);
    default:
      return undefined;
  }
}

function blocksText({ blocks, structured }: Extract<Shape, { kind: 'result' }>): string | undefined {
  const shape = blocks.length === 1 ? blocks[0]?.shape : undefined;
  if (shape?.kind !== 'list' || shape.isOpen) {
    return undefined;
  }
  return shape.items.length === 0 ? (structured.length === 0 ? '' : undefined) : listText(shape);
}

function listText({ items, isOpen }: Extract<Shape, { kind: 'list' }>): string | undefined {
  const texts = items.map((item) => (item.length === 1 ? textOf(item[0]) : undefined));
  return !isOpen && texts.every((text) => text !== undefined) ? texts.join(' ').trim() : undefined;
}

/** `{"error": "Failed"}` with nothing beside it that tells more. */
function objectText({ entries, isOpen }: Extract<Shape, { kind: 'object' }>): string | undefined {
  const texts = entries
    .filter(({ value }) => value.every(({ shape }) => shape.kind !== 'constant' && shape.kind !== 'nothing'))
    .map(({ value }) => (value.length === 1 && value[0]?.shape.kind === 'text' ? value[0].shape : undefined));
  return isOpen || texts.some((text) => text === undefined || text.isCaught)
    ? undefined
    : texts.map((text) => text?.text ?? '').join(' ');
}

function textOf(alternative: Alternative | undefined): string | undefined {
  const { shape } = alternative ?? {};
  if (shape?.kind !== 'block' || shape.text.length !== 1) {
    return undefined;
  }
  const inner = shape.text[0]?.shape;
  return inner?.kind === 'text' && !inner.isCaught ? inner.text : undefined;
}

/** `throw new Error()`: what reaches the model is an empty text. */
function saysNothing({ exit: { value } }: ValuedExit): boolean {
  const thrown = thrownOf(value);
  return (
    thrown !== undefined &&
    value?.kind === 'call' &&
    value.args.length === 0 &&
    value.named.length === 0 &&
    /^(?:Error|Exception|ToolError|UserError|ValueError|RuntimeError|TypeError)$/.test(thrown.className)
  );
}

/** `text += str(e)`: the cause joins what was composed before. */
function isAddedTo(value: Expression | undefined, clause: CatchClause, { sites }: FunctionFlow): boolean {
  const name = value === undefined ? undefined : rootName(value);
  return (
    name !== undefined &&
    [...sites.keys()].some(
      (statement) =>
        statement.kind === 'assign' &&
        statement.isAugmented &&
        statement.target.kind === 'name' &&
        statement.target.name === name &&
        statement.start >= clause.start &&
        statement.end <= clause.end,
    )
  );
}

/** The catch tells errors apart before it answers, or the cause is a part of the answer after all. */
function isLookedAt({ exit: { site, value } }: ValuedExit, flow: FunctionFlow): boolean {
  const clause = site?.context.catchClause;
  if (site === undefined || clause === undefined) {
    return false;
  }
  const isGuarded = site.context.guards.some(
    ({ condition }) => condition.start >= clause.start && condition.end <= clause.end,
  );
  const { variable } = clause;
  const usesIt =
    variable !== undefined &&
    value !== undefined &&
    findIn(value, site, flow, (part) => part.kind === 'name' && part.name === variable) !== undefined;
  return isGuarded || usesIt || isAddedTo(value, clause, flow);
}
