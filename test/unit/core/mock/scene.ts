import { AnswerBook } from '../../../../src/core/mock/answerBook.ts';
import { collectServers } from '../../../../src/core/mock/collectServers.ts';
import { type MockChannel, type MockOptions, MockSession } from '../../../../src/core/mock/mockSession.ts';
import type { RecordedServer } from '../../../../src/core/mock/recordedServer.ts';
import { readEnvelope } from '../../../../src/core/transport/envelope.ts';
import type { ConnectionId, EventBody, LogEvent, ServerId, SessionId } from '../../../../src/protocol/events.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { FakeClock } from '../../support/fakeClock.ts';

export interface Happening {
  readonly atMs?: number;
  readonly connection?: string;
  readonly body: EventBody;
}

const message = (direction: 'sent' | 'received', value: JsonValue, http?: string): EventBody => {
  const raw = JSON.stringify(value);
  return {
    kind: 'message',
    direction,
    raw,
    bytes: raw.length,
    envelope: readEnvelope(value),
    ...(http === undefined ? {} : { http }),
  };
};

export const client = (value: JsonValue, http?: string): Happening => ({ body: message('sent', value, http) });
export const server = (value: JsonValue, http?: string): Happening => ({ body: message('received', value, http) });
export const at = (atMs: number, happening: Happening): Happening => ({ ...happening, atMs });

export const request = (id: number | string, method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
export const note = (method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  method,
  ...(params === undefined ? {} : { params }),
});
export const result = (id: number | string, value: JsonValue): JsonObject => ({ jsonrpc: '2.0', id, result: value });
export const call = (id: number | string, name: string, args: JsonObject = {}, meta?: JsonObject) =>
  request(id, 'tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });

function eventsOf(happenings: readonly Happening[]): readonly LogEvent[] {
  let ms = 0;
  return happenings.map(({ atMs, connection = 'c1', body }, index) => {
    ms = atMs ?? ms;
    return {
      seq: index + 1,
      session: 's' as SessionId,
      server: 'settings:shop' as ServerId,
      connection: connection as ConnectionId,
      wallUs: ms * 1000,
      monoUs: ms * 1000,
      origin: 'client',
      body,
    };
  });
}

async function serverOf(happenings: readonly Happening[]): Promise<RecordedServer> {
  const [found] = (await collectServers(eventsOf(happenings))).values();
  if (found === undefined) {
    throw new Error('nothing was recorded');
  }
  return found;
}

/** A conversation with a mock of what happened, and all that came of it, as JSON where it is that. */
export async function converse(happenings: readonly Happening[], more: Partial<MockOptions> = {}) {
  const recorded = await serverOf(happenings);
  const clock = new FakeClock();
  const book = new AnswerBook(recorded);
  const said: JsonValue[] = [];
  const channel: MockChannel = {
    message: (raw) => {
      try {
        said.push(JSON.parse(raw));
      } catch {
        said.push(raw);
      }
    },
    other: (step) => {
      const { afterMs: _, ...rest } = step;
      said.push(rest as JsonValue);
    },
    done: () => said.push('done'),
  };
  const newSession = () => new MockSession({ server: recorded, book, clock, delayFactor: 0, ...more });
  const session = newSession();
  return {
    session,
    newSession,
    clock,
    /** Says something and gives what has come of it by now. */
    async say(value: JsonValue, using = session): Promise<readonly JsonValue[]> {
      said.length = 0;
      using.receive(value, channel);
      await clock.advance(0);
      return [...said];
    },
    async later(ms: number): Promise<readonly JsonValue[]> {
      said.length = 0;
      await clock.advance(ms);
      return [...said];
    },
    channel,
    said,
  };
}
