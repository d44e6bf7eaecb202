import type { DeclaredType, Effect, LanguageFacts, TransportUse, TypeTest } from '../../facts.ts';
import { type Found, type ModuleIndex, pathOf, rootOf } from '../../flow/moduleIndex.ts';
import type { PlacedCall } from '../../flow/placedCalls.ts';
import { soleAssign } from '../../flow/program.ts';
import type { Call, Expression } from '../../ir.ts';
import { calledName, importOf } from '../discovery.ts';
import { constantText } from '../lowering.ts';

const CONSOLE =
  /^(?:globalThis\.)?console\.(?:log|info|debug|table|dir|dirxml|group|groupCollapsed|count|time|timeEnd|timeLog)$/;
const PROCESSES = /^(?:exec|execFile|execSync|execFileSync|spawnSync|fork)$/;
const AXIOS = /^(?:get|delete|head|options|post|put|patch|request)$/;
const WAITING = /^(?:axios|(?:node:)?child_process)$/;
const LIMITS = new Set(['timeout', 'signal', 'timeoutMs', 'dispatcher', 'cancelToken']);

const GLOBALS = new Set(['console', 'process', 'Deno', 'globalThis']);

function mayHaveEffect({ callee }: Call, index: ModuleIndex): boolean {
  const root = rootOf(callee);
  if (root === undefined) {
    return false;
  }
  if (WAITING.test(index.imports.get(root)?.module ?? '')) {
    return true;
  }
  return callee.kind === 'member'
    ? GLOBALS.has(root)
    : root === 'fetch' || soleAssign(index.root, root)?.kind === 'call';
}

function effectOf(placed: PlacedCall, index: ModuleIndex): Effect | undefined {
  const { call } = placed;
  const path = pathOf(call.callee);
  if (path === undefined) {
    return undefined;
  }
  if (CONSOLE.test(path) || (path === 'process.stdout.write' && !isEncoded(call.args[0]))) {
    return isReplaced(index) ? undefined : { kind: 'stdout' };
  }
  if (path === 'process.exit' || path === 'process.abort' || path === 'Deno.exit') {
    return { kind: 'exit' };
  }
  const on = waitOf(call, path, index);
  return on === undefined || isRaced(placed) ? undefined : { kind: 'wait', on };
}

/** A message written by a server that speaks JSON-RPC by itself. */
const isEncoded = (text: Expression | undefined): boolean =>
  text !== undefined &&
  ((text.kind === 'call' && pathOf(text.callee) === 'JSON.stringify') ||
    (text.kind === 'text' && text.parts.some((part) => typeof part !== 'string' && isEncoded(part))));

/** The file sends what is logged elsewhere: `console.log = console.error`. */
const isReplaced = ({ assigns }: ModuleIndex) =>
  assigns.some(
    ({ value: { target } }) => target.kind === 'member' && target.object === 'console' && target.key === 'log',
  );

/** What a call waits for without an end. */
function waitOf(call: Call, path: string, index: ModuleIndex): 'network' | 'process' | undefined {
  const name = path.split('.').at(-1) ?? '';
  const module = index.imports.get(path.split('.')[0] ?? '')?.module;
  if (path === 'fetch') {
    const isOther = module !== undefined && !/^(?:node-fetch|undici|cross-fetch)$/.test(module);
    return isOther || index.root.functions.has('fetch') || !isUnlimited(call.args[1]) ? undefined : 'network';
  }
  if (module === 'axios') {
    const isDefault = index.assigns.some(
      ({ value }) => value.target.kind === 'member' && value.target.key === 'timeout',
    );
    const options = /^(?:post|put|patch)$/.test(name)
      ? call.args[2]
      : name === 'request' || path === name
        ? undefined
        : call.args[1];
    const config = options ?? (name === 'request' || path === name ? call.args.at(-1) : undefined);
    return (AXIOS.test(name) || path === name) && !isDefault && isUnlimited(config) ? 'network' : undefined;
  }
  const promised = soleAssign(index.root, path);
  const run = promised?.kind === 'call' && calledName(promised) === 'promisify' ? promised.args[0] : undefined;
  const runs = run === undefined ? path : (pathOf(run) ?? '');
  const from = index.imports.get(runs.split('.')[0] ?? '');
  if (/^(?:node:)?child_process$/.test(from?.module ?? '') && PROCESSES.test(runs.split('.').at(-1) ?? '')) {
    const options = call.args.filter(({ kind }) => kind !== 'function' && kind !== 'text' && kind !== 'list').at(-1);
    const isCommand = options === call.args[0];
    return isUnlimited(isCommand ? undefined : options) ? 'process' : undefined;
  }
  return undefined;
}

