import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { fixesOf, isWithin, type Proposal } from './edits.ts';
import { insertMember, replaceFlag } from './shared.ts';

/** Fixes for Go: the error constructor of mcp-go, or the flag of a literal; both change nothing but the flag. */
export function goFixes(_program: Program, source: SourceText): FixBuilder {
  return {
    returnedError(request): readonly Fix[] {
      return fixesOf([useErrorResult(request, source), returnError(request, source)], source);
    },
  };
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
  const values = /,\s*([^,]+),\s*nil\s*$/.exec(slice);
  if (values?.[1] === undefined || (evidence.result !== undefined && !isWithin(evidence.result.span, statement))) {
    return undefined;
  }
  const text = `return nil, ${values[1]}, ${caught}`;
  return {
    title: 'lint.fix.returnError',
    isSafe: false,
    changes: [{ start: statement.start, end: statement.end, text }],
  };
}
