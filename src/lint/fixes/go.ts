import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { Expression } from '../ir.ts';
import type { FixBuilder, MendRequest, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { fixesOf, isWithin, type Proposal } from './edits.ts';
import { insertMember, type Of, replaceFlag, writeToStderr } from './shared.ts';

/** Fixes for Go: the error constructor of mcp-go, or the flag of a literal; both change nothing but the flag. */
export function goFixes(program: Program, source: SourceText): FixBuilder {
  return {
    mend: (request) => fixesOf([mend(request, program, source)], source),
    returnedError(request): readonly Fix[] {
      return fixesOf([useErrorResult(request, source), returnError(request, source)], source);
    },
  };
}

function mend(request: MendRequest, program: Program, source: SourceText): Proposal | undefined {
  switch (request.kind) {
    case 'stdout':
      return toStderr(request, program, source);
    case 'protocolError':
      return returnResult(request, program, source);
    default:
      return undefined;
  }
}

/** What names the file in its call: `fmt.Fprintln(os.Stderr, …)`. */
function toStderr(request: Of<'stdout'>, program: Program, source: SourceText): Proposal | undefined {
  const direct = writeToStderr(request, /^os\.Stdout\b/, 'os.Stderr', source);
  const hasOs = program.main.imports.get('os')?.module === 'os';
  return (
    direct ??
    (hasOs
      ? writeToStderr(
          request,
          /^fmt\.P(rint(?:f|ln)?)\(/,
          request.call.args.length === 0 ? 'fmt.Fp$1(os.Stderr' : 'fmt.Fp$1(os.Stderr, ',
          source,
        )
      : undefined)
  );
}

/** `return nil, err` becomes a result that tells the model of the error; a result that does so already stays. */
function returnResult(
  { statement, sdk }: Of<'protocolError'>,
  program: Program,
  source: SourceText,
): Proposal | undefined {
  const error = statement.kind === 'throw' ? statement.value : undefined;
  const slice = source.slice(statement);
  if (error === undefined || error.end !== statement.end || !/^return\b/.test(slice)) {
    return undefined;
  }
  const title = 'lint.fix.returnErrorResult';
  if (/^return\s+(?:\w+\.NewToolResultError|&?\w+\.CallToolResult\{[\s\S]*\bIsError:\s*true\b)/.test(slice)) {
    return { title, isSafe: false, changes: [{ start: error.start, end: error.end, text: 'nil' }] };
  }
  const text = textOf(error, source);
  const result = sdk === 'go-mark3labs' ? errorResult(text, program) : flaggedResult(text, sdk, program);
  return result === undefined || !/^return\s+nil\s*,/.test(slice)
    ? undefined
    : { title, isSafe: false, changes: [{ start: statement.start, end: error.end, text: `return ${result}, nil` }] };
}

function errorResult(text: string, program: Program): string | undefined {
  const mcp = localOf('github.com/mark3labs/mcp-go/mcp', program);
  return mcp === undefined ? undefined : `${mcp}.NewToolResultError(${text})`;
}

/** A handler without types in the official SDK. */
function flaggedResult(text: string, sdk: string, program: Program): string | undefined {
  const mcp =
    sdk === 'go-official-lowlevel' ? localOf('github.com/modelcontextprotocol/go-sdk/mcp', program) : undefined;
  return mcp === undefined
    ? undefined
    : `&${mcp}.CallToolResult{IsError: true, Content: []${mcp}.Content{&${mcp}.TextContent{Text: ${text}}}}`;
}

const localOf = (path: string, program: Program) =>
  program.main.ir.imports.find(({ module }) => module === path)?.local;

/** The text of an error; a package that would be imported in vain stays in use. */
function textOf(error: Expression, source: SourceText): string {
  const slice = source.slice(error);
  const made = /^errors\.New\(([\s\S]*)\)$/.exec(slice)?.[1];
  if (made !== undefined && [...source.text.matchAll(/\berrors\./g)].length > 1) {
    return made;
  }
  const formatted = /^fmt\.Errorf\(("(?:[^"\\]|\\.)*")([\s\S]*)$/.exec(slice);
  return formatted === null ? `${slice}.Error()` : `fmt.Sprintf(${formatted[1]?.replace(/%w/g, '%v')}${formatted[2]}`;
}

function useErrorResult({ evidence, exit }: ReturnedErrorFix, source: SourceText): Proposal | undefined {
  const { result } = evidence;
  if (result === undefined || result.shape.kind !== 'result' || evidence.isConditional || exit.value.length !== 1) {
    return undefined;
  }
  const { flagEntry } = result.shape;
  const slice = source.slice(result.span);
  const made = /^(?:\w+\.)?NewToolResultText(?=\()/.exec(slice);
  if (made !== null) {
    const start = result.span.start + made[0].length - 'Text'.length;
    return {
      title: 'lint.fix.returnErrorResult',
      isSafe: true,
      changes: [{ start, end: start + 'Text'.length, text: 'Error' }],
    };
  }
  if (!/^&?(?:\w+\.)?CallToolResult(?:For\[[^\]]*\])?\{/.test(slice)) {
    return undefined;
  }
  const change =
    flagEntry === undefined
      ? insertMember(result.span, 'IsError: true', source)
      : replaceFlag(flagEntry, 'IsError: true');
  return change === undefined ? undefined : { title: 'lint.fix.returnErrorResult', isSafe: true, changes: [change] };
}

/** In a typed handler of the official SDK an error becomes an error result; inside a catch the error itself is at hand. */
function returnError({ evidence, exit, sdk, isInner }: ReturnedErrorFix, source: SourceText): Proposal | undefined {
  const statement = exit.exit.site?.statement;
  const caught = exit.exit.site?.context.catchClause?.variable;
  if (
    sdk !== 'go-official' ||
    isInner ||
    statement?.kind !== 'return' ||
    evidence.isConditional ||
    caught === undefined
  ) {
    return undefined;
  }
  const slice = source.slice(statement);
  const [, value, error] = valuesOf(slice);
  if (
    value === undefined ||
    error !== 'nil' ||
    (evidence.result !== undefined && !isWithin(evidence.result.span, statement))
  ) {
    return undefined;
  }
  const text = `return nil, ${value}, ${caught}`;
  return {
    title: 'lint.fix.returnError',
    isSafe: false,
    changes: [{ start: statement.start, end: statement.end, text }],
  };
}

/** The values of a `return` statement as they are written: commas in brackets and texts are their own. */
function valuesOf(statement: string): string[] {
  const values = [''];
  let depth = 0;
  for (const [token] of statement.replace(/^return\b/, '').matchAll(TOKEN)) {
    depth += /^[([{]$/.test(token) ? 1 : /^[)\]}]$/.test(token) ? -1 : 0;
    if (token === ',' && depth === 0) {
      values.push('');
    } else {
      values.push(`${values.pop() ?? ''}${token}`);
    }
  }
  return values.map((value) => value.trim());
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|[^"`'()[\]{},]+|[\s\S]/g;
