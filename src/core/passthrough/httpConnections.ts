import { randomUUID } from 'node:crypto';
import type { ConnectionId, EventSink, TransportFailure } from '../../protocol/events.ts';
import { memberOf } from '../../protocol/json.ts';
import type { JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { envelopesOf, type ParsedFrame, parseFrame } from '../transport/envelope.ts';
import { namedBy } from '../transport/httpAnswer.ts';
import type { ExchangeScope, HttpRequest } from '../transport/httpExchange.ts';
import { redactUrl } from '../transport/httpRedaction.ts';
import { createRequestTracker } from '../transport/requestTracker.ts';
import type { Frame } from '../transport/wire.ts';
import { watchHandshake } from './handshakeWatch.ts';
import { createNaming, type Naming } from './naming.ts';
import type { PassingClock } from './passingClock.ts';
import type { RecorderSettings } from './recorderMessages.ts';

/** Connections that are known at a time; the one that was not used for the longest goes. */
const MAX_CONNECTIONS = 256;
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** What belongs together over HTTP: one client's conversation with the server, over as many sockets as it likes. */
export interface HttpConnection {
  readonly id: ConnectionId;
  readonly naming: Naming;
  readonly scope: ExchangeScope;
  /** Requests of the client that wait for an answer. */
  readonly waiting: ReadonlySet<string>;
  end(step: 'session-deleted' | 'closed'): void;
}

export interface HttpConnections {
  /** The connection that a request belongs to. */
  of(request: HttpRequest): HttpConnection;
  /** The server has given a session its id. */
  sessionOpened(connection: HttpConnection, session: string): void;
  /** The client has ended its session. */
  sessionDeleted(session: string): void;
  endAll(): void;
}

/**
 * Tells conversations apart: by session (`Mcp-Session-Id`, 2025-03-26 to 2025-11-25), by the address that a stream of HTTP+SSE
 * names for its POSTs (2024-11-05), and where there is neither, by what clients say of themselves. Ids of requests repeat
 * from one client to the next, so that a client that looks like another, but uses an id that waits, is a second one.
 */
export function createHttpConnections(
  settings: RecorderSettings,
  sink: EventSink,
  clock: PassingClock,
): HttpConnections {
  const all = new Set<HttpConnection>();
  const bySession = new Map<string, HttpConnection>();
  const byEndpoint = new Map<string, HttpConnection>();
  const byClient = new Map<string, HttpConnection[]>();

  function open(url: string): HttpConnection {
    const connection = createConnection(url, settings, sink, clock, (endpoint, opened) => {
      if (URL.canParse(endpoint, url)) {
        byEndpoint.set(addressOf(new URL(endpoint, url)), opened);
      }
    });
    all.add(connection);
    const [oldest] = all;
    if (all.size > MAX_CONNECTIONS && oldest !== undefined) {
      forget(oldest, 'closed');
    }
    return connection;
  }

  function forget(connection: HttpConnection, step: 'session-deleted' | 'closed'): void {
    all.delete(connection);
    for (const map of [bySession, byEndpoint]) {
      for (const [key, value] of map) {
        if (value === connection) {
          map.delete(key);
        }
      }
    }
    for (const [key, list] of byClient) {
      const rest = list.filter((each) => each !== connection);
      if (rest.length === 0) {
        byClient.delete(key);
      } else {
        byClient.set(key, rest);
      }
    }
    connection.end(step);
  }

  /** Sessions apart, connections are told by their client; a client that opens a new conversation is not looked for. */
  function stateless(request: HttpRequest, frame: ParsedFrame): HttpConnection {
    const key = `${request.headers.get('user-agent') ?? ''}\n${clientOf(frame.message) ?? ''}`;
    const ids = requestIds(frame);
    const alike = byClient.get(key) ?? lastOf(byClient, `${request.headers.get('user-agent') ?? ''}\n`);
    const free = alike?.find((connection) => ids.every((id) => !connection.waiting.has(id)));
    if (free !== undefined) {
      return free;
    }
    const opened = open(request.url);
    byClient.set(key, [...(byClient.get(key) ?? []), opened]);
    return opened;
  }

  return {
    of(request) {
      const session = request.headers.get('mcp-session-id');
      const known = session === null ? byEndpoint.get(addressOf(new URL(request.url))) : bySession.get(session);
      if (known !== undefined) {
        // The one used last comes last.
        all.delete(known);
        all.add(known);
        return known;
      }
      if (session !== null) {
        const opened = open(request.url);
        bySession.set(session, opened);
        return opened;
      }
      const frame = parseFrame(request.body ?? '');
      const isOpening = envelopesOf(frame).some(
        (envelope) => envelope.kind === 'request' && envelope.method === 'initialize',
      );
      if (request.method === 'GET') {
        return open(request.url);
      }
      if (isOpening) {
        const opened = open(request.url);
        // Without sessions, what follows is known by its client alone.
        byClient.set(`${request.headers.get('user-agent') ?? ''}\n`, [opened]);
        return opened;
      }
      return stateless(request, frame);
    },
    sessionOpened(connection, session) {
      bySession.set(session, connection);
      for (const [key, list] of byClient) {
        byClient.set(
          key,
          list.filter((each) => each !== connection),
        );
      }
    },
    sessionDeleted(session) {
      const connection = bySession.get(session);
      if (connection !== undefined) {
        forget(connection, 'session-deleted');
      }
    },
    endAll() {
      for (const connection of [...all]) {
        forget(connection, 'closed');
      }
    },
  };
}

function createConnection(
  url: string,
  settings: RecorderSettings,
  sink: EventSink,
  clock: PassingClock,
  onEndpoint: (endpoint: string, connection: HttpConnection) => void,
): HttpConnection {
  const id = randomUUID() as ConnectionId;
  const { session, server, fallbackServer } = settings;
  const naming = createNaming({ sink, clock, session, connection: id, server, fallbackServer });
  const waiting = new Set<string>();
  const startUs = clock.monoUs();
  let hasBegun = false;
  let answerStream: string | undefined;

  function record(body: Parameters<Naming['record']>[0]): number {
    if (!hasBegun && body.kind === 'message') {
      hasBegun = true;
      naming.record({ kind: 'lifecycle', detail: { step: 'connecting', url: redactUrl(url) } });
    }
    naming.record(body);
    return clock.monoUs();
  }

  const watch = watchHandshake({
    onClient: (name) => naming.client(name),
    onServer: (name) => naming.server(name),
    onAnswered: () => naming.release(),
    onUp: (step) => record({ kind: 'lifecycle', detail: { ...step, durationUs: clock.monoUs() - startUs } }),
  });
  const lost = (requestId: JsonRpcId, failure: TransportFailure) => {
    waiting.delete(String(requestId));
    const end =
      failure.reason === 'closed'
        ? ({ kind: 'cancelled', by: 'client' } as const)
        : ({ kind: 'transport', failure } as const);
    record({ kind: 'local-end', id: requestId, end });
  };
  const connection: HttpConnection = {
    id,
    naming,
    waiting,
    scope: {
      clock,
      record,
      tracker: createRequestTracker(clock, lost),
      onSend(frame: Frame) {
        for (const requestId of requestIds(frame)) {
          waiting.add(requestId);
        }
        watch('sent', frame);
      },
      onReceive(frame: Frame) {
        for (const answered of [...namedBy(frame), ...(frame.answers === undefined ? [] : [frame.answers])]) {
          waiting.delete(String(answered));
        }
        watch('received', frame);
      },
      answerStream: () => answerStream,
      onEndpoint(stream, uri) {
        answerStream = stream;
        onEndpoint(uri, connection);
      },
      onStreamEnd: () => undefined,
      holdsRefusals: false,
    },
    end(action) {
      if (hasBegun) {
        record({ kind: 'lifecycle', detail: { step: 'shutdown', action } });
        if (action !== 'closed') {
          record({ kind: 'lifecycle', detail: { step: 'shutdown', action: 'closed' } });
        }
      }
      naming.release();
    },
  };
  return connection;
}

function requestIds(frame: ParsedFrame): readonly string[] {
  return envelopesOf(frame).flatMap((envelope) => (envelope.kind === 'request' ? [String(envelope.id)] : []));
}

function addressOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

function lastOf<T>(map: ReadonlyMap<string, T>, start: string): T | undefined {
  return [...map].findLast(([key]) => key.startsWith(start))?.[1];
}

/** What the client of a stateless request calls itself (2026-07-28). */
function clientOf(message: JsonValue | undefined): string | undefined {
  const path = ['params', '_meta', CLIENT_INFO, 'name'];
  const name = path.reduce(memberOf, message);
  return typeof name === 'string' ? name : undefined;
}
