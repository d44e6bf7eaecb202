import type {
  DefinitionProblem,
  HttpDefinition,
  ServerDefinition,
  StdioDefinition,
} from '../../protocol/definition.ts';
import { isHttpUrl } from './serverEntry.ts';

/** What variables stand for. */
export interface VariableEnvironment {
  /** Absent when no folder is open. */
  readonly workspaceFolder?: string | undefined;
  readonly userHome?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Contents of an `envFile`; `undefined` when it cannot be read. */
  readonly readEnvFile?: ((path: string) => Readonly<Record<string, string>> | undefined) | undefined;
}

/** The definition with its values filled in, or the problems that keep it from being used. */
export type Resolution =
  | { readonly definition: ServerDefinition }
  | { readonly problems: readonly DefinitionProblem[] };

/**
 * Fills in `${workspaceFolder}`, `${userHome}` and `${env:NAME}`, and the variables of an `envFile`, over which `env` wins.
 * One that nothing is known for is a problem that names it, since a server started with half of its settings fails
 * somewhere else. Pure but for `readEnvFile`.
 */
export function resolveVariables(definition: ServerDefinition, environment: VariableEnvironment): Resolution {
  const { path = definition.source.kind, range = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 } } =
    definition.source;
  const problems: DefinitionProblem[] = [];
  const blame = (code: string, args: DefinitionProblem['args']) => problems.push({ code, args, path, range });

  const text = (value: string): string =>
    value.replace(/\$\{([^{}]*)\}/g, (whole, variable: string) => {
      const known = lookUp(variable, environment);
      if (known === undefined) {
        blame('definition.unresolved', { variable: whole });
      }
      return known ?? whole;
    });
  const record = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));

  const stdio = ({ command, args, env, envFile, cwd }: StdioDefinition): StdioDefinition => {
    const file = envFile === undefined ? undefined : text(envFile);
    const fromFile = file === undefined ? {} : environment.readEnvFile?.(file);
    if (fromFile === undefined) {
      blame('definition.noEnvFile', { path: file ?? '' });
    }
    return {
      type: 'stdio',
      command: text(command),
      args: args.map(text),
      env: { ...fromFile, ...record(env) },
      ...(cwd === undefined ? {} : { cwd: text(cwd) }),
    };
  };
  const http = ({ url, headers }: HttpDefinition): HttpDefinition => {
    const resolved = { type: 'http', url: text(url), headers: record(headers) } as const;
    if (problems.length === 0 && !isHttpUrl(resolved.url)) {
      blame('definition.badUrl', { url: resolved.url });
    }
    return resolved;
  };

  const transport = definition.transport.type === 'stdio' ? stdio(definition.transport) : http(definition.transport);
  return problems.length > 0 ? { problems } : { definition: { ...definition, transport } };
}

function lookUp(variable: string, { workspaceFolder, userHome, env }: VariableEnvironment): string | undefined {
  if (variable === 'workspaceFolder') {
    return workspaceFolder;
  }
  if (variable === 'userHome') {
    return userHome;
  }
  return variable.startsWith('env:') ? env[variable.slice(4)] : undefined;
}
