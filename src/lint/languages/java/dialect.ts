import type { Dialect, Meaning } from '../../flow/dialect.ts';
import type { Call, Entry, Expression } from '../../ir.ts';
import { fromRoot, joinPath } from '../paths.ts';
import { constantOf, entryOf, listOf, textBlock } from '../shared/build.ts';
import { chainOf } from './chain.ts';

const SAME_METHODS = new Set([
  'toString',
  'trim',
  'strip',
  'getMessage',
  'getLocalizedMessage',
  'getCause',
  'block',
  'orElseThrow',
]);
const SAME_FUNCTIONS = new Set([
  'String.valueOf',
  'Objects.toString',
  'Mono.just',
  'Uni.createFrom().item',
  'CompletableFuture.completedFuture',
  'Optional.of',
  'Optional.ofNullable',
]);
/** Methods of mappers, whatever their object is called. */
const SERIALIZES = new Set(['writeValueAsString', 'toJson', 'toJSONString', 'toJsonStr', 'toPrettyString']);

function meaningOf(call: Call, path: string | undefined, name: string | undefined): Meaning | undefined {
  const [first, second] = call.args;
  const object = call.callee.kind === 'member' ? call.callee.object : undefined;
  if (call.isNew) {
    return created(call, name);
  }
  if (name === 'build' && object !== undefined) {
    return built(object);
  }
  if (first !== undefined && (SERIALIZES.has(name ?? '') || (path !== undefined && SAME_FUNCTIONS.has(path)))) {
    return { kind: 'same', value: first };
  }
  switch (path) {
    case 'ToolResponse.success':
    case 'ToolResponse.error': {
      const content = first === undefined ? undefined : contentOf(first);
      const flag = name === 'error' ? entryOf(call, 'isError', constantOf(call, true)) : undefined;
      return { kind: 'result', content, structured: undefined, flag };
    }
    case 'String.join':
      return second === undefined ? undefined : { kind: 'startsAs', value: second };
  }
  if (object === undefined || name === undefined) {
    return undefined;
  }
  switch (name) {
    case 'onErrorResume':
    case 'exceptionally':
    case 'recoverWithItem':
      return { kind: 'callbacks', before: object, callbacks: call.args.slice(-1), isCatch: true };
    case 'map':
    case 'flatMap':
    case 'thenApply':
      return { kind: 'callbacks', before: undefined, callbacks: call.args.slice(0, 1), isCatch: false };
  }
  return SAME_METHODS.has(name) ? { kind: 'same', value: object } : undefined;
}

/** Content is a text, a block, or a list of blocks. */
const contentOf = (value: Expression): Expression => (value.kind === 'text' ? textBlock(value) : value);

function created({ args }: Call, name: string | undefined): Meaning | undefined {
  const [first, second] = args;
  switch (name) {
    case 'CallToolResult':
      return {
        kind: 'result',
        content: first === undefined ? undefined : contentOf(first),
        structured: args[2],
        flag: second === undefined ? undefined : entryOf(second, 'isError', second),
      };
    case 'TextContent': {
      const text = args.find(({ kind }) => kind === 'text') ?? (args.length === 1 ? first : second);
      return text === undefined ? undefined : { kind: 'block', text };
    }
    default:
      // An object of the server's own, filled by what is set on it.
      return args.length === 0 ? { kind: 'object', entries: [] } : undefined;
  }
}

/** `CallToolResult.builder()….build()`. */
function built(object: Expression): Meaning | undefined {
  const chain = chainOf(object);
  const given = (name: string) => chain.calls.find((call) => call.name === name)?.args[0];
  if (chain.root === 'TextContent') {
    const text = given('text') ?? chain.calls.find(({ name }) => name === 'builder')?.args[0];
    return text === undefined ? undefined : { kind: 'block', text };
  }
  if (chain.root !== 'CallToolResult') {
    return undefined;
  }
  const texts = chain.calls
    .filter(({ name }) => name === 'addTextContent')
    .flatMap(({ args }) => args.map((text) => textBlock(text)));
  const added = chain.calls.filter(({ name }) => name === 'addContent').flatMap(({ args }) => args);
  const whole = given('content') ?? given('textContent');
  const flag = given('isError');
  const [first] = [...texts, ...added];
  return {
    kind: 'result',
    content:
      first === undefined ? (whole === undefined ? undefined : contentOf(whole)) : listOf(first, [...texts, ...added]),
    structured: given('structuredContent'),
    flag: flag === undefined ? undefined : flagEntry(flag),
  };
}

const flagEntry = (value: Expression): Entry => entryOf(value, 'isError', value);

/** A class lies under the folders of its package, of which an organisation has the first two for itself. */
function candidates(from: string, module: string, name: string): readonly string[] {
  const path = fromRoot(from, [...module.split('.'), name], 2);
  return path === undefined ? [] : [`${path}.java`];
}

/** Classes that need no import wherever they are named. */
const OWN =
  /^(?:String(?:Builder|Buffer)?|Math|Object|Boolean|Byte|Character|Double|Float|Integer|Long|Short|Number|System|Thread|Class|Enum|Iterable|Runtime|ProcessBuilder|Record|\w*Exception|\w*Error)$/;

export const javaDialect: Dialect = {
  meaningOf,
  candidates,
  neighbours: (from, name) => (/^[A-Z]\w*$/.test(name) && !OWN.test(name) ? [joinPath(from, `${name}.java`)] : []),
  selfNames: new Set(['this', 'super']),
  hasBareMethods: true,
};
