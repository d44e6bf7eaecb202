import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call } from '../../ir.ts';
import { joinPath } from '../paths.ts';

const SAME_METHODS = new Set(['ToString', 'Trim', 'TrimEnd', 'TrimStart', 'ConfigureAwait', 'GetBaseException']);
const SAME_FUNCTIONS =
  /^(?:JsonSerializer\.Serialize|JsonConvert\.SerializeObject|(?:Value)?Task\.FromResult|Convert\.ToString)$/;

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const [first, second] = call.args;
  if (call.isNew) {
    return created(call, name);
  }
  if (path !== undefined && first !== undefined && SAME_FUNCTIONS.test(path)) {
    return { kind: 'same', value: first };
  }
  if ((path === 'string.Join' || path === 'String.Join') && second !== undefined) {
    return { kind: 'startsAs', value: second };
  }
  return name !== undefined && SAME_METHODS.has(name) && call.callee.kind === 'member'
    ? { kind: 'same', value: call.callee.object }
    : undefined;
}

function created({ named, args }: Call, name: string | undefined): Meaning | undefined {
  const member = (key: string) => named.find((entry) => entry.key === key);
  switch (name) {
    case 'CallToolResult':
    case 'CallToolResponse':
      return {
        kind: 'result',
        content: member('Content')?.value,
        structured: member('StructuredContent')?.value,
        flag: member('IsError'),
      };
    case 'TextContentBlock':
    case 'TextContent':
    case 'Content': {
      const text = member('Text')?.value ?? args[0];
      return text === undefined ? undefined : { kind: 'block', text };
    }
    default:
      return named.length === 0 ? undefined : { kind: 'object', entries: named };
  }
}

/** Classes that are most often used by their names, of the language and of the SDK. */
const FOREIGN =
  /^(?:String|Console|Convert|Math|Task|ValueTask|JsonSerializer|JsonConvert|Json\w+|DateTime\w*|TimeSpan|Guid|Path|File|Directory|Environment|Encoding|Regex|Uri|Process|Enumerable|Array|List|Enum|Activator|Stopwatch|CancellationToken\w*|Interlocked|GC|Type|HttpUtility|WebUtility|Random|Thread|BitConverter|CultureInfo|McpServerTool|\w*Exception)$/;

/** Files of one project see each other without imports; a namespace names no folder. Those of one folder are found. */
export const csharpDialect: Dialect = {
  meaningOf,
  candidates: () => [],
  neighbours: (from, name) => (/^[A-Z]\w*$/.test(name) && !FOREIGN.test(name) ? [joinPath(from, `${name}.cs`)] : []),
  selfNames: new Set(['this', 'base']),
  hasBareMethods: true,
};
