import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { TextArgs } from '../../base/text.ts';
import type { DefinitionProblem, DefinitionSource, ServerDefinition } from '../../protocol/definition.ts';
import type { ServerId } from '../../protocol/events.ts';
import type { SourceRange } from '../../protocol/finding.ts';
import { createLineIndex } from './lineIndex.ts';
import { checkServer } from './serverEntry.ts';

export interface Definitions {
  readonly definitions: readonly ServerDefinition[];
  readonly problems: readonly DefinitionProblem[];
}

export interface ParseOptions {
  readonly kind: DefinitionSource['kind'];
  /** Absolute path of the file, or the name of the setting. */
  readonly path: string;
  /** The user's own setting; nothing in a file can say it. */
  readonly isTrusted?: (server: ServerId) => boolean;
}

/** The stable id of a server: the same file and name give the same id after every reload. */
export function serverId(kind: DefinitionSource['kind'], name: string): ServerId {
  return `${kind}:${name}` as ServerId;
}

/**
 * Reads a `.vscode/mcp.json`, comments and trailing commas allowed. A server with a problem is left out, the others are
 * given; each problem has its place. Variables are left as they stand: see `resolveVariables`. Never throws.
 */
export function parseMcpJson(text: string, options: ParseOptions): Definitions {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const rangeOf = createLineIndex(text);
  const problems: DefinitionProblem[] = errors.map(({ error, offset, length }) => ({
    code: 'definition.syntax',
    args: { problem: inWords(printParseErrorCode(error)) },
    path: options.path,
    range: rangeOf(offset, length),
  }));
  const servers = tree === undefined ? undefined : memberNode(tree, 'servers');
  const wrong = tree !== undefined && tree.type !== 'object' ? { node: tree, field: 'The file' } : undefined;
  const notAnObject =
    wrong ?? (servers !== undefined && servers.type !== 'object' ? { node: servers, field: 'servers' } : undefined);
  if (notAnObject !== undefined) {
    const { node, field } = notAnObject;
    problems.push({
      code: 'definition.notAnObject',
      args: { field },
      path: options.path,
      range: rangeOf(node.offset, node.length),
    });
  }
  if (servers?.type !== 'object') {
    return { definitions: [], problems };
  }
  const read = readServers(servers, options, rangeOf);
  return { definitions: read.definitions, problems: [...problems, ...read.problems] };
}

/** Reads the setting `faultline.servers`: the same shape as `servers` of `mcp.json`. Its problems have no place. */
export function parseServersSetting(value: unknown, options: ParseOptions): Definitions {
  const text = JSON.stringify({ servers: value ?? {} });
  const nowhere: SourceRange = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 };
  const { definitions, problems } = parseMcpJson(text, options);
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
  rangeOf: (offset: number, length: number) => SourceRange,
): Definitions {
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
    const checked = checkServer(getNodeValue(value));
    for (const { code, args, at } of checked.problems) {
      blame(nodeAt(value, at) ?? key, code, args);
    }
    if (checked.transport !== undefined) {
      const id = serverId(kind, name);
      byName.set(name, {
        id,
        name,
        source: { kind, path, range: rangeOf(key.offset, key.length) },
        transport: checked.transport,
        isTrusted: isTrusted?.(id) === true,
      });
    }
  }
  return { definitions: [...byName.values()], problems };
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
