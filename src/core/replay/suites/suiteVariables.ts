import type { JsonValue } from '../../../protocol/jsonrpc.ts';

/** What the variables of a suite stand for, by their names as written: `env:HOME`, `secret:token`, `tempFolder`. */
export interface SuiteVariables {
  /** `undefined` for one that nothing is known of. */
  valueOf(variable: string): string | undefined;
}

/** The variables that are a suite's own; `${env:…}` and `${secret:…}` are those of server definitions. */
export const FOLDER_VARIABLES = ['suiteFolder', 'tempFolder', 'workspaceFolder'] as const;

/** Where the values of variables come from. */
export interface SuiteSources {
  /** Of `FOLDER_VARIABLES`. */
  readonly folders: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By their names. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * What the variables stand for, and, of the folders and of those that are `named`, the values by the variables, for the way
 * back.
 */
export function suiteValues(
  { folders, env, secrets }: SuiteSources,
  named: readonly string[],
): { readonly variables: SuiteVariables; readonly known: ReadonlyMap<string, string> } {
  const own = (values: Readonly<Record<string, string | undefined>>, name: string) =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  const lookUp = (variable: string) => {
    const [kind, name = ''] = variable.split(/:(.*)/s);
    switch (kind) {
      case 'env':
        return own(env, name);
      case 'secret':
        return secrets.get(name);
      default:
        return own(folders, variable);
    }
  };
  const values = named.flatMap((variable) => {
    const value = lookUp(variable);
    return value === undefined ? [] : [[variable, value] as const];
  });
  return { variables: { valueOf: lookUp }, known: new Map([...Object.entries(folders), ...values]) };
}

/** The same with the secrets that a server was started with, which it could repeat, as if the suite named them. */
export function withSecrets(
  known: ReadonlyMap<string, string>,
  secrets: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([...[...secrets].map(([name, value]) => [`secret:${name}`, value] as const), ...known]);
}

/** Names of the secrets among variables, each once. */
export function secretsAmong(named: readonly string[]): readonly string[] {
  return [...new Set(named)].flatMap((variable) =>
    variable.startsWith('secret:') ? [variable.slice('secret:'.length)] : [],
  );
}

/** A second `$` before one keeps it as it stands. */
const VARIABLE = /(\$?)\$\{(env:[^{}]{1,200}|secret:[^{}]{1,200}|suiteFolder|tempFolder|workspaceFolder)\}/g;

/** Names of the variables in a text, in order. */
export function variablesOf(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].flatMap(([, escaping, name]) =>
    escaping === '' && name !== undefined ? [name] : [],
  );
}

/** A text with its variables filled in; names of those that nothing is known of are added to `unknown`. */
function fillText(text: string, variables: SuiteVariables, unknown: Set<string>): string {
  return text.replace(VARIABLE, (whole, escaping: string, variable: string) => {
    if (escaping !== '') {
      return whole.slice(1);
    }
    const value = variables.valueOf(variable);
    if (value === undefined) {
      unknown.add(variable);
    }
    return value ?? whole;
  });
}

/** The same of every text in a value, names of members apart. */
export function fillValue<T>(value: T, variables: SuiteVariables, unknown: Set<string>): T {
  return mapTexts(value, (text) => fillText(text, variables, unknown));
}

/** A value with each text in it replaced by what `change` makes of it. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') {
    return change(value) as T;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => mapTexts(item, change)) as T;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)])) as T;
  }
  return value;
}

/** Values shorter than this would be found where they are not meant. */
const LEAST_LENGTH = 4;

/**
 * The way back, for what is written into a suite: a value that a variable stands for becomes the variable again, the
 * longest first, so that neither a secret nor this machine's folders get into the file. Text that only looks like a
 * variable is escaped.
 */
export function unfillValue(value: JsonValue, known: ReadonlyMap<string, string>): JsonValue {
  const byLength = [...known]
    .filter(([, text]) => text.length >= LEAST_LENGTH)
    .toSorted(([, a], [, b]) => b.length - a.length);
  const change = (text: string): string => {
    let parts: readonly (string | { readonly variable: string })[] = [text];
    for (const [variable, secret] of byLength) {
      parts = parts.flatMap((part) =>
        typeof part === 'string'
          ? part.split(secret).flatMap((piece, index) => (index === 0 ? [piece] : [{ variable }, piece]))
          : [part],
      );
    }
    return parts
      .map((part) =>
        typeof part === 'string' ? part.replace(VARIABLE, (whole) => `$${whole}`) : `\${${part.variable}}`,
      )
      .join('');
  };
  return mapTexts(value, change);
}
