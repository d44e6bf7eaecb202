import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call, Entry } from '../../ir.ts';
import { constantText } from '../lowering.ts';
import { joinPath } from '../paths.ts';

const SAME = new Set(['str', 'repr', 'dumps', 'dict', 'list', 'tuple', 'cast']);
/** A server's own names for making text of data. */
const TO_JSON =
  /^_*(?:to_?json(?:_str|_text)?|json_?(?:dumps?|str|string|text)|dump_?json|serialize|as_json|jsonify|pretty_json)$/;
const SAME_METHODS = new Set([
  'strip',
  'rstrip',
  'lstrip',
  'encode',
  'decode',
  'lower',
  'upper',
  'model_dump',
  'model_dump_json',
  'dict',
  'as_dict',
  'copy',
  'to_dict',
]);

/** What an SDK's result is made with; a class that takes more is the server's own. */
const RESULT_KEYS = new Set([
  'content',
  'structuredContent',
  'structured_content',
  'isError',
  'is_error',
  'meta',
  '_meta',
]);

const namedEntry = (call: Call, ...keys: readonly string[]): Entry | undefined =>
  call.named.find((entry) => entry.key !== undefined && keys.includes(entry.key));

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const first = call.args[0];
  switch (name) {
    case 'TextContent': {
      const text = namedEntry(call, 'text')?.value ?? call.args[1] ?? first;
      return text === undefined ? undefined : { kind: 'block', text };
    }
    case 'CallToolResult':
    case 'ToolResult':
      if (!call.named.every(({ key }) => key === undefined || RESULT_KEYS.has(key))) {
        break;
      }
      return {
        kind: 'result',
        content: namedEntry(call, 'content')?.value ?? first,
        structured: namedEntry(call, 'structuredContent', 'structured_content')?.value,
        flag: call.named.find((entry) => entry.key === 'isError' || entry.key === 'is_error'),
      };
    case 'format_exc':
    case 'format_exception':
    case 'exc_info':
      return { kind: 'caught' };
    case 'format':
      return call.callee.kind === 'member' ? { kind: 'startsAs', value: call.callee.object } : undefined;
    case 'join':
      return first === undefined || call.callee.kind !== 'member' ? undefined : { kind: 'startsAs', value: first };
  }
  if (path === 'dict' && first === undefined) {
    return { kind: 'object', entries: call.named };
  }
  // An object of a class by its keywords: a model, a data class.
  if (first === undefined && call.named.length > 0 && name !== undefined && /^[A-Z]\w*[a-z]/.test(name)) {
    return { kind: 'object', entries: call.named };
  }
  if (
    first !== undefined &&
    name !== undefined &&
    ((SAME.has(name) && (path === name || name === 'dumps' || name === 'cast')) ||
      (path === name && TO_JSON.test(name)))
  ) {
    return { kind: 'same', value: name === 'cast' ? (call.args[1] ?? first) : first };
  }
  // `answer.get("error")` reads what `answer["error"]` does.
  const key = name === 'get' && first !== undefined ? constantText(first) : undefined;
  if (call.callee.kind === 'member' && key !== undefined) {
    const { start, end, callee } = call;
    return { kind: 'same', value: { start, end, kind: 'member', object: callee.object, name: key } };
  }
  if (call.callee.kind === 'member' && name !== undefined && SAME_METHODS.has(name)) {
    return { kind: 'same', value: call.callee.object };
  }
  return undefined;
}

/** `from .a.b import c` may name a module `a/b.py`, a package `a/b/`, or a module `a/b/c.py`. A bare name may be a sibling. */
function candidates(from: string, module: string, name: string): readonly string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const names = module.slice(dots).split('.').filter(Boolean);
  if (dots === 0 && names.length !== 1) {
    return [];
  }
  const base = joinPath(from, '../'.repeat(Math.max(dots - 1, 0)) + names.join('/'));
  const own = joinPath(from, '../'.repeat(Math.max(dots - 1, 0)) + [...names, name].join('/'));
  return names.length === 0
    ? [`${own}.py`, joinPath(base, '__init__.py')]
    : [`${base}.py`, `${base}/__init__.py`, `${own}.py`];
}

export const pythonDialect: Dialect = { meaningOf, candidates, selfNames: new Set(['self', 'cls']) };
