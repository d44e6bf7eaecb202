import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { fixesOf, type Proposal } from './edits.ts';
import { throwInstead, writeToStderr } from './shared.ts';

const WRITES = /^(?:\$stdout\.|STDOUT\.)?(?=(?:puts|print|printf|write)\b)/;

/** Fixes for Ruby: the flag of a response; in fast-mcp, whose tools give plain values, an exception. */
export function rubyFixes(_program: Program, source: SourceText): FixBuilder {
  return {
    mend: (request) =>
      request.kind === 'stdout' ? fixesOf([writeToStderr(request, WRITES, '$stderr.', source)], source) : [],
    returnedError(request): readonly Fix[] {
      return fixesOf([setFlag(request, source), raiseError(request, source)], source);
    },
  };
}

function setFlag({ evidence, exit }: ReturnedErrorFix, source: SourceText): Proposal | undefined {
  const { result } = evidence;
  if (result?.shape.kind !== 'result' || evidence.isConditional || exit.value.length !== 1) {
    return undefined;
  }
  const { flagEntry } = result.shape;
  const title = 'lint.fix.returnErrorResult';
  if (flagEntry !== undefined) {
    const name = /^(\w+):/.exec(source.slice(flagEntry))?.[1];
    const text = name === undefined ? 'true' : `${name}: true`;
    return { title, isSafe: true, changes: [{ start: flagEntry.start, end: flagEntry.end, text }] };
  }
  const slice = source.slice(result.span);
  if (!/Response\.new\s*\(/.test(slice) || !slice.endsWith(')')) {
    return undefined;
  }
  const close = result.span.end - 1;
  const body = slice.slice(0, -1).trimEnd();
  const at = result.span.start + body.length;
  // A closing bracket on a line of its own keeps it.
  const text = body.endsWith(',') ? ' error: true' : ', error: true';
  return { title, isSafe: true, changes: [{ start: Math.min(at, close), end: Math.min(at, close), text }] };
}

/** In the official SDK a raise becomes a protocol error without its message. */
function raiseError(request: ReturnedErrorFix, source: SourceText): Proposal | undefined {
  if (request.sdk !== 'ruby-fast-mcp') {
    return undefined;
  }
  const change = throwInstead(request, source, {
    toText: (slice) => (/\.(?:message|to_s)$/.test(slice) ? slice : `(${slice}).to_s`),
    toThrow: (message) => `raise ${message}`,
    own: 'StandardError',
  });
  return change === undefined ? undefined : { title: 'lint.fix.raiseException', isSafe: false, changes: [change] };
}
