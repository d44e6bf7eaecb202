import type { CallOutcome } from '../../../../src/protocol/call.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import type { JsonObject } from '../../../../src/protocol/jsonrpc.ts';
import { idOf, type Script, type World } from './fakeServer.ts';

// Calls through a pool, and servers that do one thing to each of them.

export const call = (world: World, server = 'a', more: object = {}, options: object = {}): Promise<CallOutcome> =>
  world.pool.call(
    { server: idOf(server), method: 'tools/call', params: { name: 'work', arguments: {} }, origin: 'client', ...more },
    options,
  );

/** Does `act` to each tool call. */
export const onCall = (
  act: (message: Parameters<Script>[0], wire: Parameters<Script>[1], count: number) => void,
): Script => {
  let count = 0;
  return (message, wire) => {
    if (message.method !== 'tools/call') {
      return false;
    }
    count += 1;
    act(message, wire, count);
    return true;
  };
};

export const done: Script = onCall((message, wire) => wire.reply(message, { content: [] }));
export const silent: Script = onCall(() => undefined);
export const safeTool: JsonObject = { name: 'work', annotations: { readOnlyHint: true } };
export const exited: TransportFailure = {
  reason: 'exited',
  message: 'exit 3',
  exitCode: 3,
  stderrTail: ['fatal: no disk'],
};

export const attempts = (world: World) =>
  world
    .bodies('attempt')
    .map(({ number, decision, reason, delayMs }) => `${number} ${decision} ${delayMs ?? '-'} ${reason}`);
