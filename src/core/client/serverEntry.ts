import * as z from 'zod/mini';
import type { TextArgs } from '../../base/text.ts';
import type { HttpDefinition, StdioDefinition } from '../../protocol/definition.ts';
import { REVISIONS, type Revision } from '../../protocol/revisions.ts';

/** A fault in one server's entry; `at` leads to it from there and is empty for the entry as a whole. */
export interface EntryProblem {
  readonly code: string;
  readonly args: TextArgs;
  readonly at: readonly (string | number)[];
}

export interface CheckedEntry {
  readonly transport: StdioDefinition | HttpDefinition | undefined;
  /** The revisions that the entry pins the server to; absent when it names none. */
  readonly versions?: readonly Revision[];
  readonly problems: readonly EntryProblem[];
}

const strings = z.record(z.string(), z.string());
/** As VS Code documents `mcp.json`: numbers and null stand for text in `env`. */
const environment = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Unknown members are let be: VS Code and others have more of them. */
const shape = z.object({
  type: z.optional(z.string()),
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  env: z.optional(environment),
  envFile: z.optional(z.string()),
  cwd: z.optional(z.string()),
  url: z.optional(z.string()),
  headers: z.optional(strings),
  versions: z.optional(z.array(z.string())),
});

const expected: Readonly<Record<string, string>> = {
  args: 'a list of strings',
  env: 'an object of strings',
  headers: 'an object of strings',
  versions: 'a list of protocol revisions',
};

/** Checks one entry of `servers`; all its faults at once. The transport follows from `command` or `url` without a `type`. */
export function checkServer(value: unknown): CheckedEntry {
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    return { transport: undefined, problems: parsed.error.issues.map((issue) => typeProblem(toPath(issue.path))) };
  }
  const { versions = [] } = parsed.data;
  const known = REVISIONS.filter((revision) => versions.includes(revision));
  const unknown = versions.flatMap((version, index) =>
    REVISIONS.some((revision) => revision === version)
      ? []
      : [
          {
            code: 'definition.unknownVersion',
            args: { version, known: REVISIONS.join(', ') },
            at: ['versions', index],
          },
        ],
  );
  const checked = checkTransport(parsed.data);
  return {
    ...checked,
    problems: [...checked.problems, ...unknown],
    ...(known.length === 0 ? {} : { versions: known }),
  };
}

function checkTransport(entry: z.infer<typeof shape>): CheckedEntry {
  const { type, command, url } = entry;
  switch (type ?? (command !== undefined ? 'stdio' : url !== undefined ? 'http' : 'neither')) {
    case 'stdio':
      return command === undefined || command.trim() === '' ? only('definition.missingCommand') : stdio(entry, command);
    case 'http':
      return url === undefined ? only('definition.missingUrl') : http(entry, url);
    case 'sse':
      return url === undefined ? only('definition.missingUrl') : http(entry, url, true);
    case 'neither':
      return only('definition.neither');
    default:
      return only('definition.unknownTransport', { type: type ?? '' }, ['type']);
  }
}

function stdio({ args, env, envFile, cwd }: z.infer<typeof shape>, command: string): CheckedEntry {
  const given = Object.entries(env ?? {}).filter(([, value]) => value !== null);
  return {
    transport: {
      type: 'stdio',
      command,
      args: args ?? [],
      env: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      ...(envFile === undefined ? {} : { envFile }),
      ...(cwd === undefined ? {} : { cwd }),
    },
    problems: [],
  };
}

function http({ headers }: z.infer<typeof shape>, url: string, isLegacySse = false): CheckedEntry {
  return isHttpUrl(url)
    ? {
        transport: { type: 'http', url, headers: headers ?? {}, ...(isLegacySse ? { isLegacySse } : {}) },
        problems: [],
      }
    : only('definition.badUrl', { url }, ['url']);
}

/** One that holds a variable can only be checked once that is known. */
export function isHttpUrl(url: string): boolean {
  return url.includes('${') || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
}

function typeProblem(at: readonly (string | number)[]): EntryProblem {
  const [field] = at;
  return field === undefined
    ? { code: 'definition.notAnObject', args: { field: 'A server' }, at }
    : { code: 'definition.badType', args: { field, expected: expected[field] ?? 'a string' }, at };
}

function only(code: string, args: TextArgs = {}, at: readonly (string | number)[] = []): CheckedEntry {
  return { transport: undefined, problems: [{ code, args, at }] };
}

function toPath(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment));
}
