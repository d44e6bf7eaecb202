import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { Span } from '../ir.ts';
import type { FixBuilder, MendRequest, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { fixesOf, isWithin, type Proposal } from './edits.ts';
import { type Of, setFlagInLiteral, writeToStderr } from './shared.ts';

/** Fixes for Rust: the error constructor, the flag of a literal, or `Err` where it becomes an error result. */
export function rustFixes(program: Program, source: SourceText): FixBuilder {
  return {
    mend: (request) => fixesOf([mend(request, program, source)], source),
    returnedError(request): readonly Fix[] {
      return fixesOf(
        [
          useErrorResult(request, source),
          setFlagInLiteral(request, /^(?:\w+::)*CallToolResult\s*\{/, 'is_error: Some(true)', source),
          returnErr(request, program, source),
        ],
        source,
      );
    },
  };
}

function mend(request: MendRequest, program: Program, source: SourceText): Proposal | undefined {
  switch (request.kind) {
    case 'stdout':
      return writeToStderr(request, /^(?=print(?:ln)?!)/, 'e', source);
    case 'protocolError':
      return returnResult(request, program, source);
    default:
      return undefined;
  }
}

const ERROR_CLASS =
  /^(?:\w+::)*(?:McpError|ErrorData|RmcpError|Error)::(?:internal_error|invalid_params|invalid_request)\(/;

/** `Err(McpError::internal_error(text, None))` becomes `Ok(CallToolResult::error(vec![Content::text(text)]))`. */
function returnResult({ statement }: Of<'protocolError'>, program: Program, source: SourceText): Proposal | undefined {
  const thrown = statement.kind === 'throw' ? statement.value : undefined;
  const message = thrown?.kind === 'call' ? thrown.args[0] : undefined;
  const result = /(?<![\w:])(?:::)?((?:\w+::)*)CallToolResult\b/.exec(
    functionAround(statement, program)?.returnType ?? '',
  );
  const opening = /^(?:return\s+)?(?=Err\s*\()/.exec(source.slice(statement));
  if (thrown === undefined || message === undefined || result === null || opening === null) {
    return undefined;
  }
  const close = source.text.indexOf(')', thrown.end);
  const isKnown = ERROR_CLASS.test(source.slice(thrown)) && /^[,\s]*$/.test(source.text.slice(thrown.end, close));
  if (!isKnown || close < 0) {
    return undefined;
  }
  const isInScope = /\bContent\b|\bmodel::\*/.test(source.text);
  const content = `${isInScope ? '' : 'rmcp::model::'}Content::text(${source.slice(message)})`;
  return {
    title: 'lint.fix.returnErrorResult',
    isSafe: false,
    changes: [
      {
        start: statement.start + opening[0].length,
        end: close + 1,
        text: `Ok(${result[1] ?? ''}CallToolResult::error(vec![${content}]))`,
      },
    ],
  };
}

const functionAround = (statement: Span, program: Program) =>
  program.main.functions
    .map(({ value }) => value)
    .filter((ir) => isWithin(statement, ir))
    .sort((a, b) => a.end - a.start - (b.end - b.start))[0];

function useErrorResult({ evidence, exit }: ReturnedErrorFix, source: SourceText): Proposal | undefined {
  const { result } = evidence;
  if (result === undefined || evidence.isConditional || exit.value.length !== 1) {
    return undefined;
  }
  const made = /^(?:\w+::)*CallToolResult::(success|structured)(?=\()/.exec(source.slice(result.span));
  if (made?.[1] === undefined) {
    return undefined;
  }
  const end = result.span.start + made[0].length;
  const text = made[1] === 'success' ? 'error' : 'structured_error';
  return { title: 'lint.fix.returnErrorResult', isSafe: true, changes: [{ start: end - made[1].length, end, text }] };
}

/** The error of `Result<_, String>` is text that goes into an error result. */
function returnErr({ evidence, exit }: ReturnedErrorFix, program: Program, source: SourceText): Proposal | undefined {
  const statement = exit.exit.site?.statement;
  if (statement === undefined || evidence.result !== undefined || !evidence.isTextual || evidence.isConditional) {
    return undefined;
  }
  const around = functionAround(statement, program);
  const ok = /^(?:return\s+)?(?=Ok\()/.exec(source.slice(statement));
  if (ok === null || exit.value.length !== 1 || !/^Result<\s*String\s*,\s*String\s*>$/.test(around?.returnType ?? '')) {
    return undefined;
  }
  const start = statement.start + ok[0].length;
  return { title: 'lint.fix.returnErr', isSafe: true, changes: [{ start, end: start + 'Ok'.length, text: 'Err' }] };
}
