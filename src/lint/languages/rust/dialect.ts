import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call, Expression } from '../../ir.ts';
import { joinPath, separatorOf } from '../paths.ts';
import { constantOf, entryOf } from '../shared/build.ts';

const SAME_METHODS = new Set([
  'to_string',
  'into',
  'to_owned',
  'clone',
  'as_str',
  'as_ref',
  'trim',
  'unwrap',
  'expect',
  'unwrap_or_default',
  'map_err',
  'ok_or',
  'ok_or_else',
  'context',
  'with_context',
]);
const SAME_FUNCTIONS =
  /^(?:String\.from|(?:serde_json\.)?to_(?:string|string_pretty|value)|Cow\.(?:from|Borrowed|Owned)|Json|Arc\.new|Box\.new)$/;

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const [first] = call.args;
  const object = call.callee.kind === 'member' ? call.callee.object : undefined;
  const owner = object?.kind === 'name' || object?.kind === 'member' ? object.name : undefined;
  if (call.isNew) {
    return literal(call, name);
  }
  if (owner === 'CallToolResult') {
    return result(call, name, first);
  }
  if (owner === 'ServerResult' && name === 'CallToolResult' && first !== undefined) {
    return { kind: 'same', value: first };
  }
  if (first !== undefined && (owner === 'Content' || owner === 'RawContent' || owner === 'ContentBlock')) {
    return name === 'text' || name === 'json' ? { kind: 'block', text: first } : undefined;
  }
  if (first !== undefined && path !== undefined && SAME_FUNCTIONS.test(path)) {
    return { kind: 'same', value: first };
  }
  if (object === undefined || name === undefined) {
    return undefined;
  }
  switch (name) {
    case 'unwrap_or_else':
    case 'or_else':
      return { kind: 'callbacks', before: object, callbacks: call.args.slice(0, 1), isCatch: true };
    case 'map':
    case 'and_then':
      return { kind: 'callbacks', before: undefined, callbacks: call.args.slice(0, 1), isCatch: false };
    case 'join':
      return { kind: 'startsAs', value: object };
  }
  return SAME_METHODS.has(name) ? { kind: 'same', value: object } : undefined;
}

function result(call: Call, name: string | undefined, content: Expression | undefined): Meaning | undefined {
  const isError = name === 'error' || name === 'structured_error' || name === 'with_error';
  const flag = isError ? entryOf(call, 'is_error', constantOf(call, true)) : undefined;
  switch (name) {
    case 'success':
    case 'error':
    case 'with_error':
      return { kind: 'result', content, structured: undefined, flag };
    case 'structured':
    case 'structured_error':
      return { kind: 'result', content: undefined, structured: content, flag };
    default:
      return undefined;
  }
}

function literal({ named }: Call, name: string | undefined): Meaning {
  const member = (key: string) => named.find((entry) => entry.key === key);
  const text = member('text');
  if (name === 'CallToolResult') {
    return {
      kind: 'result',
      content: member('content')?.value,
      structured: member('structured_content')?.value,
      flag: member('is_error'),
    };
  }
  return text !== undefined && /^(?:Raw)?TextContent$/.test(name ?? '')
    ? { kind: 'block', text: text.value }
    : { kind: 'object', entries: named };
}

/** `crate::a::b` lies under `src`, `super::a` and `self::a` beside or under the file; what a module is called is a file. */
function candidates(from: string, module: string, name: string): readonly string[] {
  const [head, ...names] = module.split('::');
  const base = baseOf(from, head);
  if (base === undefined) {
    return [];
  }
  const up = names.lastIndexOf('super') + 1;
  const path = [...Array.from({ length: up }, () => '..'), ...names.slice(up)].join('/');
  // A module may be brought by its own name, or be where a function comes from.
  const ends = /^[a-z_]/.test(name) ? [`${path}/${name}`, path] : [path];
  return ends
    .filter((end) => end !== '')
    .flatMap((end) => [joinPath(base, `${end}.rs`), joinPath(base, `${end}/mod.rs`)]);
}

/** A path in the folder in which the modules of `crate`, `self` or `super` lie. */
function baseOf(from: string, head: string | undefined): string | undefined {
  const folders = from.split(/[\\/]/);
  const file = folders.pop() ?? '';
  const inside = (path: readonly string[]) => [...path, file].join(separatorOf(from));
  const own = /^(?:mod|lib|main)\.rs$/.test(file) ? folders : [...folders, file.replace(/\.rs$/, '')];
  const root = folders.lastIndexOf('src');
  switch (head) {
    case 'crate':
      return root < 0 ? undefined : inside(folders.slice(0, root + 1));
    case 'self':
      return inside(own);
    case 'super':
      return inside(own.slice(0, -1));
    default:
      return undefined;
  }
}

export const rustDialect: Dialect = { meaningOf, candidates, selfNames: new Set(['self', 'Self']) };
