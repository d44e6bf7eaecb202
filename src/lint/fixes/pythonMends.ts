import type { Fix } from '../../protocol/finding.ts';
import type { Program } from '../flow/program.ts';
import type { CatchClause, Expression } from '../ir.ts';
import type { MendRequest } from '../rules/rule.ts';
import type { SourceText } from '../syntax.ts';
import { type Change, fixesOf, type Proposal, startsLine } from './edits.ts';
import { importPlace, raisedBy, reraises, resultClass } from './pythonParts.ts';

type Of<K extends MendRequest['kind']> = Extract<MendRequest, { kind: K }>;

/** Fixes for Python of the rules other than FL001. */
export function pythonMends(program: Program, source: SourceText): (request: MendRequest) => readonly Fix[] {
  return (request) => {
    const proposal = proposalFor(request, program, source);
    return proposal === undefined ? [] : fixesOf([proposal], source);
  };
}

function proposalFor(request: MendRequest, program: Program, source: SourceText): Proposal | undefined {
  switch (request.kind) {
    case 'stdout':
      return writeToStderr(request, program, source);
    case 'protocolError':
      return request.sdk === 'py-lowlevel-v2'
        ? returnResult(request, program, source)
        : raiseToolError(request, program, source);
    case 'stackTrace':
      return messageOnly(request, source);
    case 'lostRaise':
      return letThrough(request.clause, request.className, source);
    case 'exit':
      return raiseInsteadOfExit(request, program, source);
    case 'flagName':
      return renameFlag(request, source);
    case 'bareText':
      return undefined;
  }
}

/** `print(…)` takes the stream as an argument. */
function writeToStderr({ call, isSafe }: Of<'stdout'>, program: Program, source: SourceText): Proposal | undefined {
  const title = 'lint.fix.writeToStderr';
  const stream = [...call.args, ...call.named.map(({ value }) => value)].find(
    (argument) => source.slice(argument) === 'sys.stdout',
  );
  if (stream !== undefined) {
    return { title, isSafe, changes: [{ start: stream.start, end: stream.end, text: 'sys.stderr' }] };
  }
  const { callee } = call;
  const changes = importSys(program, source);
  if (callee.kind === 'member' && source.slice(callee) === 'sys.stdout.write') {
    return { title, isSafe, changes: [{ start: callee.start, end: callee.end, text: 'sys.stderr.write' }, ...changes] };
  }
  const name = callee.kind === 'name' || callee.kind === 'member' ? callee.name : undefined;
  if (name === undefined || call.named.some(({ key }) => key === 'file' || key === 'stream')) {
    return undefined;
  }
  const close = call.end - 1;
  const inside = source.text.slice(callee.end + 1, close);
  const isBroken = /,\s*$/.test(inside);
  const comma = inside.trim() === '' ? '' : isBroken ? ' ' : ', ';
  // After the last argument, before the white space that leads to the bracket.
  const at = callee.end + 1 + inside.trimEnd().length;
  const text = `${comma}${name === 'pprint' ? 'stream' : 'file'}=sys.stderr`;
  return { title, isSafe, changes: [{ start: at, end: at, text }, ...changes] };
}

function importSys(program: Program, source: SourceText): readonly Change[] {
  const { imports } = program.main.ir;
  if (imports.some(({ module, name }) => module === 'sys' && name === '*')) {
    return [];
  }
  const at = importPlace(program, source);
  return [
    at === undefined
      ? { start: 0, end: 0, text: `import sys${source.lineBreak}` }
      : { start: at, end: at, text: `${source.lineBreak}import sys` },
  ];
}

/** `raise MCPError(code=…, message=x)` becomes `raise ToolError(x)`. */
function raiseToolError(
  { sdk, statement, message, context }: Of<'protocolError'>,
  program: Program,
  source: SourceText,
): Proposal | undefined {
  const raised = raisedBy(sdk, program, source);
  const thrown = statement.kind === 'throw' ? statement.value : undefined;
  const guards = raised === undefined ? undefined : reraises(context.tries, raised, source);
  if (raised === undefined || thrown === undefined || message === undefined || guards === undefined) {
    return undefined;
  }
  const text = `${raised.name}(${source.slice(message)})`;
  return {
    title: raised.title,
    isSafe: false,
    changes: [{ start: thrown.start, end: thrown.end, text }, ...guards, ...raised.imports],
  };
}

