import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { Expression, Statement } from '../ir.ts';
import type { Alternative } from '../model.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { Evidence } from '../rules/scene.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, fixesOf, isPure, isWithin, type Proposal } from './edits.ts';
import { typescriptMends } from './typescriptMends.ts';
import { letThrough } from './typescriptParts.ts';

/** Fixes for TypeScript and JavaScript: set the flag, or throw where a throw becomes an error result. */
export function typescriptFixes(program: Program, source: SourceText): FixBuilder {
  return {
    mend: typescriptMends(source),
    returnedError(request): readonly Fix[] {
      return request.sdk === 'ts-fastmcp'
        ? fixesOf([setFlag(request, source), throwUserError(request, program, source)], source)
        : fixesOf(
            [setFlag(request, source), canThrow(request) ? throwError(request, 'Error', source) : undefined],
            source,
          );
    },
  };
}

/** A low-level server turns a throw into a protocol error, which the model never sees. */
const canThrow = ({ sdk, exit }: ReturnedErrorFix) =>
  (sdk === 'ts-mcpserver-v1' || sdk === 'ts-mcpserver-v2' || sdk === 'ts-mcp-framework' || sdk === 'ts-xmcp') &&
  exit.exit.site?.context.tries.every(({ catches }) => catches.length === 0) === true;

// -- the flag -------------------------------------------------------------------------------------------------------

function setFlag(request: ReturnedErrorFix, source: SourceText): Proposal | undefined {
  const { evidence, exit } = request;
  const statement = exit.exit.site?.statement;
  const { result, alternative } = evidence;
  if (statement === undefined) {
    return undefined;
  }
  if (result === undefined) {
    return alternative.shape.kind === 'helper' ? spreadHelper(alternative, exit.exit.value, source) : undefined;
  }
  const flag = evidence.isConditional ? conditionOf(request, source) : 'true';
  const isOnly = exit.value.length === 1 || result.choice !== undefined || result.assignedAt !== undefined;
  if (flag === undefined || !isOnly || result.shape.kind !== 'result') {
    return undefined;
  }
  const { flagEntry } = result.shape;
  if (flagEntry === undefined && !startsObject(result, source)) {
    return spreadResult(result, request, source);
  }
  const change =
    flagEntry === undefined ? insertFlag(result, flag, source) : { ...flagEntry, text: `isError: ${flag}` };
  return change === undefined ? undefined : { title: 'lint.fix.setErrorFlag', isSafe: true, changes: [change] };
}

/** The condition under which the answer is an error, when it can be said twice. */
function conditionOf({ evidence }: ReturnedErrorFix, source: SourceText): string | undefined {
  const { choice, assignedAt } = evidence.alternative;
  const condition = choice?.condition;
  if (evidence.result?.choice !== undefined && evidence.result.choice === choice) {
    // The whole result is the choice: its own flag is constant.
    return 'true';
  }
  if (choice === undefined || condition === undefined || assignedAt !== undefined || !isPure(condition)) {
    return undefined;
  }
  const text = source.slice(condition);
  if (choice.index === 0) {
    return condition.kind === 'compare' || condition.kind === 'not' ? text : `Boolean(${text})`;
  }
  return condition.kind === 'name' || condition.kind === 'member' ? `!${text}` : `!(${text})`;
}

