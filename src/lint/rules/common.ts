import type { TextArgs } from '../../base/text.ts';
import type { Confidence, Fix } from '../../protocol/finding.ts';
import { type FunctionFlow, reaching, type Site } from '../flow/functionFlow.ts';
import { partsOf } from '../flow/moduleIndex.ts';
import type { Expression, ImportIr, Span, Statement } from '../ir.ts';
import { type Handler, HOLE, type SdkFamily } from '../model.ts';
import type { Report, RuleContext } from './rule.ts';

/** What a rule says of one place. */
export interface Finding {
  readonly span: Span;
  readonly message: string;
  readonly confidence: Confidence;
  readonly handlers: readonly Handler[];
  readonly args?: TextArgs;
  readonly fixes?: () => readonly Fix[];
}

/** A report with the names of the tools that it is about. */
export function reportOf(finding: Finding, { source }: RuleContext): Report {
  const { span, message, confidence, handlers, args, fixes } = finding;
  const tools = toolsOf(handlers);
  return {
    confidence,
    span,
    range: source.range(span.start, span.end),
    message,
    args: { tool: tools.length === 0 ? 'tools/call' : tools.join(', '), ...args },
    tools,
    sdk: sdkOf(handlers),
    fixes: fixes ?? (() => []),
  };
}

const MAX_TOOLS = 5;

function toolsOf(handlers: readonly Handler[]): readonly string[] {
  return [...new Set(handlers.flatMap(({ name }) => (name === undefined ? [] : [name])))].slice(0, MAX_TOOLS);
}

export const sdkOf = (handlers: readonly Handler[]): SdkFamily => handlers[0]?.sdk ?? 'unknown';

export const isTool = ({ kind }: Handler) => kind === 'tool';

/** Assignments that are looked into for one expression; a bound against hostile files. */
const MAX_ASSIGNMENTS = 100;

/**
 * The first expression in `expression` that `wanted` accepts, also in the variables that it names, as far as this
 * function assigns them. `skip` leaves a part out.
 */
export function findIn(
  expression: Expression,
  site: Site,
  flow: FunctionFlow,
  wanted: (expression: Expression) => boolean,
  skip: (expression: Expression) => boolean = () => false,
  depth = 6,
  seen: Set<Statement> = new Set(),
): Expression | undefined {
  if (depth < 0 || seen.size > MAX_ASSIGNMENTS || skip(expression)) {
    return undefined;
  }
  if (wanted(expression)) {
    return expression;
  }
  if (expression.kind === 'name') {
    for (const definition of depth < 2 ? [] : reaching(expression.name, site, flow.sites)) {
      if (definition.kind !== 'assign' || definition.value === undefined || seen.has(definition.site.statement)) {
        continue;
      }
      seen.add(definition.site.statement);
      const found = findIn(definition.value, definition.site, flow, wanted, skip, depth - 2, seen);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }
  for (const part of partsOf(expression)) {
    const found = findIn(part, site, flow, wanted, skip, depth - (expression.kind === 'text' ? 0 : 1), seen);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** What is thrown. */
export interface Thrown {
  readonly className: string;
  /** The name of its code, of a JSON-RPC error. */
  readonly code: string | undefined;
  /** The text that it says; undefined when it says nothing, or something that is not written here. */
  readonly message: Expression | undefined;
}

const PROTOCOL_ERROR = /^(?:McpError|MCPError|ProtocolError|McpProtocolException|JsonRpcError|JSONRPCError)$/;

/** Whether a class is an SDK's JSON-RPC error, and not one of the same name that the server made itself. */
export function isProtocolError(className: string, imports: readonly ImportIr[]): boolean {
  const entry = imports.find(({ local }) => local === className);
  // `ToolError as MCPError` is what it was called before.
  const name = entry === undefined || entry.name === '*' || entry.name === 'default' ? className : entry.name;
  return (
    PROTOCOL_ERROR.test(name) &&
    (entry === undefined || /^(?:@modelcontextprotocol\/|mcp(?:\.|$)|fastmcp|rmcp)/.test(entry.module))
  );
}

/** The error that a throw makes; undefined when it throws what it caught. */
export function thrownOf(value: Expression | undefined): Thrown | undefined {
  if (value?.kind === 'name' || value?.kind === 'member') {
    // `raise ValueError` without a call: a class, by its capital.
    return /^[A-Z]/.test(value.name) ? { className: value.name, code: undefined, message: undefined } : undefined;
  }
  if (value?.kind === 'text') {
    return { className: 'Error', code: undefined, message: value };
  }
  if (value?.kind !== 'call' || (value.callee.kind !== 'name' && value.callee.kind !== 'member')) {
    return undefined;
  }
  const className = value.callee.name;
  const isProtocol = PROTOCOL_ERROR.test(className);
  // McpError(ErrorData(code=…, message=…)) in Python's first generation.
  const data = isProtocol && value.args[0]?.kind === 'call' ? value.args[0] : value;
  const named = (key: string) => data.named.find((entry) => entry.key === key)?.value;
  const code = isProtocol ? (named('code') ?? data.args[0]) : undefined;
  return {
    className,
    code: code?.kind === 'name' || code?.kind === 'member' ? code.name : undefined,
    message: named('message') ?? (isProtocol ? data.args[1] : value.args[0]),
  };
}

/** A text with holes where it is not constant; empty for anything else. */
export function wordsOf(expression: Expression | undefined): string {
  return expression?.kind === 'text'
    ? expression.parts.map((part) => (typeof part === 'string' ? part : HOLE)).join('')
    : '';
}

/** The names in an expression, and in the variables that it is made of. */
export function namesIn(
  expression: Expression,
  site: Site,
  sites: ReadonlyMap<Statement, Site>,
  depth: number,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  if (depth < 0) {
    return found;
  }
  if (expression.kind === 'name') {
    if (found.has(expression.name)) {
      return found;
    }
    found.add(expression.name);
    for (const definition of reaching(expression.name, site, sites)) {
      if (definition.kind === 'assign' && definition.value !== undefined) {
        namesIn(definition.value, definition.site, sites, depth - 1, found);
      }
    }
  }
  for (const part of partsOf(expression)) {
    namesIn(part, site, sites, depth, found);
  }
  return found;
}
