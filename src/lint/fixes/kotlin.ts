import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { Span } from '../ir.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, fixesOf, type Proposal } from './edits.ts';
import { throwInFramework } from './java.ts';
import { setFlag, writeToStderr } from './shared.ts';

/** Fixes for Kotlin: the flag of a result; an exception where the framework makes an error result of it. */
export function kotlinFixes(program: Program, source: SourceText): FixBuilder {
  return {
    mend: (request) =>
      request.kind === 'stdout'
        ? fixesOf([writeToStderr(request, /^(?:System\.out\.)?(?=print)/, 'System.err.', source)], source)
        : [],
    returnedError: (request): readonly Fix[] =>
      fixesOf([setFlag(request, source, flagChange), throwException(request, program, source)], source),
  };
}

function flagChange(span: Span, flag: Span | undefined, source: SourceText): Change | undefined {
  if (flag !== undefined) {
    return { start: flag.start, end: flag.end, text: 'true' };
  }
  const slice = source.slice(span);
  const success = /^(?:\w+\.)*(?:CallToolResult|ToolResponse)\.(?=success\()/.exec(slice);
  if (success !== null) {
    const start = span.start + success[0].length;
    return { start, end: start + 'success'.length, text: 'error' };
  }
  if (/^(?:\w+\.)*CallToolResult\s*\(/.test(slice) && slice.endsWith(')')) {
    return addedFlag(span, slice, source);
  }
  const build = slice.lastIndexOf('.build(');
  return build < 0 ? undefined : { start: span.start + build, end: span.start + build, text: '.isError(true)' };
}

/** Behind the last argument, on a line of its own where that has one. */
function addedFlag(span: Span, slice: string, source: SourceText): Change {
  const inside = slice.slice(0, -1).trimEnd();
  const at = span.start + inside.length;
  const isClosed = inside.endsWith(',');
  const open = slice.indexOf('(');
  const indent = /^[^\S\n]*\r?\n([^\S\n]*)\S/.exec(slice.slice(open + 1))?.[1];
  const blank = indent === undefined ? ' ' : `${source.lineBreak}${indent}`;
  return { start: at, end: at, text: isClosed ? `${blank}isError = true,` : `,${blank}isError = true` };
}

/** The SDKs of Kotlin and Java return results; frameworks with annotations make one of an exception. */
function throwException(request: ReturnedErrorFix, program: Program, source: SourceText): Proposal | undefined {
  if (request.sdk !== 'java-quarkus' && request.sdk !== 'java-spring') {
    return undefined;
  }
  return throwInFramework(request, program, source, {
    toText: (slice) => (/\.message$/.test(slice) ? slice : `(${slice}).toString()`),
    toThrow: (created) => `throw ${created}`,
    closing: '',
  });
}
