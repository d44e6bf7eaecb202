import type { ImportIr, Span } from '../ir.ts';
import type { Alternative, Handler, HandlerModel, ObjectEntry, SdkFamily, ValuedExit } from '../model.ts';
import { isProtocolError, isTool, reportOf, thrownOf } from './common.ts';
import type { Report, Rule, RuleContext } from './rule.ts';

const messages = {
  import: 'lint.wrongSdkError.import',
  foreign: 'lint.wrongSdkError.foreign',
  protocol: 'lint.wrongSdkError.protocol',
  bareText: 'lint.wrongSdkError.bareText',
  flagName: 'lint.wrongSdkError.flagName',
  flagInData: 'lint.wrongSdkError.flagInData',
} as const;

/** FL012: an error in the manner of another SDK, or of another generation of this one (docs/rules/FL012.md). */
export const wrongSdkError: Rule = {
  meta: { code: 'FL012', name: 'wrong-sdk-error', severity: 'warning' },
  messages,
  check(context) {
    const tools = context.model.handlers.filter((handler) => isTool(handler) && handler.certainty === 'registered');
    return [...wrongImports(context), ...tools.flatMap((handler) => checkHandler(handler, context))];
  },
};

// -- imports ----------------------------------------------------------------------------------------------------------

interface Move {
  /** A file of the SDK's newer generation has one of these. */
  readonly beside: (entry: ImportIr) => boolean;
  readonly wrong: (entry: ImportIr) => boolean;
  readonly instead: (entry: ImportIr) => string;
}

const MOVES: readonly Move[] = [
  {
    beside: ({ module, name }) =>
      module.startsWith('mcp.server.mcpserver') || (module === 'mcp.server' && name === 'MCPServer'),
    wrong: ({ module, name }) =>
      module.startsWith('mcp.server.fastmcp') || (/^mcp(?:\.|$)/.test(module) && name === 'McpError'),
    instead: ({ name }) => (name === 'McpError' ? 'MCPError' : 'mcp.server.mcpserver'),
  },
  {
    beside: ({ module, name }) => module.startsWith('@modelcontextprotocol/server') && /Server$/.test(name),
    wrong: ({ module, name }) =>
      /^@modelcontextprotocol\/(?:server|core)\b/.test(module) && (name === 'McpError' || name === 'ErrorCode'),
    instead: ({ name }) => (name === 'McpError' ? 'ProtocolError' : 'ProtocolErrorCode'),
  },
];

/** Where each SDK for Python keeps `ToolError`; another's is an error like any other to it. */
const TOOL_ERRORS: Readonly<Partial<Record<SdkFamily, string>>> = {
  'py-fastmcp-v1': 'mcp.server.fastmcp.exceptions',
  'py-fastmcp-standalone': 'fastmcp.exceptions',
  'py-mcpserver-v2': 'mcp.server.mcpserver.exceptions',
};

function wrongImports(context: RuleContext): readonly Report[] {
  const { imports, handlers } = context.model;
  const moved = MOVES.filter(({ beside }) => imports.some(beside)).flatMap(({ wrong, instead }) =>
    imports
      .filter(wrong)
      .map((entry) => ofImport(entry, messages.import, { name: nameOf(entry), instead: instead(entry) }, context)),
  );
  return moved.length > 0 ? moved : foreignToolErrors(context.model, handlers, context);
}

function foreignToolErrors({ imports }: HandlerModel, handlers: readonly Handler[], context: RuleContext) {
  const families = new Set(handlers.filter(isTool).map(({ sdk }) => sdk));
  const [only] = families;
  const own = families.size === 1 && only !== undefined ? TOOL_ERRORS[only] : undefined;
  return own === undefined
    ? []
    : imports
        .filter(
          ({ name, module }) => name === 'ToolError' && module !== own && Object.values(TOOL_ERRORS).includes(module),
        )
        .map((entry) =>
          ofImport(entry, messages.foreign, { name: `${entry.module}.ToolError`, instead: own }, context),
        );
}

const nameOf = ({ module, name }: ImportIr) =>
  name === '*' || /^[a-z]/.test(name) || name === 'FastMCP' ? module : name;

function ofImport(entry: ImportIr, message: string, args: Report['args'], context: RuleContext): Report {
  return reportOf({ span: entry, message, confidence: 'high', handlers: [], args }, context);
}

// -- handlers ---------------------------------------------------------------------------------------------------------