/** Options that are absent, or written out and limit nothing. Options from elsewhere may. */
function isUnlimited(options: Expression | undefined): boolean {
  return (
    options === undefined ||
    (options.kind === 'object' &&
      options.spreads.length === 0 &&
      !options.entries.some(({ key }) => key === undefined || LIMITS.has(key)))
  );
}

/** Something around the call gives up: a race, or a helper named after timeouts. */
const isRaced = ({ within }: PlacedCall) =>
  within.some(({ callee }) => /(?:^|\.)race$|timeout|abort|deadline/i.test(pathOf(callee) ?? ''));

function startOf(found: Found<Call>, index: ModuleIndex): TransportUse | undefined {
  const call = found.value;
  const name = calledName(call);
  switch (name) {
    case 'StdioServerTransport':
    case 'serveStdio':
      return 'stdio';
    case 'StreamableHTTPServerTransport':
    case 'NodeStreamableHTTPServerTransport':
    case 'WebStandardStreamableHTTPServerTransport':
    case 'SSEServerTransport':
    case 'createMcpHandler':
    case 'listen':
      return 'http';
    case 'start': {
      const server = call.callee.kind === 'member' ? importOf(call.callee.object, found, index) : undefined;
      if (server?.module === 'mcp-framework') {
        return 'both';
      }
      if (server?.module !== 'fastmcp') {
        return undefined;
      }
      const options = call.args[0];
      const kind = options?.kind === 'object' ? options.entries.find(({ key }) => key === 'transportType') : undefined;
      const text = kind === undefined ? undefined : constantText(kind.value);
      return kind === undefined
        ? options === undefined
          ? 'stdio'
          : 'both'
        : text === 'stdio'
          ? 'stdio'
          : text === undefined
            ? 'both'
            : 'http';
    }
    default:
      return undefined;
  }
}

const TYPEOF: Readonly<Record<string, DeclaredType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  undefined: 'null',
};

function typeTestOf(expression: Expression): TypeTest | undefined {
  if (expression.kind === 'call' && expression.args[0] !== undefined) {
    const path = pathOf(expression.callee);
    const type: DeclaredType | undefined =
      path === 'Array.isArray' ? 'array' : path === 'Number.isInteger' ? 'integer' : undefined;
    return type === undefined ? undefined : { subject: expression.args[0], types: [type], isNegated: false };
  }
  if (expression.kind !== 'compare' || expression.parts.length !== 2) {
    return undefined;
  }
  const [left, right] = expression.parts;
  const isNegated = expression.operator.startsWith('!');
  if (left === undefined || right === undefined || !/^[!=]==?$/.test(expression.operator)) {
    return undefined;
  }
  if (right.kind === 'constant' && right.value === null) {
    return { subject: left, types: ['null'], isNegated };
  }
  const text = constantText(right);
  const subject = left.kind === 'other' && left.operator === 'typeof' ? left.parts[0] : undefined;
  const type = text !== undefined && Object.hasOwn(TYPEOF, text) ? TYPEOF[text] : undefined;
  return subject === undefined || type === undefined ? undefined : { subject, types: [type], isNegated };
}

function isRawBody(expression: Expression): boolean {
  const { kind } = expression;
  const target = kind === 'call' && expression.args.length === 0 ? expression.callee : expression;
  return (
    target.kind === 'member' &&
    (kind === 'call' ? target.name === 'text' : /^(?:data|body|responseText)$/.test(target.name)) &&
    /(?:^|\.)(?:response|resp|res)$/i.test(pathOf(target.object) ?? '')
  );
}

/** What the rules ask about TypeScript and JavaScript. */
export const typescriptFacts: LanguageFacts = {
  mayHaveEffect,
  effectOf,
  startOf,
  typeTestOf,
  traceWords: /\bstack\b/,
  isStackTrace: (expression) => expression.kind === 'member' && expression.name === 'stack',
  // `text: …` and `"text",` are parts of every result.
  bodyWords: /\btext\b(?!["'`]?\s*[:,}])|\b(?:data|body|responseText)\b/,
  isRawBody,
  isAbsence: (className) => /NotFound|NoSuch/.test(className),
};
