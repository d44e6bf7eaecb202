import type { HttpDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import { SecretNames } from './secretNames.ts';

/**
 * The secrets that a server is started or reached with, by the names that they go by there: of the variables and headers whose
 * name says so. A scheme before a credential (`Bearer …`) is no part of it.
 */
export function transportSecrets(transport: StdioDefinition | HttpDefinition): ReadonlyMap<string, string> {
  const names = new SecretNames();
  const named = Object.entries(transport.type === 'stdio' ? transport.env : transport.headers);
  return new Map(
    named.flatMap(([name, value]): readonly (readonly [string, string])[] => {
      switch (names.classOf(name)?.rule) {
        case 'secret':
        case 'token':
          return [[name, value]];
        case 'header':
          return [[name, /^[A-Za-z]{1,20} (\S.*)$/.exec(value)?.[1] ?? value]];
        default:
          return [];
      }
    }),
  );
}
