import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { CatchClause, Expression, Statement } from '../ir.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, fixesOf, isPure, isWithin, type Proposal, startsLine } from './edits.ts';
import { pythonMends } from './pythonMends.ts';
import { type Raised, raisedBy, reraises, resultClass } from './pythonParts.ts';

/** Fixes for Python: raise what the SDK turns into an error result, or return one. */
export function pythonFixes(program: Program, source: SourceText): FixBuilder {
  return {
    returnedError(request): readonly Fix[] {
      const { sdk } = request;
      const isLowLevel = sdk === 'py-lowlevel-v1' || sdk === 'py-lowlevel-v2';
      const result = isLowLevel ? errorResult(request, program, source) : undefined;
      // A raise in a low-level v2 handler becomes a protocol error, which the model never sees.
      const raise = sdk === 'py-lowlevel-v2' ? undefined : raiseError(request, program, source);
      return fixesOf([result, raise], source);
    },
    mend: pythonMends(program, source),
  };
}

function raiseError(request: ReturnedErrorFix, program: Program, source: SourceText): Proposal | undefined {
  const { evidence, exit, sdk } = request;
  const site = exit.exit.site;
  const value = exit.exit.value;
  const raised = raisedBy(sdk, program, source);
  // Where one of several errors is mended the finding would stay.
  const isMended = evidence.isOnlyError || exit.value.length === 1;
  if (site === undefined || value === undefined || raised === undefined || !isMended) {
    return undefined;
  }
  const { assignedAt } = evidence.alternative;
  const isConditional = exit.value.length > 1;
  const place = isConditional && assignedAt !== undefined ? assignedAt : site;
  const guards = reraises(place.context.tries, raised, source);
  if (guards === undefined || !startsLine(place.statement.start, source)) {
    return undefined;
  }
  const replaced =
    place === site
      ? isConditional
        ? splitChoice(site.statement, value, request, raised, source)
        : raiseInstead(
            site.statement,
            textOf(request, site.statement, value, source),
            place.context.catchClause,
            raised,
          )
      : raiseAtAssignment(place.statement, request, place.context.catchClause, raised, source);
  if (replaced === undefined) {
    return undefined;
  }
  const { shape } = evidence.alternative;
  const isVerbatim =
    sdk === 'py-fastmcp-standalone' && (shape.kind === 'text' || shape.kind === 'caught') && !evidence.isStructured;
  return {
    title: raised.title,
    isSafe: isVerbatim && !isConditional,
    changes: [replaced, ...guards, ...raised.imports],
  };
}

function raiseInstead(statement: Statement, text: string, clause: CatchClause | undefined, raised: Raised): Change {
  const cause = clause?.variable === undefined ? '' : ` from ${clause.variable}`;
  return { start: statement.start, end: statement.end, text: `raise ${raised.name}(${text})${cause}` };
}

/** `answer = "Failed …"`, returned later: raise where it is assigned. */
function raiseAtAssignment(
  statement: Statement,
  { evidence }: ReturnedErrorFix,
  clause: CatchClause | undefined,
  raised: Raised,
  source: SourceText,
): Change | undefined {
  const value = statement.kind === 'assign' && !statement.isAugmented ? statement.value : undefined;
  if (
    value === undefined ||
    value.kind === 'choice' ||
    evidence.text === undefined ||
    !isWithin(evidence.text, value)
  ) {
    return undefined;
  }
  const text = evidence.isTextual ? source.slice(evidence.text) : asText(evidence.text, source);
  return raiseInstead(statement, text, clause, raised);
}

