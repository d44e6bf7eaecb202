import { getNodeValue, type Node, printParseErrorCode } from 'jsonc-parser';
import type { TextArgs } from '../../base/text.ts';
import type {
  DefinitionInput,
  DefinitionProblem,
  DefinitionSource,
  ServerDefinition,
} from '../../protocol/definition.ts';
import type { ServerId } from '../../protocol/events.ts';
import type { SourceRange } from '../../protocol/finding.ts';
import { jsonText } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { serverId } from '../../protocol/serverId.ts';
import { createLineIndex } from '../jsonc/lineIndex.ts';
import { readTree } from '../jsonc/readTree.ts';
import { dialectOf } from './discovery/dialects.ts';
import { inputsIn, readInputs } from './discovery/inputs.ts';
import { checkServer } from './serverEntry.ts';

export interface Definitions {
  readonly definitions: readonly ServerDefinition[];
  readonly problems: readonly DefinitionProblem[];
}

export interface ParseOptions {
  readonly kind: DefinitionSource['kind'];
  /** Absolute path of the file, or the name of the setting. */
  readonly path: string;
  /** Paths of the workspace's folders: some clients keep servers by project. */
  readonly folders?: readonly string[];
  /** The user's own setting; nothing in a file can say it. */
  readonly isTrusted?: (server: ServerId) => boolean;
}

type RangeOf = (offset: number, length: number) => SourceRange;

/**
 * Reads a file of the dialect that goes with its kind, comments and trailing commas allowed. A server with a problem is
 * left out, the others are given; each problem has its place. Variables are left as they stand: see `resolveVariables`.
 * Never throws.
 */
export function parseDefinitions(text: string, options: ParseOptions): Definitions {
  const { tree, errors } = readTree(text);
  const rangeOf = createLineIndex(text);
  const problems: DefinitionProblem[] = errors.map(({ error, offset, length }) => ({
    code: 'definition.syntax',
    args: { problem: inWords(printParseErrorCode(error)) },
    path: options.path,
    range: rangeOf(offset, length),
  }));
  if (tree === undefined) {
    return { definitions: [], problems };
  }
  const dialect = dialectOf(options.kind);
  const found = dialect.sections(options.folders ?? []).map((names) => sectionAt(tree, names));
  const wrong = new Map(found.flatMap((each) => ('wrong' in each ? [[each.wrong, each.field] as const] : [])));
  for (const [node, field] of wrong) {
    const range = rangeOf(node.offset, node.length);
    problems.push({ code: 'definition.notAnObject', args: { field }, path: options.path, range });
  }
  const inputs = readInputs(memberValue(tree, 'inputs'));
  const byName = new Map<string, ServerDefinition>();
  for (const each of found) {
    if ('section' in each) {
      const read = readServers(each.section, options, rangeOf, inputs);
      problems.push(...read.problems);
      for (const definition of read.definitions) {
        byName.delete(definition.name);
        byName.set(definition.name, definition);
      }
    }
  }
  return { definitions: [...byName.values()], problems };
}

/** Reads the setting `faultline.servers`: the same shape as `servers` of `mcp.json`. Its problems have no place. */
export function parseServersSetting(value: unknown, options: ParseOptions): Definitions {
  const text = jsonText({ servers: value ?? {} });
  const nowhere: SourceRange = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 };
  const { definitions, problems } = parseDefinitions(text, options);
  return {
    definitions: definitions.map(({ source, ...definition }) => ({ ...definition, source: { kind: source.kind } })),
    problems: problems.map((problem) => ({ ...problem, range: nowhere })),
  };
}

/**
 * Joins what several sources define. An id that an earlier source has taken (the same name in two folders' files) is a
 * problem at its second place.
 */
export function mergeDefinitions(lists: readonly Definitions[]): Definitions {
  const byId = new Map<ServerId, ServerDefinition>();
  const problems: DefinitionProblem[] = lists.flatMap((list) => list.problems);
  for (const definition of lists.flatMap((list) => list.definitions)) {
    const taken = byId.get(definition.id);
    const { path, range } = definition.source;
    if (taken === undefined) {
      byId.set(definition.id, definition);
    } else if (path !== undefined && range !== undefined) {
      const args = { name: definition.name, path: taken.source.path ?? taken.source.kind };
      problems.push({ code: 'definition.taken', args, path, range });
    }
  }
  return { definitions: [...byId.values()], problems };
}

function readServers(
  servers: Node,
  { kind, path, isTrusted }: ParseOptions,
  rangeOf: RangeOf,
  inputs: readonly DefinitionInput[],
): Definitions {
  const { toEntry } = dialectOf(kind);
  const byName = new Map<string, ServerDefinition>();
  const seen = new Set<string>();
  const problems: DefinitionProblem[] = [];
  const blame = (node: Node, code: string, args: TextArgs) =>
    problems.push({ code, args, path, range: rangeOf(node.offset, node.length) });

  for (const property of servers.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) {
      continue;
    }
    const name = String(key.value);
    if (seen.has(name)) {
      blame(key, 'definition.duplicate', { name });
    }
    seen.add(name);
    byName.delete(name);
    const entry = toEntry(getNodeValue(value) as JsonValue);
    if (entry === undefined) {
      continue;
    }
    const checked = checkServer(entry);
    for (const { code, args, at } of checked.problems) {
      blame(nodeAt(value, at) ?? key, code, args);
    }
    if (checked.transport !== undefined) {
      const id = serverId(kind, name);
      const used = inputsIn(checked.transport, inputs);
      byName.set(name, {
        id,
        name,
        source: { kind, path, range: rangeOf(key.offset, key.length) },
        transport: checked.transport,
        isTrusted: isTrusted?.(id) === true,
        ...(checked.versions === undefined ? {} : { versions: checked.versions }),
        ...(used.length === 0 ? {} : { inputs: used }),
      });
    }
  }
  return { definitions: [...byName.values()], problems };
}

/** The object at these names; nothing where one is missing; or what stands there instead of an object. */
function sectionAt(
  tree: Node,
  names: readonly string[],
): { readonly section: Node } | { readonly wrong: Node; readonly field: string } | Record<never, never> {
  let node: Node | undefined = tree;
  let field = 'The file';
  for (const name of names) {
    if (node.type !== 'object') {
      return { wrong: node, field };
    }
    field = name;
    node = memberNode(node, name);
    if (node === undefined) {
      return {};
    }
  }
  return node.type === 'object' ? { section: node } : { wrong: node, field };
}

function memberValue(tree: Node, name: string): JsonValue | undefined {
  const node = tree.type === 'object' ? memberNode(tree, name) : undefined;
  return node === undefined ? undefined : (getNodeValue(node) as JsonValue);
}

/** The value of `name` in an object node; of several, the last, which is what `JSON.parse` would take. */
function memberNode(node: Node, name: string): Node | undefined {
  return node.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** The node at `path` below `node`, or the deepest that is there; `undefined` for the empty path, whose place is the key. */
function nodeAt(node: Node, path: readonly (string | number)[]): Node | undefined {
  let found: Node | undefined;
  let current: Node | undefined = node;
  for (const segment of path) {
    current = typeof segment === 'number' ? current?.children?.[segment] : memberNode(current ?? node, segment);
    found = current ?? found;
  }
  return found;
}

/** `CloseBraceExpected` → `close brace expected`. */
function inWords(code: string): string {
  return code.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
