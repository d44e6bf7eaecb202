import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { FixBuilder, ReturnedErrorFix } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, fixesOf } from './edits.ts';
import { setFlagInLiteral, throwInstead, writeToStderr } from './shared.ts';

/** Fixes for C#: the flag of a result, or an exception whose message reaches the model: of all only McpException's does. */
export function csharpFixes(program: Program, source: SourceText): FixBuilder {
  return {
    mend: (request) =>
      request.kind === 'stdout'
        ? fixesOf([writeToStderr(request, /^((?:System\.)?Console\.)(?:Out\.)?(?=Write)/, '$1Error.', source)], source)
        : [],
    returnedError(request): readonly Fix[] {
      return fixesOf(
        [
          setFlagInLiteral(request, /^new\s+(?:\w+\.)*CallToolRe(?:sult|sponse)\b/, 'IsError = true', source),
          throwMcpException(request, program, source),
        ],
        source,
      );
    },
  };
}

function throwMcpException(request: ReturnedErrorFix, program: Program, source: SourceText) {
  const text = throwInstead(request, source, {
    toText: (slice) => (/\.Message$/.test(slice) ? slice : `$"{${slice}}"`),
    toThrow: (message) => `throw new McpException(${message})`,
    own: 'McpException',
  });
  const change = text === undefined ? undefined : importOfException(program, source);
  return text === undefined || change === undefined
    ? undefined
    : { title: 'lint.fix.throwMcpException', isSafe: false, changes: [text, ...change] };
}

/** The exception lives in the root namespace of the SDK. */
function importOfException(program: Program, source: SourceText): Change[] | undefined {
  const { imports } = program.main.ir;
  if (imports.some(({ module }) => module === 'ModelContextProtocol')) {
    return [];
  }
  const at = imports.find(({ module }) => module.startsWith('ModelContextProtocol')) ?? imports[0];
  const line = 'using ModelContextProtocol;';
  return [
    at === undefined
      ? { start: 0, end: 0, text: `${line}${source.lineBreak}` }
      : { start: at.start, end: at.start, text: `${line}${source.lineBreak}` },
  ];
}
