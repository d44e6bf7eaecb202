import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, fixesOf, type Proposal } from './edits.ts';
import { setFlag, throwInstead } from './shared.ts';

/** Fixes for PHP: the error constructor or the flag of a result; an exception whose message reaches the model. */
export function phpFixes(program: Program, source: SourceText): FixBuilder {
  return {
    returnedError(request): readonly Fix[] {
      return fixesOf([setFlag(request, source, flagChange), throwException(request, program, source)], source);
    },
  };
}

function flagChange(
  span: { readonly start: number; readonly end: number },
  flag: { readonly start: number; readonly end: number } | undefined,
  source: SourceText,
): Change | undefined {
  const slice = source.slice(span);
  if (flag !== undefined) {
    const isNamed = /^isError\s*:/.test(source.slice(flag));
    return { start: flag.start, end: flag.end, text: isNamed ? 'isError: true' : 'true' };
  }
  const made = /^\\?(?:\w+\\)*(?:Response|ToolResult|CallToolResult)::(text|success)(?=\()/.exec(slice);
  if (made?.[1] !== undefined) {
    const end = span.start + made[0].length;
    return { start: end - made[1].length, end, text: 'error' };
  }
  const isTrailing = /,\s*\)$/.test(slice);
  return /^(?:new\s+\\?(?:\w+\\)*CallToolResult\s*\(|\\?(?:\w+\\)*CallToolResult::make\()/.test(slice)
    ? { start: span.end - 1, end: span.end - 1, text: `${isTrailing ? ' ' : ', '}isError: true` }
    : undefined;
}

/** The official SDK hides the message of any exception but its own; the other one passes every message on. */
function throwException(request: ReturnedErrorFix, program: Program, source: SourceText): Proposal | undefined {
  if (request.sdk !== 'php-official' && request.sdk !== 'php-mcp') {
    return undefined;
  }
  const isOfficial = request.sdk === 'php-official';
  const known = program.main.ir.imports.find(({ name }) => name === 'ToolCallException');
  const name = isOfficial ? (known?.local ?? '\\Mcp\\Exception\\ToolCallException') : '\\RuntimeException';
  const change = throwInstead(request, source, {
    toText: (slice) => (/->getMessage\(\)$/.test(slice) ? slice : `(string) ${slice}`),
    toThrow: (message) => `throw new ${name}(${message})`,
    own: isOfficial ? 'ToolCallException' : 'RuntimeException',
  });
  return change === undefined
    ? undefined
    : {
        title: isOfficial ? 'lint.fix.throwToolCallException' : 'lint.fix.throwException',
        isSafe: false,
        changes: [change],
      };
}
