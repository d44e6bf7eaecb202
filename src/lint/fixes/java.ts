import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, fixesOf, type Proposal } from './edits.ts';
import { setFlag, throwInstead, writeToStderr } from './shared.ts';

/** Fixes for Java: the flag of a result; an exception where the framework makes an error result of it. */
export function javaFixes(program: Program, source: SourceText): FixBuilder {
  return {
    mend: (request) =>
      request.kind === 'stdout'
        ? fixesOf([writeToStderr(request, /^System\.out\b/, 'System.err', source)], source)
        : [],
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
  if (flag !== undefined) {
    return { start: flag.start, end: flag.end, text: 'true' };
  }
  const slice = source.slice(span);
  const success = /^(?:\w+\.)*ToolResponse\.(?=success\()/.exec(slice);
  if (success !== null) {
    const start = span.start + success[0].length;
    return { start, end: start + 'success'.length, text: 'error' };
  }
  if (/^new\s+(?:\w+\.)*CallToolResult\s*\(/.test(slice)) {
    return { start: span.end - 1, end: span.end - 1, text: ', true' };
  }
  const build = slice.lastIndexOf('.build(');
  return build < 0 ? undefined : { start: span.start + build, end: span.start + build, text: '.isError(true)' };
}

/** In the plain SDK an exception becomes a protocol error, which the model never sees. */
function throwException(request: ReturnedErrorFix, program: Program, source: SourceText): Proposal | undefined {
  const statement = request.exit.exit.site?.statement;
  const isLambda = statement?.kind === 'return' && statement.isImplicit && source.text[statement.end - 1] !== ';';
  if (request.sdk === 'java-sdk' || request.sdk === 'unknown' || isLambda) {
    return undefined;
  }
  return throwInFramework(request, program, source, {
    toText: (slice) => (/\.get(?:Localized)?Message\(\)$/.test(slice) ? slice : `String.valueOf(${slice})`),
    toThrow: (created) => `throw new ${created}`,
    closing: ';',
  });
}

/** How a language of the JVM writes a throw. */
export interface ThrowSyntax {
  /** Makes text of an expression that is none. */
  toText(slice: string): string;
  /** `created`: the exception as it is called, without a keyword before it. */
  toThrow(created: string): string;
  /** What an import ends in. */
  readonly closing: string;
}

/** Throws what the framework makes an error result of: its own exception in Quarkus, any in Spring. */
export function throwInFramework(
  request: ReturnedErrorFix,
  program: Program,
  source: SourceText,
  { toText, toThrow, closing }: ThrowSyntax,
): Proposal | undefined {
  const isQuarkus = request.sdk === 'java-quarkus';
  const own = isQuarkus ? 'ToolCallException' : 'RuntimeException';
  const change = throwInstead(request, source, { toText, toThrow: (message) => toThrow(`${own}(${message})`), own });
  return change === undefined
    ? undefined
    : {
        title: isQuarkus ? 'lint.fix.throwToolCallException' : 'lint.fix.throwException',
        isSafe: false,
        changes: [change, ...(isQuarkus ? importOfException(program, source, closing) : [])],
      };
}

function importOfException(program: Program, source: SourceText, closing: string): Change[] {
  const { imports } = program.main.ir;
  const own = imports.find(({ module }) => module === 'io.quarkiverse.mcp.server');
  if (own === undefined || imports.some(({ name }) => name === 'ToolCallException')) {
    return [];
  }
  const text = `import io.quarkiverse.mcp.server.ToolCallException${closing}${source.lineBreak}`;
  return [{ start: own.start, end: own.start, text }];
}