/** Written out here, not made by a helper of another file. */
const startsObject = ({ span }: Alternative, source: SourceText) => /^[\s(]*\{/.test(source.slice(span));

function insertFlag({ span, shape }: Alternative, flag: string, source: SourceText): Change | undefined {
  const open = source.text.indexOf('{', span.start);
  if (open < 0 || open >= span.end || shape.kind !== 'result') {
    return undefined;
  }
  const first = shape.firstEntry?.start ?? open + 1;
  const between = source.text.slice(open + 1, first);
  const at = open + 1;
  if (between.includes('\n')) {
    return { start: at, end: at, text: `${source.lineBreak}${source.indentAt(first)}isError: ${flag},` };
  }
  return { start: at, end: at, text: ` isError: ${flag},${/^\s/.test(source.text.slice(at, at + 1)) ? '' : ' '}` };
}

/** `return errorResult(…)` becomes `return { ...errorResult(…), isError: true }`. */
function spreadHelper(
  { shape, choice }: Alternative,
  value: Expression | undefined,
  source: SourceText,
): Proposal | undefined {
  const makesResults =
    shape.kind === 'helper' &&
    shape.helper.exits.every(({ value: made }) => made.every((it) => it.shape.kind === 'result'));
  return makesResults && choice === undefined ? spreadCall(value, source) : undefined;
}

/** The same for what a helper of another file makes, told by its name: most likely a result, where none but those count. */
function spreadResult({ span, choice }: Alternative, request: ReturnedErrorFix, source: SourceText) {
  const { value } = request.exit.exit;
  const isWhole = choice === undefined && value?.start === span.start && value.end === span.end;
  const proposal = isWhole && request.sdk !== 'ts-fastmcp' ? spreadCall(value, source) : undefined;
  return proposal === undefined ? undefined : { ...proposal, isSafe: false };
}

function spreadCall(value: Expression | undefined, source: SourceText): Proposal | undefined {
  if (value?.kind !== 'call') {
    return undefined;
  }
  const slice = source.slice(value);
  const spread = /^await\b/.test(slice) ? `(${slice})` : slice;
  const change = { start: value.start, end: value.end, text: `{ ...${spread}, isError: true }` };
  return { title: 'lint.fix.setErrorFlag', isSafe: true, changes: [change] };
}

// -- throwing -------------------------------------------------------------------------------------------------------

function throwError(
  request: ReturnedErrorFix,
  name: string,
  source: SourceText,
  more: readonly Change[] = [],
): Proposal | undefined {
  const title = name === 'Error' ? 'lint.fix.throwError' : 'lint.fix.throwUserError';
  const { evidence, exit } = request;
  const statement = exit.exit.site?.statement;
  const { assignedAt } = evidence.alternative;
  if (statement?.kind !== 'return' || statement.isImplicit || exit.exit.value === undefined) {
    return undefined;
  }
  if (exit.value.length === 1 && !evidence.isConditional) {
    const text = textIn(evidence, statement, source) ?? wholeText(request, exit.exit.value, source);
    return text === undefined
      ? undefined
      : { title, isSafe: false, changes: [instead(statement, `throw new ${name}(${text})`, source), ...more] };
  }
  const target = evidence.isOnlyError ? assignedAt?.statement : undefined;
  if (
    target?.kind !== 'assign' ||
    target.isAugmented ||
    assignedAt?.context.tries.some(({ catches }) => catches.length > 0)
  ) {
    return undefined;
  }
  // A declaration cannot become a throw, and nothing may hang on the assignment.
  const isPlain = target.target.kind === 'name' && source.text.startsWith(target.target.name, target.start);
  const text = target.value?.kind === 'choice' ? undefined : textIn(evidence, target, source);
  const isDeclared = /\b(?:const|let|var)\s+$/.test(source.text.slice(Math.max(0, target.start - 20), target.start));
  return text === undefined || !isPlain || isDeclared
    ? undefined
    : {
        title,
        isSafe: false,
        changes: [{ start: target.start, end: target.end, text: `throw new ${name}(${text})` }, ...more],
      };
}

function instead(statement: Statement, text: string, source: SourceText): Change {
  const isClosed = source.text[statement.end - 1] === ';';
  return { start: statement.start, end: statement.end, text: isClosed ? `${text};` : text };
}

function textIn({ text, isTextual }: Evidence, within: Statement, source: SourceText): string | undefined {
  if (text === undefined || !isWithin(text, within)) {
    return undefined;
  }
  const slice = source.slice(text);
  return isTextual || text.kind === 'member' || /^(?:String|JSON\.stringify)\(/.test(slice)
    ? slice
    : `String(${slice})`;
}

/** A plain text that is returned as it is. */
function wholeText({ evidence }: ReturnedErrorFix, value: Expression, source: SourceText): string | undefined {
  const { kind } = evidence.alternative.shape;
  if (evidence.result !== undefined || evidence.isStructured) {
    return undefined;
  }
  return kind === 'text' || kind === 'caught' || (kind === 'unknown' && value.kind === 'name')
    ? source.slice(value)
    : undefined;
}

/** fastmcp passes a UserError's text on as it is; a catch around it must let it through. */
function throwUserError(request: ReturnedErrorFix, program: Program, source: SourceText): Proposal | undefined {
  const { imports } = program.main.ir;
  const known = imports.find(({ name }) => name === 'UserError');
  const own = imports.find(({ module, name }) => module === 'fastmcp' && name !== '*' && name !== 'default');
  const changes: Change[] = [];
  if (known === undefined) {
    const close = own === undefined ? -1 : source.text.indexOf('}', own.start);
    if (own === undefined || close < 0 || close >= own.end) {
      return undefined;
    }
    const at = source.text.slice(0, close).trimEnd().length;
    changes.push({ start: at, end: at, text: source.text[at - 1] === ',' ? ' UserError' : ', UserError' });
  }
  const name = known?.local ?? 'UserError';
  for (const { catches } of request.exit.exit.site?.context.tries ?? []) {
    for (const clause of catches) {
      const change = letThrough(clause, name, source);
      if (change === undefined) {
        return undefined;
      }
      changes.push(...change);
    }
  }
  return throwError(request, name, source, changes);
}
