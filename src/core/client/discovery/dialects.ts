import type { DefinitionSource } from '../../../protocol/definition.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';

/** How the files of one client are written. */
export interface Dialect {
  /**
   * Where its servers stand: paths of member names. Of two sections with a server of the same name the later one counts,
   * as it does for the client.
   */
  readonly sections: (folders: readonly string[]) => readonly (readonly string[])[];
  /** An entry in the words of VS Code; `undefined` for one that is no server of its own. */
  readonly toEntry: (value: JsonValue) => JsonValue | undefined;
  /** What `${…}` means: `vscode` as VS Code does, `claude` names variables of the environment, `literal` lets others be. */
  readonly variables: 'vscode' | 'claude' | 'literal';
}

/** Names of Streamable HTTP that clients accept beside `http`. */
const HTTP_NAMES: ReadonlySet<string> = new Set(['http', 'streamableHttp', 'streamable-http', 'streamable_http']);

const vscode: Dialect = {
  sections: () => [['servers']],
  toEntry: (value) => value,
  variables: 'vscode',
};

const mcpServers = (variables: Dialect['variables']): Dialect => ({
  sections: () => [['mcpServers']],
  toEntry: withUsualNames,
  variables,
});

/** `~/.claude.json`: the user's servers, and those that a project overrides them with ("local scope"). */
const claudeCode: Dialect = {
  sections: (folders) => [['mcpServers'], ...folders.map((folder) => ['projects', folder, 'mcpServers'])],
  toEntry: withUsualNames,
  variables: 'claude',
};

/** `settings.json` of Zed. Servers of extensions have settings only: what they start is not in the file. */
const zed: Dialect = {
  sections: () => [['context_servers']],
  toEntry: (value) => {
    if (!isObject(value)) {
      return value;
    }
    const { command } = value;
    if (command === undefined && value['url'] === undefined) {
      return undefined;
    }
    return isObject(command)
      ? { ...value, ...pick(command, ['args', 'env']), command: command['path'] ?? null }
      : value;
  },
  variables: 'literal',
};

/** The dialect of each kind of source that is a file or reads like one. */
export function dialectOf(kind: DefinitionSource['kind']): Dialect {
  switch (kind) {
    case 'claude-code':
      return claudeCode;
    case 'claude-project':
      return mcpServers('claude');
    case 'cursor':
    case 'cursor-workspace':
      return mcpServers('vscode');
    case 'claude-desktop':
    case 'windsurf':
    case 'cline':
      return mcpServers('literal');
    case 'zed':
      return zed;
    case 'vscode-mcp-json':
    case 'vscode-user':
    case 'settings':
    case 'workspace-settings':
    case 'demo':
    case 'command-line':
      return vscode;
  }
}

/** `serverUrl` (Windsurf) and the several names of Streamable HTTP. */
function withUsualNames(value: JsonValue): JsonValue {
  if (!isObject(value)) {
    return value;
  }
  const { serverUrl, type, ...rest } = value;
  return {
    ...(serverUrl === undefined ? {} : { url: serverUrl }),
    ...(type === undefined ? {} : { type: typeof type === 'string' && HTTP_NAMES.has(type) ? 'http' : type }),
    ...rest,
  };
}

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [[name, member]];
    }),
  );
}
