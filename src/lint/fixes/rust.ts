import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { fixesOf, isWithin, type Proposal } from './edits.ts';
import { setFlagInLiteral } from './shared.ts';

/** Fixes for Rust: the error constructor, the flag of a literal, or `Err` where it becomes an error result. */
export function rustFixes(program: Program, source: SourceText): FixBuilder {
  return {
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
  const around = program.main.functions
    .map(({ value }) => value)
    .filter((ir) => isWithin(statement, ir))
    .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  const ok = /^(?:return\s+)?(?=Ok\()/.exec(source.slice(statement));
  if (ok === null || exit.value.length !== 1 || !/^Result<\s*String\s*,\s*String\s*>$/.test(around?.returnType ?? '')) {
    return undefined;
  }
  const start = statement.start + ok[0].length;
  return { title: 'lint.fix.returnErr', isSafe: true, changes: [{ start, end: start + 'Ok'.length, text: 'Err' }] };
}
