import type { Fix } from '../../protocol/finding.ts';
import type { MendRequest } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { fixesOf, type Proposal } from './edits.ts';
import { type Of, writeToStderr } from './shared.ts';
import { letThrough } from './typescriptParts.ts';

/** Fixes for TypeScript and JavaScript of the rules other than FL001. */
export function typescriptMends(source: SourceText): (request: MendRequest) => readonly Fix[] {
  return (request) => {
    const proposal = proposalFor(request, source);
    return proposal === undefined ? [] : fixesOf([proposal], source);
  };
}

function proposalFor(request: MendRequest, source: SourceText): Proposal | undefined {
  switch (request.kind) {
    case 'stdout':
      return toStderr(request, source);
    case 'protocolError':
      return returnResult(request, source);
    case 'stackTrace':
      return messageOnly(request, source);
    case 'lostRaise':
      return rethrow(request, source);
    case 'exit':
      return throwInsteadOfExit(request, source);
    case 'flagName':
      return renameFlag(request, source);
    case 'bareText':
      return wrapText(request, source);
  }
}

const toStderr = (request: Of<'stdout'>, source: SourceText): Proposal | undefined =>
  writeToStderr(request, /^((?:globalThis\.)?console\.)(?:log|info|debug)\b/, '$1error', source) ??
  writeToStderr(request, /^process\.stdout(?=\.write\b)/, 'process.stderr', source);

/** A low-level handler returns what it may not throw. */
function returnResult({ statement, message, context }: Of<'protocolError'>, source: SourceText): Proposal | undefined {
  const caught = context.catchClause?.variable;
  const isRethrow = statement.kind === 'throw' && statement.value?.kind === 'name' && statement.value.name === caught;
  const text =
    message !== undefined
      ? source.slice(message)
      : isRethrow && caught !== undefined
        ? `${caught} instanceof Error ? ${caught}.message : String(${caught})`
        : undefined;
  if (text === undefined || statement.kind !== 'throw') {
    return undefined;
  }
  const end = source.text[statement.end - 1] === ';' ? ';' : '';
  const result = `return { isError: true, content: [{ type: 'text', text: ${text} }] }${end}`;
  return {
    title: 'lint.fix.returnErrorResult',
    isSafe: false,
    changes: [{ start: statement.start, end: statement.end, text: result }],
  };
}

function messageOnly({ trace }: Of<'stackTrace'>, source: SourceText): Proposal | undefined {
  return trace.kind !== 'member'
    ? undefined
    : {
        title: 'lint.fix.returnMessage',
        isSafe: false,
        changes: [{ start: trace.end - 'stack'.length, end: trace.end, text: 'message' }].filter(
          (change) => source.slice(change) === 'stack',
        ),
      };
}

/** Errors of a class of its own go on; a plain `Error` cannot be told from any other. */
function rethrow({ clause, className }: Of<'lostRaise'>, source: SourceText): Proposal | undefined {
  const changes = className === 'Error' ? undefined : letThrough(clause, className, source);
  return changes === undefined
    ? undefined
    : { title: 'lint.fix.letThrough', args: { error: className }, isSafe: false, changes };
}

const THROWS = /^ts-(?:mcpserver|fastmcp|mcp-framework|xmcp)/;

function throwInsteadOfExit({ sdk, call, statement, tool }: Of<'exit'>, source: SourceText): Proposal | undefined {
  const isWhole = statement.kind === 'expression' && statement.start === call.start;
  if (!isWhole) {
    return undefined;
  }
  const why = JSON.stringify(tool === '' ? 'The tool failed' : `${tool} failed`);
  const text = THROWS.test(sdk)
    ? `throw new Error(${why})`
    : sdk.startsWith('ts-lowlevel')
      ? `return { isError: true, content: [{ type: 'text', text: ${why} }] }`
      : undefined;
  const end = source.text[statement.end - 1] === ';' ? statement.end - 1 : statement.end;
  return text === undefined
    ? undefined
    : { title: 'lint.fix.raiseInsteadOfExit', isSafe: false, changes: [{ start: call.start, end, text }] };
}

function renameFlag({ flag, name }: Of<'flagName'>, source: SourceText): Proposal | undefined {
  const written = /^["']?(\w+)/.exec(source.slice(flag));
  if (written?.[1] === undefined) {
    return undefined;
  }
  const end = flag.start + written[0].length;
  return {
    title: 'lint.fix.renameFlag',
    args: { flag: name },
    isSafe: true,
    changes: [{ start: end - written[1].length, end, text: name }],
  };
}

function wrapText({ text }: Of<'bareText'>, source: SourceText): Proposal {
  const result = `{ content: [{ type: 'text', text: ${source.slice(text)} }] }`;
  // Braces after an arrow would be a body.
  const isBody = /=>\s*$/.test(source.text.slice(Math.max(0, text.start - 20), text.start));
  return {
    title: 'lint.fix.wrapText',
    isSafe: false,
    changes: [{ start: text.start, end: text.end, text: isBody ? `(${result})` : result }],
  };
}
