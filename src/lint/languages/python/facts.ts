import type { DeclaredType, Effect, LanguageFacts, TransportUse, TypeTest } from '../../facts.ts';
import { type Found, type ModuleIndex, pathOf } from '../../flow/moduleIndex.ts';
import type { PlacedCall } from '../../flow/placedCalls.ts';
import type { Call, Entry, Expression } from '../../ir.ts';
import { importOf } from '../discovery.ts';
import { constantText } from '../lowering.ts';

const namedEntry = (call: Call, key: string): Entry | undefined => call.named.find((entry) => entry.key === key);
const hasSplat = (call: Call) => call.named.some(({ key }) => key === undefined);
const isNone = (expression: Expression | undefined) => expression?.kind === 'constant' && expression.value === null;

const EXITS = new Set(['sys.exit', 'os._exit', 'os.abort', 'exit', 'quit']);
const REQUESTS = /^(?:get|post|put|patch|delete|head|options|request)$/;
const PROCESSES = /^(?:run|call|check_call|check_output|getoutput|getstatusoutput)$/;
const NAMES =
  /^(?:print|pprint|write|basicConfig|StreamHandler|exit|_exit|abort|quit|get|post|put|patch|delete|head|options|request|urlopen|run|call|check_call|check_output|getoutput|getstatusoutput|communicate|Client|AsyncClient)$/;

/** Of these names only the functions of modules that wait do anything; many a dictionary has a `get`. */
const WAITS =
  /^(?:get|post|put|patch|delete|head|options|request|urlopen|run|call|check_call|check_output|getoutput|getstatusoutput|Client|AsyncClient)$/;
const WAITING = /^(?:requests$|httpx$|subprocess$|urllib)/;

function mayHaveEffect({ callee }: Call, index: ModuleIndex): boolean {
  if ((callee.kind !== 'name' && callee.kind !== 'member') || !NAMES.test(callee.name)) {
    return false;
  }
  return !WAITS.test(callee.name) || WAITING.test(moduleOf(pathOf(callee) ?? '', index) ?? '');
}

function effectOf({ call, within, site }: PlacedCall, index: ModuleIndex): Effect | undefined {
  const path = pathOf(call.callee);
  const name = call.callee.kind === 'member' ? call.callee.name : path;
  if (path === undefined || name === undefined || !NAMES.test(name)) {
    return name === 'communicate' ? waitsForProcess(call, within, site.context.isInLoop) : undefined;
  }
  if (writesStdout(call, path)) {
    return isReplaced(index) ? undefined : { kind: 'stdout' };
  }
  const module = moduleOf(path, index);
  if (EXITS.has(path) || (module === 'sys' && name === 'exit')) {
    return { kind: 'exit' };
  }
  if (name === 'communicate') {
    return waitsForProcess(call, within, false);
  }
  const timeout = namedEntry(call, 'timeout');
  const isUnlimited = (timeout === undefined && !hasSplat(call)) || isNone(timeout?.value);
  if (module === 'requests' && REQUESTS.test(name)) {
    return isUnlimited ? { kind: 'wait', on: 'network' } : undefined;
  }
  if (module === 'httpx' && (REQUESTS.test(name) || /Client$/.test(name))) {
    // httpx gives up after five seconds unless told otherwise.
    return isNone(timeout?.value) ? { kind: 'wait', on: 'network' } : undefined;
  }
  if (name === 'urlopen' && module?.startsWith('urllib') === true) {
    return isUnlimited && call.args.length < 3 ? { kind: 'wait', on: 'network' } : undefined;
  }
  if (module === 'subprocess' && PROCESSES.test(name)) {
    return isUnlimited ? { kind: 'wait', on: 'process' } : undefined;
  }
  return undefined;
}

/** The file sends what is printed elsewhere: `sys.stdout = sys.stderr`, a `print` of its own. */
function isReplaced({ root, assigns }: ModuleIndex): boolean {
  return (
    root.functions.has('print') ||
    root.assigns.has('print') ||
    assigns.some(
      ({ value: { target } }) => target.kind === 'member' && target.object === 'sys' && target.key === 'stdout',
    )
  );
}