/** What a low-level handler of the second generation may not raise, it returns. */
function returnResult(
  { statement, message }: Of<'protocolError'>,
  program: Program,
  source: SourceText,
): Proposal | undefined {
  const made = resultClass(program, source);
  const types = made?.name.replace(/CallToolResult$/, '');
  const block = program.main.ir.imports.find(({ name }) => name === 'TextContent')?.local;
  const content = block ?? (types === undefined || types === '' ? undefined : `${types}TextContent`);
  if (made === undefined || content === undefined || message === undefined || !startsLine(statement.start, source)) {
    return undefined;
  }
  const text = `return ${made.name}(content=[${content}(type="text", text=${source.slice(message)})], is_error=True)`;
  return {
    title: 'lint.fix.returnErrorResult',
    isSafe: false,
    changes: [{ start: statement.start, end: statement.end, text }, ...made.imports],
  };
}

/** `traceback.format_exc()` becomes `str(exc)`, and the except gets the name when it has none. */
function messageOnly({ trace, clause }: Of<'stackTrace'>, source: SourceText): Proposal | undefined {
  const named = clause === undefined ? undefined : nameOf(clause, source);
  if (clause === undefined || named === undefined || trace.start < clause.start || trace.end > clause.end) {
    return undefined;
  }
  const change = { start: trace.start, end: trace.end, text: `str(${named.name})` };
  return { title: 'lint.fix.returnMessage', isSafe: false, changes: [change, ...named.changes] };
}

function nameOf(
  { start, end, variable }: CatchClause,
  source: SourceText,
): { readonly name: string; readonly changes: readonly Change[] } | undefined {
  if (variable !== undefined) {
    return { name: variable, changes: [] };
  }
  const head = /^except\b([^:\n]*):/.exec(source.text.slice(start, Math.min(end, start + 200)));
  if (head === null) {
    return undefined;
  }
  const at = start + head[0].length - 1;
  const text = head[1]?.trim() === '' ? ' Exception as exc' : ' as exc';
  return { name: 'exc', changes: [{ start: at, end: at, text }] };
}

function letThrough(clause: CatchClause, className: string, source: SourceText): Proposal | undefined {
  if (!startsLine(clause.start, source)) {
    return undefined;
  }
  const indent = source.indentAt(clause.start);
  const newline = source.lineBreak;
  const text = `except ${className}:${newline}${indent}    raise${newline}${indent}`;
  return {
    title: 'lint.fix.letThrough',
    args: { error: className },
    isSafe: false,
    changes: [{ start: clause.start, end: clause.start, text }],
  };
}

/** `sys.exit("why")` becomes an error of the call. */
function raiseInsteadOfExit(
  { sdk, call, statement, context, tool }: Of<'exit'>,
  program: Program,
  source: SourceText,
): Proposal | undefined {
  const raised = sdk === 'py-lowlevel-v2' ? undefined : raisedBy(sdk, program, source);
  const guards = raised === undefined ? undefined : reraises(context.tries, raised, source);
  const isWhole = statement.start === call.start && statement.end === call.end;
  if (raised === undefined || guards === undefined || !isWhole || !startsLine(statement.start, source)) {
    return undefined;
  }
  const why = textIn(call.args[0], source) ?? JSON.stringify(tool === '' ? 'The tool failed' : `${tool} failed`);
  return {
    title: 'lint.fix.raiseInsteadOfExit',
    isSafe: false,
    changes: [{ start: call.start, end: call.end, text: `raise ${raised.name}(${why})` }, ...guards, ...raised.imports],
  };
}

const textIn = (argument: Expression | undefined, source: SourceText) =>
  argument?.kind === 'text' ? source.slice(argument) : undefined;

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