function checkHandler(handler: Handler, context: RuleContext): readonly Report[] {
  // What is said of one throw holds for all of the handler.
  const thrown = handler.exits.map((exit) => checkThrow(exit, handler, context)).find((reports) => reports.length > 0);
  return [...(thrown ?? []), ...handler.exits.flatMap((exit) => checkReturn(exit, handler, context))];
}

/** SDKs in which a protocol error thrown by a tool becomes a tool result like any other error. */
const FLATTENS: ReadonlySet<SdkFamily> = new Set([
  'py-fastmcp-v1',
  'py-fastmcp-standalone',
  'ts-mcpserver-v1',
  'ts-mcpserver-v2',
]);

function checkThrow({ exit }: ValuedExit, handler: Handler, context: RuleContext): readonly Report[] {
  const thrown = exit.kind === 'throw' ? thrownOf(exit.value) : undefined;
  const isFlattened =
    thrown !== undefined && isProtocolError(thrown.className, context.model.imports) && FLATTENS.has(handler.sdk);
  return isFlattened && exit.site !== undefined && exit.site.context.tries.length === 0
    ? [
        reportOf(
          {
            span: exit.site.statement,
            message: messages.protocol,
            confidence: 'medium',
            handlers: [handler],
            args: { error: thrown.className },
          },
          context,
        ),
      ]
    : [];
}

function checkReturn({ exit, value }: ValuedExit, handler: Handler, context: RuleContext): readonly Report[] {
  const statement = exit.site?.statement;
  if (exit.kind === 'throw' || statement === undefined || value.length === 0) {
    return [];
  }
  const isHighLevelTs = handler.sdk === 'ts-mcpserver-v1' || handler.sdk === 'ts-mcpserver-v2';
  if (isHighLevelTs && handler.registration !== undefined && value.every(({ shape }) => shape.kind === 'text')) {
    const text = exit.value;
    const fixes = () => (text === undefined ? [] : (context.fixes.mend?.({ kind: 'bareText', text }) ?? []));
    const span = statement;
    return [reportOf({ span, message: messages.bareText, confidence: 'high', handlers: [handler], fixes }, context)];
  }
  return value.flatMap((alternative) => checkFlag(alternative, handler, context));
}

function checkFlag({ shape, span }: Alternative, handler: Handler, context: RuleContext): readonly Report[] {
  const flag = shape.kind === 'result' ? shape.flagEntry : flagOf(shape);
  if (flag === undefined || span.start > flag.start || span.end < flag.end) {
    return [];
  }
  if (handler.sdk.startsWith('py-') && (shape.kind !== 'result' || !shape.isCall)) {
    return isTrue(shape) ? [ofFlag(flag, messages.flagInData, handler, context)] : [];
  }
  const written = /^["']?(is_?error)\b/i.exec(context.source.slice(flag))?.[1];
  const name = flagNameOf(handler.sdk);
  return written === undefined || name === undefined || written === name
    ? []
    : [ofFlag(flag, messages.flagName, handler, context, name)];
}

/** What the SDK reads; undefined where it takes both, or where the class itself refuses the other. */
function flagNameOf(sdk: SdkFamily): string | undefined {
  return sdk.startsWith('ts-') || sdk === 'py-fastmcp-v1' || sdk === 'py-lowlevel-v1' ? 'isError' : undefined;
}

/** The length is asked first: most keys of a file are read here. */
const isFlagEntry = ({ key }: ObjectEntry) => (key.length === 7 || key.length === 8) && /^is_?error$/i.test(key);

function flagOf(shape: Alternative['shape']): Span | undefined {
  return shape.kind === 'object' ? shape.entries.find(isFlagEntry) : undefined;
}

function isTrue(shape: Alternative['shape']): boolean {
  if (shape.kind === 'result') {
    return shape.flag === 'true';
  }
  const entry = shape.kind === 'object' ? shape.entries.find(isFlagEntry) : undefined;
  return entry?.value.some((it) => it.shape.kind === 'constant' && it.shape.value === true) === true;
}

function ofFlag(flag: Span, message: string, handler: Handler, context: RuleContext, name?: string): Report {
  const fixes = () => (name === undefined ? [] : (context.fixes.mend?.({ kind: 'flagName', flag, name }) ?? []));
  const args = { flag: context.source.slice(flag).split(/[:=]/)[0]?.trim() ?? '', instead: name ?? '' };
  return reportOf({ span: flag, message, confidence: 'high', handlers: [handler], args, fixes }, context);
}