/** `proc.communicate()`, unless something around it gives up. */
function waitsForProcess(call: Call, within: readonly Call[], isLooped: boolean): Effect | undefined {
  const isLimited =
    namedEntry(call, 'timeout') !== undefined ||
    call.args.length > 1 ||
    within.some(({ callee }) => /(?:wait_for|timeout|fail_after|move_on_after)$/.test(pathOf(callee) ?? ''));
  return isLimited || isLooped || call.callee.kind !== 'member' ? undefined : { kind: 'wait', on: 'process' };
}

function writesStdout(call: Call, path: string): boolean {
  switch (path) {
    case 'print':
    case 'builtins.print': {
      const file = namedEntry(call, 'file');
      return (file === undefined && !hasSplat(call)) || isStdout(file?.value) || isNone(file?.value);
    }
    case 'pprint':
    case 'pprint.pprint':
      return namedEntry(call, 'stream') === undefined && call.args.length === 1;
    case 'sys.stdout.write':
      return !isEncoded(call.args[0]);
    case 'logging.basicConfig':
      return isStdout(namedEntry(call, 'stream')?.value);
    case 'logging.StreamHandler':
    case 'StreamHandler':
      return isStdout(call.args[0] ?? namedEntry(call, 'stream')?.value);
    default:
      return false;
  }
}

/** A message written by a server that speaks JSON-RPC by itself. */
const isEncoded = (text: Expression | undefined): boolean =>
  text !== undefined &&
  ((text.kind === 'call' && /(?:^|\.)(?:dumps|model_dump_json|to_json)$/.test(pathOf(text.callee) ?? '')) ||
    (text.kind === 'text' && text.parts.some((part) => typeof part !== 'string' && isEncoded(part))));

const isStdout = (expression: Expression | undefined) =>
  expression !== undefined && /^(?:sys\.)?(?:__)?stdout(?:__)?$/.test(pathOf(expression) ?? '');

/** The module that a dotted name starts in, as imported. */
function moduleOf(path: string, index: ModuleIndex): string | undefined {
  const entry = index.imports.get(path.split('.')[0] ?? '');
  return entry?.module;
}

const HTTP = /^(?:sse|http|streamable-http|streamable_http|streamableHttp)$/;

function startOf(found: Found<Call>, index: ModuleIndex): TransportUse | undefined {
  const call = found.value;
  const { callee } = call;
  const name = callee.kind === 'member' || callee.kind === 'name' ? callee.name : undefined;
  switch (name) {
    case 'stdio_server':
    case 'run_stdio_async':
      return 'stdio';
    case 'sse_app':
    case 'streamable_http_app':
    case 'http_app':
    case 'run_sse_async':
    case 'run_streamable_http_async':
    case 'run_http_async':
    case 'SseServerTransport':
    case 'StreamableHTTPSessionManager':
      return 'http';
    case 'run':
    case 'run_async': {
      const origin = callee.kind === 'member' ? importOf(callee.object, found, index) : undefined;
      const isServer = origin !== undefined && /^(?:fast)?mcp(?:\.|$)/.test(origin.module) && origin.name !== 'Server';
      const path = callee.kind === 'member' ? pathOf(callee.object) : undefined;
      if (origin?.module === 'uvicorn') {
        return 'http';
      }
      if (!isServer && !(origin === undefined && /(?:^|[._])(?:mcp|mcp_server)$/.test(path ?? ''))) {
        return undefined;
      }
      const given = namedEntry(call, 'transport')?.value ?? call.args[0];
      const text = given === undefined ? undefined : constantText(given);
      return given === undefined
        ? hasSplat(call)
          ? 'both'
          : 'stdio'
        : text === undefined
          ? 'both'
          : HTTP.test(text)
            ? 'http'
            : 'stdio';
    }
    default:
      return undefined;
  }
}

const TYPES: Readonly<Record<string, DeclaredType>> = {
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
  List: 'array',
  Dict: 'object',
};

