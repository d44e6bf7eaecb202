import type { Program } from '../flow/program.ts';
import type { CatchClause } from '../ir.ts';
import type { SdkFamily } from '../model.ts';
import type { SourceText } from '../syntax.ts';
import type { Change } from './edits.ts';

/** Where each SDK keeps the exception whose text reaches the model (lint.md, table of fixes). */
const TOOL_ERROR_MODULES: Partial<Record<SdkFamily, string>> = {
  'py-mcpserver-v2': 'mcp.server.mcpserver.exceptions',
  'py-fastmcp-v1': 'mcp.server.fastmcp.exceptions',
  'py-fastmcp-standalone': 'fastmcp.exceptions',
};

export interface Raised {
  readonly name: string;
  readonly imports: readonly Change[];
  /** Whether it is caught by its own name without touching other errors. */
  readonly isOwn: boolean;
  readonly title: string;
}

/** The exception to raise, with the import that it needs. */
export function raisedBy(sdk: SdkFamily, program: Program, source: SourceText): Raised | undefined {
  const module = TOOL_ERROR_MODULES[sdk];
  if (module === undefined) {
    return { name: 'ValueError', imports: [], isOwn: false, title: 'lint.fix.raiseError' };
  }
  const { imports } = program.main.ir;
  const known = imports.find(({ name }) => name === 'ToolError');
  if (known !== undefined) {
    return { name: known.local, imports: [], isOwn: true, title: 'lint.fix.raiseToolError' };
  }
  const at = importPlace(program, source);
  const line = `from ${module} import ToolError`;
  return {
    name: 'ToolError',
    imports: [
      at === undefined
        ? { start: 0, end: 0, text: `${line}${source.lineBreak}` }
        : { start: at, end: at, text: `${source.lineBreak}${line}` },
    ],
    isOwn: true,
    title: 'lint.fix.raiseToolError',
  };
}

/** The end of the SDK's own import at the top level, or of the first other one. */
export function importPlace(program: Program, source: SourceText): number | undefined {
  const top = program.main.ir.imports.filter(({ start }) => source.lineStart(source.lineAt(start)) === start);
  const own = top.find(({ module }) => /^(?:mcp|fastmcp)(?:\.|$)/.test(module));
  return (own ?? top.find(({ module }) => module !== '__future__'))?.end;
}

/**
 * What lets the new error out of the try statements around it: `except ToolError: raise` before the first broad except.
 * Undefined when that would let other errors out as well.
 */
export function reraises(
  tries: readonly { catches: readonly CatchClause[] }[],
  raised: Raised,
  source: SourceText,
): Change[] | undefined {
  const changes: Change[] = [];
  for (const { catches } of tries) {
    const broad = catches.findIndex(
      ({ types }) => types.length === 0 || types.some((type) => /^(?:Base)?Exception$/.test(type)),
    );
    const clause = catches[broad];
    const catchesOwn = catches.some(({ types }) => types.includes(raised.name));
    if (!raised.isOwn && (clause !== undefined || catchesOwn)) {
      return undefined;
    }
    if (clause !== undefined && !catches.slice(0, broad).some(({ types }) => types.includes(raised.name))) {
      const indent = source.indentAt(clause.start);
      const newline = source.lineBreak;
      const text = `except ${raised.name}:${newline}${indent}    raise${newline}${indent}`;
      changes.push({ start: clause.start, end: clause.start, text });
    }
  }
  return changes;
}

/** `CallToolResult` in the way that the file names `TextContent`. */
export function resultClass(
  program: Program,
  source: SourceText,
): { name: string; imports: readonly Change[] } | undefined {
  const { imports } = program.main.ir;
  const known = imports.find(({ name }) => name === 'CallToolResult');
  if (known !== undefined) {
    return { name: known.local, imports: [] };
  }
  const types = imports.find(
    ({ module, name }) => (module === 'mcp' && name === 'types') || (module === 'mcp.types' && name === '*'),
  );
  if (types !== undefined) {
    return { name: types.local === 'mcp' ? 'mcp.types.CallToolResult' : `${types.local}.CallToolResult`, imports: [] };
  }
  const block = imports.find(({ module, name }) => module === 'mcp.types' && name !== '*');
  // Many a server imports its SDK in a try.
  const indent = block === undefined ? '' : source.indentAt(block.start);
  return block === undefined
    ? undefined
    : {
        name: 'CallToolResult',
        imports: [{ start: block.end, end: block.end, text: `\n${indent}from mcp.types import CallToolResult` }],
      };
}
