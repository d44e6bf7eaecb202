import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call } from '../../ir.ts';
import { joinPath } from '../paths.ts';
import { entryOf } from '../shared/build.ts';

const SAME_METHODS = new Set([
  'to_s',
  'to_json',
  'to_h',
  'strip',
  'chomp',
  'freeze',
  'dup',
  'full_message',
  'inspect',
  'message',
]);
const SAME_FUNCTIONS = new Set(['JSON.generate', 'JSON.pretty_generate', 'JSON.dump', 'String']);

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const [first, second] = call.args;
  if (call.isNew) {
    return created(call, path);
  }
  if (path !== undefined && SAME_FUNCTIONS.has(path) && first !== undefined) {
    return { kind: 'same', value: first };
  }
  if (call.callee.kind !== 'member' || name === undefined) {
    return undefined;
  }
  if (name === 'join') {
    return { kind: 'startsAs', value: call.callee.object };
  }
  return SAME_METHODS.has(name) && second === undefined ? { kind: 'same', value: call.callee.object } : undefined;
}

/** `MCP::Tool::Response.new([…], error: true)`; the flag was positional once. */
function created({ args, named }: Call, path: string | undefined): Meaning | undefined {
  const [first, second] = args;
  if (path !== undefined && /(?:^|\.)Tool\.Response$/.test(path)) {
    return {
      kind: 'result',
      content: first,
      structured: named.find(({ key }) => key === 'structured_content')?.value,
      flag:
        named.find(({ key }) => key === 'error' || key === 'is_error') ??
        (second === undefined ? undefined : entryOf(second, undefined, second)),
    };
  }
  return path !== undefined && /(?:^|\.)Content\.Text$/.test(path) && first !== undefined
    ? { kind: 'block', text: first }
    : undefined;
}

const FOREIGN =
  /^(?:MCP|FastMcp|JSON|YAML|File|Dir|Time|Date|DateTime|ENV|Net|URI|ActiveRecord|Rails|Logger|Kernel)(?:::|$)/;
const snake = (name: string) => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();

/** Classes are loaded by name, and files are named after them: those of one folder are found. */
function neighbours(from: string, name: string): readonly string[] {
  const last = name.split('::').at(-1) ?? name;
  return /^[A-Z][\w:]*$/.test(name) && !FOREIGN.test(name) ? [joinPath(from, `${snake(last)}.rb`)] : [];
}

export const rubyDialect: Dialect = {
  meaningOf,
  candidates: () => [],
  neighbours,
  selfNames: new Set(['self']),
  hasBareMethods: true,
};