/** The type of a parameter as written, and whether it may be empty; undefined when it is none that JSON has. */
export function declaredTypeOf(
  written: string,
): { readonly type: DeclaredType; readonly isNullable: boolean } | undefined {
  let text = written.replace(/\s+/g, '');
  const annotated = /^(?:t\.|typing\.)?Annotated\[(.*)\]$/s.exec(text)?.[1];
  if (annotated !== undefined) {
    text = firstOf(annotated);
  }
  const optional = /^(?:t\.|typing\.)?Optional\[(.*)\]$/s.exec(text)?.[1];
  const inner = optional ?? text.replace(/\|None$|^None\|/, '');
  const isNullable = inner !== text;
  const head = /^(?:t\.|typing\.)?([A-Za-z]+)(?:\[.*\])?$/s.exec(inner)?.[1] ?? '';
  const type = Object.hasOwn(TYPES, head) && !hasUnion(inner) ? TYPES[head] : undefined;
  return type === undefined ? undefined : { type, isNullable };
}

/** A bar outside of brackets. */
function hasUnion(text: string): boolean {
  const [open, close] = [text.indexOf('['), text.lastIndexOf(']')];
  return (open < 0 || close < open ? text : text.slice(0, open) + text.slice(close + 1)).includes('|');
}

/** The first of several type arguments: everything before the first comma outside of brackets. */
function firstOf(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '[' || character === '(') {
      depth++;
    } else if (character === ']' || character === ')') {
      depth--;
    } else if (character === ',' && depth === 0) {
      return text.slice(0, at);
    }
  }
  return text;
}

function typeTestOf(expression: Expression): TypeTest | undefined {
  if (expression.kind === 'call' && pathOf(expression.callee) === 'isinstance') {
    const [subject, classes] = expression.args;
    const names =
      classes?.kind === 'list' ? classes.items.map(pathOf) : [classes === undefined ? undefined : pathOf(classes)];
    const types = names.map((name) => (name !== undefined && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined));
    return subject === undefined || types.some((type) => type === undefined)
      ? undefined
      : { subject, types: types.filter((type) => type !== undefined), isNegated: false };
  }
  if (expression.kind === 'compare' && expression.parts.length === 2 && isNone(expression.parts[1])) {
    const [subject] = expression.parts;
    const isNegated = expression.operator === 'is not' || expression.operator === '!=';
    return subject === undefined ? undefined : { subject, types: ['null'], isNegated };
  }
  return undefined;
}

const TRACES = /^(?:format_exc|format_exception|format_tb|format_stack|extract_tb|print_exc)$/;

const TRACE_WORDS = /format_(?:exc|tb|stack)|extract_tb|print_exc|__traceback__/;

function isStackTrace(expression: Expression): boolean {
  return expression.kind === 'call'
    ? TRACES.test((pathOf(expression.callee) ?? '').split('.').at(-1) ?? '')
    : expression.kind === 'member' && expression.name === '__traceback__';
}

const ANSWER = /(?:^|[._])(?:response|resp|res|r|reply|answer|result)$/i;

function isRawBody(expression: Expression): boolean {
  const target = expression.kind === 'call' && expression.args.length === 0 ? expression.callee : expression;
  return (
    target.kind === 'member' &&
    ((target.name === 'text' && (expression.kind !== 'call' || target === expression.callee)) ||
      target.name === 'content' ||
      target.name === 'body') &&
    ANSWER.test(pathOf(target.object) ?? '')
  );
}

const ABSENT =
  /(?:^|\.)(?:KeyError|IndexError|LookupError|StopIteration|StopAsyncIteration|FileNotFoundError|NotADirectoryError|AttributeError|ImportError|ModuleNotFoundError|\w*(?:NotFound|DoesNotExist|NoSuch\w+|NoResultFound|EmptyDataError|QueueEmpty|Empty)(?:Error|Exception)?)$/;

/** What the rules ask about Python. */
export const pythonFacts: LanguageFacts = {
  mayHaveEffect,
  effectOf,
  startOf,
  typeTestOf,
  traceWords: TRACE_WORDS,
  isStackTrace,
  bodyWords: /\b(?:text|content|body)\b/,
  isRawBody,
  isAbsence: (className) => ABSENT.test(className),
};
