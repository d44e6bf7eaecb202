import type { DefinitionSource } from './definition.ts';
import type { ServerId } from './events.ts';

/** The stable id of a server: the same file and name give the same id after every reload. */
export function serverId(kind: DefinitionSource['kind'], name: string): ServerId {
  return `${kind}:${name}` as ServerId;
}

/** The name in a server's id; the whole of what is no id of ours. */
export function nameInId(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}
