import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call, Entry, Expression } from '../../ir.ts';
import { constantOf, entryOf, textBlock } from '../shared/build.ts';

const SAME_METHODS = new Set(['Error', 'String', 'Unwrap']);
const SAME_FUNCTIONS = new Set([
  'string',
  'json.Marshal',
  'json.MarshalIndent',
  'strings.TrimSpace',
  'errors.New',
  'errors.Unwrap',
  'errors.Cause',
]);

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const [first, second] = call.args;
  if (call.isNew) {
    return literal(call, name);
  }
  switch (name) {
    case 'NewToolResultText':
      return result(first, undefined, undefined);
    case 'NewToolResultError':
    case 'NewToolResultErrorf':
    case 'NewToolResultErrorFromErr':
      return result(first, undefined, entryOf(call, 'isError', constantOf(call, true)));
    case 'NewToolResultJSON':
    case 'NewToolResultStructuredOnly':
      return result(undefined, first, undefined);
    case 'NewToolResultStructured':
      return result(second, first, undefined);
    case 'NewTextContent':
      return first === undefined ? undefined : { kind: 'block', text: first };
    case 'Join':
      return path === 'strings.Join' && first !== undefined ? { kind: 'startsAs', value: first } : undefined;
  }
  if (path !== undefined && SAME_FUNCTIONS.has(path) && first !== undefined) {
    return { kind: 'same', value: first };
  }
  return name !== undefined && SAME_METHODS.has(name) && call.args.length === 0 && call.callee.kind === 'member'
    ? { kind: 'same', value: call.callee.object }
    : undefined;
}

const result = (
  text: Expression | undefined,
  structured: Expression | undefined,
  flag: Entry | undefined,
): Meaning => ({ kind: 'result', content: text === undefined ? undefined : textBlock(text), structured, flag });

function literal({ named }: Call, name: string | undefined): Meaning {
  const member = (key: string) => named.find((entry) => entry.key === key);
  const text = member('Text');
  if (name === 'CallToolResult' || name === 'CallToolResultFor') {
    return {
      kind: 'result',
      content: member('Content')?.value,
      structured: member('StructuredContent')?.value,
      flag: member('IsError'),
    };
  }
  return name === 'TextContent' && text !== undefined
    ? { kind: 'block', text: text.value }
    : { kind: 'object', entries: named };
}

/** Files of one package see each other without imports, and no import is relative: nothing to follow. */
export const goDialect: Dialect = {
  meaningOf,
  candidates: () => [],
  selfNames: new Set(['this']),
  hasErrorValues: true,
};
