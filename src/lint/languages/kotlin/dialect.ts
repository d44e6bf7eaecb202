import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call, Entry, Expression } from '../../ir.ts';
import { javaDialect } from '../java/dialect.ts';
import { fromRoot, joinPath } from '../paths.ts';
import { constantOf, entryOf, textBlock } from '../shared/build.ts';

const SAME_METHODS =
  /^(?:toString|trim|trimIndent|trimMargin|trimEnd|trimStart|orEmpty|take|toList|asTextContent|toTextContent|getMessage|getLocalizedMessage|await|replace)$/;
const SAME_FUNCTIONS =
  /^(?:encodeToString|encodeToJsonElement|writeValueAsString|toJson|JsonPrimitive|requireNotNull|checkNotNull|valueOf)$/;

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const object = call.callee.kind === 'member' ? call.callee.object : undefined;
  const first = call.args.at(-1);
  switch (path) {
    case 'CallToolResult.error':
    case 'CallToolResult.success': {
      const text = argument(call, 'content', 0);
      const flag = name === 'error' ? entryOf(call, 'isError', constantOf(call, true)) : undefined;
      return { kind: 'result', content: text && textBlock(text), structured: undefined, flag };
    }
    case 'ToolResponse.success':
    case 'ToolResponse.error':
      return javaDialect.meaningOf(call, path, name);
  }
  if (name === 'build') {
    return javaDialect.meaningOf(call, path, name);
  }
  if (call.isNew) {
    return created(call, name);
  }
  if (object === undefined || name === undefined) {
    return SAME_FUNCTIONS.test(name ?? '') && first !== undefined ? { kind: 'same', value: first } : undefined;
  }
  if (name === 'ifEmpty' || name === 'ifBlank') {
    return { kind: 'callbacks', before: object, callbacks: call.args.slice(-1), isCatch: false };
  }
  if (SAME_METHODS.test(name)) {
    return { kind: 'same', value: object };
  }
  return SAME_FUNCTIONS.test(name) && first !== undefined ? { kind: 'same', value: first } : undefined;
}

/** An argument by its name, or by its place. */
const argument = (call: Call, name: string, index: number): Expression | undefined =>
  call.named.find(({ key }) => key === name)?.value ?? call.args[index];

function created(call: Call, name: string | undefined): Meaning | undefined {
  switch (name) {
    case 'CallToolResult': {
      const content = argument(call, 'content', 0);
      const flag = argument(call, 'isError', 1);
      return {
        kind: 'result',
        content: content?.kind === 'text' ? textBlock(content) : content,
        structured: argument(call, 'structuredContent', 2),
        flag: flag === undefined ? undefined : flagEntry(flag),
      };
    }
    case 'TextContent': {
      const text = argument(call, 'text', 0);
      return text === undefined ? undefined : { kind: 'block', text };
    }
    default:
      // A class of the server's own, with the values of its fields.
      return call.args.length === 0 ? { kind: 'object', entries: call.named } : undefined;
  }
}

const flagEntry = (value: Expression): Entry => entryOf(value, 'isError', value);

/** A class lies under the folders of its package, of which an organisation has the first two for itself. */
function candidates(from: string, module: string, name: string): readonly string[] {
  const path = fromRoot(from, [...module.split('.'), name], 2);
  return path === undefined ? [] : [`${path}.kt`];
}

/** Classes that need no import wherever they are named. */
const OWN =
  /^(?:String(?:Builder)?|Any|Unit|Nothing|Boolean|Byte|Char|Double|Float|Int|Long|Short|Number|Math|System|Thread|Result|Pair|Triple|Regex|List|Map|Set|Array|Runtime|ProcessBuilder|\w*Exception|\w*Error)$/;

export const kotlinDialect: Dialect = {
  meaningOf,
  candidates,
  neighbours: (from, name) => (/^[A-Z]\w*$/.test(name) && !OWN.test(name) ? [joinPath(from, `${name}.kt`)] : []),
  selfNames: new Set(['this', 'super']),
  hasBareMethods: true,
};
