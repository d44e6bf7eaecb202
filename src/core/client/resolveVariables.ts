import type {
  DefinitionProblem,
  HttpDefinition,
  ServerDefinition,
  StdioDefinition,
} from '../../protocol/definition.ts';
import { type Dialect, dialectOf } from './discovery/dialects.ts';
import { isHttpUrl } from './serverEntry.ts';

/** What variables stand for. */
export interface VariableEnvironment {
  /** Absent when no folder is open. */
  readonly workspaceFolder?: string | undefined;
  /** Paths of all folders of the workspace by their names, for `${workspaceFolder:name}`. */
  readonly workspaceFolders?: Readonly<Record<string, string>> | undefined;
  readonly userHome?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Contents of an `envFile`; `undefined` when it cannot be read. */
  readonly readEnvFile?: ((path: string) => Readonly<Record<string, string>> | undefined) | undefined;
  /** Answers to `${input:…}`, by id. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** What `${secret:…}` stands for, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Leaves what is not known as it stands, to show a definition before anybody was asked. */
  readonly keepsUnknown?: boolean;
  /** Of paths; default `/`. */
  readonly separator?: '/' | '\\';
}

/** The definition with its values filled in, or the problems that keep it from being used. */
export type Resolution =
  | { readonly definition: ServerDefinition }
  | { readonly problems: readonly DefinitionProblem[] };

/**
 * Fills in the variables of a definition as the client whose file it is would: those of VS Code (`${workspaceFolder}`,
 * `${userHome}`, `${env:NAME}`, `${input:id}`, …), Claude Code's `${NAME}` and `${NAME:-default}`, and everywhere
 * `${secret:name}`; and the variables of an `envFile`, over which `env` wins. One that nothing is known for is a problem
 * that names it, since a server started with half of its settings fails somewhere else; where the client itself leaves
 * such text alone, so do we. Pure but for `readEnvFile`.
 */
export function resolveVariables(definition: ServerDefinition, environment: VariableEnvironment): Resolution {
  const { path = definition.source.kind, range = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 } } =
    definition.source;
  const { variables } = dialectOf(definition.source.kind);
  const { keepsUnknown = false } = environment;
  const problems: DefinitionProblem[] = [];
  const blame = (code: string, args: DefinitionProblem['args']) => problems.push({ code, args, path, range });

  const text = (value: string): string =>
    value.replace(/\$\{([^{}]*)\}/g, (whole, variable: string) => {
      const known = lookUp(variable, variables, environment);
      if (known === undefined && !keepsUnknown && (variables !== 'literal' || isOurs(variable))) {
        blame(codeFor(variable), { variable: whole, name: variable.slice(variable.indexOf(':') + 1) });
      }
      return known ?? whole;
    });
  const record = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));

  const stdio = ({ command, args, env, envFile, cwd }: StdioDefinition): StdioDefinition => {
    const file = envFile === undefined ? undefined : text(envFile);
    const fromFile = file === undefined ? {} : environment.readEnvFile?.(file);
    if (fromFile === undefined && !keepsUnknown) {
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
  const http = (transport: HttpDefinition): HttpDefinition => {
    const resolved = { ...transport, url: text(transport.url), headers: record(transport.headers) };
    if (problems.length === 0 && !isHttpUrl(resolved.url)) {
      blame('definition.badUrl', { url: resolved.url });
    }
    return resolved;
  };

  const transport = definition.transport.type === 'stdio' ? stdio(definition.transport) : http(definition.transport);
  return problems.length > 0 ? { problems } : { definition: { ...definition, transport } };
}

function lookUp(
  variable: string,
  variables: Dialect['variables'],
  environment: VariableEnvironment,
): string | undefined {
  const { workspaceFolder, workspaceFolders, userHome, env, inputs, secrets, separator = '/' } = environment;
  const colon = variable.indexOf(':');
  const [prefix, name] = colon < 0 ? [variable, ''] : [variable.slice(0, colon), variable.slice(colon + 1)];
  switch (prefix) {
    case 'secret':
      return own(secrets, name);
    case 'env':
      return own(env, name);
    case 'input':
      return own(inputs, name);
    case 'userHome':
      return userHome;
    case 'workspaceFolder':
      return name === '' ? workspaceFolder : own(workspaceFolders, name);
    case 'workspaceFolderBasename':
      return (name === '' ? workspaceFolder : own(workspaceFolders, name))
        ?.split(/[\\/]/)
        .findLast((part) => part !== '');
    case 'pathSeparator':
    case '/':
      return separator;
    default:
      return variables === 'claude' ? (own(env, prefix) ?? defaultOf(name)) : undefined;
  }
}

/** `NAME:-default`: what follows the colon is `-default`. */
function defaultOf(name: string): string | undefined {
  return name.startsWith('-') ? name.slice(1) : undefined;
}

/** A name is the file's word: `constructor` must not find what every object has. */
function own(values: Readonly<Record<string, string | undefined>> | undefined, name: string): string | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

function isOurs(variable: string): boolean {
  return variable.startsWith('secret:');
}

function codeFor(variable: string): string {
  return variable.startsWith('secret:')
    ? 'definition.noSecret'
    : variable.startsWith('env:')
      ? 'definition.noVariable'
      : 'definition.unresolved';
}
