import type { HttpDefinition, ServerDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import type { ServerId } from '../../../protocol/events.ts';
import { nameInId } from '../../../protocol/serverId.ts';
import type { SuiteServer } from './suiteFile.ts';
import { fillValue, type SuiteVariables } from './suiteVariables.ts';

/**
 * The server that a suite describes itself, with the suite's own folders filled in. What else it names, and what cannot be
 * filled in, is left for `resolveVariables`, which says so.
 */
export function suiteDefinition(
  server: Exclude<SuiteServer, string>,
  variables: SuiteVariables,
  { id, isTrusted, path }: { readonly id: ServerId; readonly isTrusted: boolean; readonly path?: string },
): ServerDefinition {
  const folders: SuiteVariables = {
    valueOf: (variable) => (variable.includes(':') ? undefined : variables.valueOf(variable)),
  };
  const { versions } = server;
  return {
    id,
    name: nameInId(id),
    source: path === undefined ? { kind: 'command-line' } : { kind: 'workspace-settings', path },
    transport: fillValue(transportOf(server), folders, new Set()),
    isTrusted,
    ...(versions === undefined ? {} : { versions }),
  };
}

function transportOf(server: Exclude<SuiteServer, string>): StdioDefinition | HttpDefinition {
  if ('url' in server) {
    const { type, url, headers } = server;
    return { type: 'http', url, headers: headers ?? {}, ...(type === 'sse' ? { isLegacySse: true } : {}) };
  }
  const { command, args, env, envFile, cwd } = server;
  return {
    type: 'stdio',
    command,
    args: args ?? [],
    env: env ?? {},
    ...(envFile === undefined ? {} : { envFile }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}
