import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  ConnectionId,
  EventBody,
  LogEvent,
  NewLogEvent,
  ServerId,
  SessionId,
} from '../../../../src/protocol/events.ts';

/** A message event; `id` makes it one of a kind. */
export function message(id: number, overrides: Partial<NewLogEvent> = {}): NewLogEvent {
  const raw = `{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`;
  return withBody(
    {
      kind: 'message',
      direction: 'sent',
      raw,
      bytes: raw.length,
      envelope: { kind: 'request', id, method: 'tools/call' },
    },
    overrides,
  );
}

export function withBody(body: EventBody, overrides: Partial<NewLogEvent> = {}): NewLogEvent {
  return {
    session: 'session-1' as SessionId,
    server: 'test:shop' as ServerId,
    connection: 'connection-1' as ConnectionId,
    wallUs: 1_700_000_000_000_000,
    monoUs: 12,
    origin: 'client',
    body,
    ...overrides,
  };
}

/** The ids of messages, in order; other events by their kind. */
export function idsOf(events: readonly LogEvent[]): Array<string | number> {
  return events.map(({ body }) =>
    body.kind === 'message' && body.envelope.kind === 'request' ? body.envelope.id : body.kind,
  );
}

/** A folder that lasts as long as `use`. */
export function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'faultline-log-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let result: T;
  try {
    result = use(folder);
  } catch (error) {
    remove();
    throw error;
  }
  if (result instanceof Promise) {
    return result.finally(remove) as T;
  }
  remove();
  return result;
}
