import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call, Entry, Expression } from '../../ir.ts';
import { fromRoot, joinPath } from '../paths.ts';
import { constantOf, entryOf, textBlock } from '../shared/build.ts';

const SAME_METHODS = new Set(['getMessage', '__toString', 'toString', 'toJson', 'getPrevious', 'value', 'trim']);
const SAME_FUNCTIONS = new Set(['json_encode', 'strval', 'trim', 'rtrim', 'nl2br', '__', 'trans', 'utf8_encode']);
/** Classes whose static methods make results. */
const RESULTS = new Set(['CallToolResult', 'Response', 'ToolResult']);

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const [first, second] = call.args;
  const object = call.callee.kind === 'member' ? call.callee.object : undefined;
  if (call.isNew) {
    return created(call, name);
  }
  if (object?.kind === 'name' && RESULTS.has(object.name)) {
    return made(call, name);
  }
  if (object?.kind === 'name' && object.name === 'TextContent' && name === 'make' && first !== undefined) {
    return { kind: 'block', text: first };
  }
  if (path !== undefined && SAME_FUNCTIONS.has(path) && first !== undefined) {
    return { kind: 'same', value: first };
  }
  if ((path === 'implode' || path === 'join') && second !== undefined) {
    return { kind: 'startsAs', value: second };
  }
  return object !== undefined && name !== undefined && SAME_METHODS.has(name) && call.args.length === 0
    ? { kind: 'same', value: object }
    : undefined;
}

const contentOf = (value: Expression): Expression => (value.kind === 'list' ? value : textBlock(value));

const flagIn = ({ args, named }: Call): Entry | undefined =>
  named.find(({ key }) => key === 'isError') ??
  (args[1] === undefined ? undefined : entryOf(args[1], undefined, args[1]));

function created(call: Call, name: string | undefined): Meaning | undefined {
  const first = call.named.find(({ key }) => key === 'content' || key === 'text')?.value ?? call.args[0];
  switch (name) {
    case 'CallToolResult':
      return { kind: 'result', content: first, structured: undefined, flag: flagIn(call) };
    case 'TextContent':
      return first === undefined ? undefined : { kind: 'block', text: first };
    default:
      return undefined;
  }
}

/** `Response::text(…)` of Laravel, `CallToolResult::success(…)` of the SDK. */
function made(call: Call, name: string | undefined): Meaning | undefined {
  const [first] = call.args;
  const content = first === undefined ? undefined : contentOf(first);
  switch (name) {
    case 'text':
    case 'success':
      return { kind: 'result', content, structured: undefined, flag: undefined };
    case 'make':
      return { kind: 'result', content, structured: undefined, flag: flagIn(call) };
    case 'json':
    case 'structured':
      return { kind: 'result', content: undefined, structured: first, flag: undefined };
    case 'error':
      return { kind: 'result', content, structured: undefined, flag: entryOf(call, 'isError', constantOf(call, true)) };
    default:
      return undefined;
  }
}

const FOREIGN = /^(?:Laravel|Illuminate|Symfony|PhpMcp|Mcp|Psr|GuzzleHttp|Carbon|Doctrine|Monolog)(?:\\|$)/;

/**
 * The first names of a namespace stand for a folder of another name, or for none; the rest are folders.
 */
function candidates(from: string, module: string, name: string): readonly string[] {
  const names = FOREIGN.test(module) ? [] : [...module.split('\\'), name];
  const paths = names.slice(0, -1).map((_, skipped) => fromRoot(from, names.slice(skipped), 1));
  const path = paths.find((it) => it !== undefined);
  return path === undefined ? [] : [`${path}.php`];
}

/** Classes of one namespace lie in one folder, and see each other without imports. */
export const phpDialect: Dialect = {
  meaningOf,
  candidates,
  neighbours: (from, name) => (/^[A-Z]\w*$/.test(name) ? [joinPath(from, `${name}.php`)] : []),
  selfNames: new Set(['this', 'self', 'static', 'parent']),
};
