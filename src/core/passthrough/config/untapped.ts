import type { HttpDefinition, ServerDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import { readMarkArgument, readTappedAddress, type TapId } from './mark.ts';

/** What a tapped entry starts or contacts without its tap. */
export interface Untapped {
  readonly id: TapId;
  readonly transport: StdioDefinition | HttpDefinition;
}

/** The server behind the tap of an entry, for clients of our own, which record by themselves; `undefined` for one without. */
export function untappedTransport(transport: StdioDefinition | HttpDefinition): Untapped | undefined {
  if (transport.type === 'http') {
    const address = readTappedAddress(transport.url);
    return address === undefined ? undefined : { id: address.id, transport: { ...transport, url: address.original } };
  }
  const dashes = transport.args.indexOf('--');
  const mark = transport.args
    .slice(0, Math.max(0, dashes))
    .map(readMarkArgument)
    .find((each) => each !== undefined);
  const [command, ...args] = transport.args.slice(dashes + 1);
  return mark === undefined || command === undefined
    ? undefined
    : { id: mark.id, transport: { ...transport, command, args } };
}

/** The definition without its tap, if it has one. */
export function untapped(definition: ServerDefinition): ServerDefinition {
  const found = untappedTransport(definition.transport);
  return found === undefined ? definition : { ...definition, transport: found.transport };
}