/** `return a if ok else {"error": …}` becomes a guard that raises, and the return of the other. */
function splitChoice(
  statement: Statement,
  value: Expression,
  request: ReturnedErrorFix,
  raised: Raised,
  source: SourceText,
): Change | undefined {
  const { choice } = request.evidence.alternative;
  if (
    value.kind !== 'choice' ||
    choice?.condition === undefined ||
    choice.condition !== value.condition ||
    value.options.length !== 2
  ) {
    return undefined;
  }
  const error = value.options[choice.index];
  const good = value.options[1 - choice.index];
  const isOr = value.options[0] === value.condition;
  if (error === undefined || good === undefined || !isPure(value.condition) || (isOr && choice.index === 0)) {
    return undefined;
  }
  const indent = source.indentAt(statement.start);
  const condition = source.slice(value.condition);
  const test = choice.index === 0 ? condition : `not ${isSimple(value.condition) ? condition : `(${condition})`}`;
  const text = textOf(request, error, error, source);
  const newline = source.lineBreak;
  return {
    start: statement.start,
    end: statement.end,
    text: `if ${test}:${newline}${indent}    raise ${raised.name}(${text})${newline}${indent}return ${source.slice(good)}`,
  };
}

const isSimple = ({ kind }: Expression) => kind === 'name' || kind === 'member';

/** The error's text as an expression; the whole value as text when nothing in it is one. */
function textOf(
  { evidence, exit }: ReturnedErrorFix,
  within: { start: number; end: number },
  value: Expression,
  source: SourceText,
): string {
  const { text } = evidence;
  const { shape } = evidence.alternative;
  const caught = exit.exit.site?.context.catchClause?.variable;
  if (text !== undefined && isWithin(text, within)) {
    // What a helper would have added to the sentence it is given.
    const isGiven = shape.kind === 'unknown' && shape.isCaught && text.kind === 'text';
    return isGiven && caught !== undefined
      ? withCause(source.slice(text), caught)
      : evidence.isTextual
        ? source.slice(text)
        : asText(text, source);
  }
  if (evidence.reason === 'helper' || shape.kind === 'helper') {
    return value.kind === 'name' ? value.name : caught === undefined ? `str(${source.slice(value)})` : `str(${caught})`;
  }
  return value.kind === 'name' && !evidence.isStructured ? value.name : `str(${source.slice(value)})`;
}

function withCause(sentence: string, caught: string): string {
  const plain = /^(["'])([^"'\\{}\n]*)\1$/.exec(sentence);
  const words = plain?.[2]?.trimEnd().replace(/[.:]$/, '');
  return plain === null ? `str(${caught})` : `f${plain[1]}${words}: {${caught}}${plain[1]}`;
}

function asText(expression: Expression, source: SourceText): string {
  const slice = source.slice(expression);
  switch (expression.kind) {
    case 'text':
      return slice;
    case 'call':
      return /^(?:str|repr|json\.dumps)\(|\.format\(|\.join\(/.test(slice) ? slice : `str(${slice})`;
    default:
      return `str(${slice})`;
  }
}

/** A low-level handler's own answer: the same content with the flag set. */
function errorResult(
  { evidence, exit, sdk, isInner }: ReturnedErrorFix,
  program: Program,
  source: SourceText,
): Proposal | undefined {
  const value = exit.exit.value;
  const flag = sdk === 'py-lowlevel-v2' ? 'is_error' : 'isError';
  const title = 'lint.fix.returnErrorResult';
  const { result } = evidence;
  const shape = result?.shape;
  if (result !== undefined && shape?.kind === 'result' && shape.isCall && !evidence.isConditional) {
    if (shape.flagEntry !== undefined) {
      return { title, isSafe: true, changes: [{ ...shape.flagEntry, text: `${flag}=True` }] };
    }
    const close = result.span.end - 1;
    const isTrailing = /,\s*$/.test(source.text.slice(result.span.start, close));
    return {
      title,
      isSafe: true,
      changes: [{ start: close, end: close, text: `${isTrailing ? ' ' : ', '}${flag}=True` }],
    };
  }
  const isList = value?.kind === 'list' && exit.value.length === 1;
  const made = isList && !isInner && !evidence.isConditional ? resultClass(program, source) : undefined;
  if (value === undefined || made === undefined) {
    return undefined;
  }
  const text = `${made.name}(content=${source.slice(value)}, ${flag}=True)`;
  return { title, isSafe: true, changes: [{ start: value.start, end: value.end, text }, ...made.imports] };
}
