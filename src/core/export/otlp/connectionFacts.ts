import type { ConnectionId, LogEvent } from '../../../protocol/events.ts';
import { ATTR } from './conventions.ts';
import type { Attributes, AttributeValue } from './spanRecord.ts';

/** Connections whose facts are kept; the one that was heard of longest ago goes first. */
const MAX_CONNECTIONS = 1024;
/** The first revision without sessions: `mcp.session.id` must not be set from it on. */
const STATELESS_SINCE = '2026-07-28';

/** The end of a session, from the handshake until the connection was over. */
export interface SessionEnd {
  readonly durationUs: number;
  readonly attributes: Attributes;
}

interface Facts {
  transport?: 'pipe' | 'tcp';
  address?: string;
  port?: number;
  revision?: string;
  sessionId?: string;
  upUs?: number;
}

/** What the conventions want to know of the connection that carried a request; learned from the log in order. */
export class ConnectionFacts {
  private readonly all = new Map<ConnectionId, Facts>();

  /** Takes the next event; tells the end of a session. */
  push(event: LogEvent): SessionEnd | undefined {
    const { body, connection } = event;
    switch (body.kind) {
      case 'lifecycle':
        return this.lifecycle(event, this.of(connection));
      case 'http': {
        const facts = this.of(connection);
        facts.transport = 'tcp';
        learnUrl(facts, body.url);
        const id = body.responseHeaders['mcp-session-id'] ?? body.requestHeaders['mcp-session-id'];
        if (id !== undefined) {
          facts.sessionId = id;
        }
        return undefined;
      }
      case 'message':
        if (body.http !== undefined) {
          this.of(connection).transport = 'tcp';
        }
        return undefined;
      case 'noise':
      case 'stderr':
      case 'attempt':
      case 'local-end':
      case 'note':
        return undefined;
    }
  }

  /** Of a span. */
  attributesOf(connection: ConnectionId): Attributes {
    const facts = this.all.get(connection) ?? {};
    const isStateless = facts.revision !== undefined && facts.revision >= STATELESS_SINCE;
    return {
      ...metricAttributes(facts),
      ...(facts.sessionId === undefined || isStateless ? {} : { [ATTR.sessionId]: facts.sessionId }),
    };
  }

  /** Sessions that no event has ended, ended at `us`. */
  endAll(us: number): readonly SessionEnd[] {
    const ends = [...this.all.values()].map((facts) => ended(facts, us));
    return ends.filter((end) => end !== undefined);
  }

  private of(connection: ConnectionId): Facts {
    const facts = this.all.get(connection) ?? {};
    // As the newest.
    this.all.delete(connection);
    this.all.set(connection, facts);
    const [oldest] = this.all.keys();
    if (this.all.size > MAX_CONNECTIONS && oldest !== undefined) {
      this.all.delete(oldest);
    }
    return facts;
  }

  private lifecycle({ body, wallUs }: LogEvent, facts: Facts): SessionEnd | undefined {
    if (body.kind !== 'lifecycle') {
      return undefined;
    }
    const { detail } = body;
    switch (detail.step) {
      case 'spawn':
        facts.transport = 'pipe';
        return undefined;
      case 'connecting':
        facts.transport = 'tcp';
        learnUrl(facts, detail.url);
        return undefined;
      case 'initialized':
        facts.revision = detail.revision;
        facts.upUs ??= wallUs;
        return undefined;
      case 'failed':
        return ended(facts, wallUs, detail.failure.reason);
      case 'exited':
        return ended(facts, wallUs, detail.expected ? undefined : 'exited');
      case 'shutdown':
        return detail.action === 'closed' || detail.action === 'session-deleted' ? ended(facts, wallUs) : undefined;
      case 'started':
      case 'backoff':
      case 'crash-loop':
      case 'breaker':
        return undefined;
    }
  }
}

function ended(facts: Facts, us: number, errorType?: string): SessionEnd | undefined {
  const { upUs } = facts;
  if (upUs === undefined) {
    return undefined;
  }
  delete facts.upUs;
  return {
    durationUs: Math.max(0, us - upUs),
    attributes: { ...metricAttributes(facts), ...(errorType === undefined ? {} : { [ATTR.errorType]: errorType }) },
  };
}

/** What is of few values: a session's id is not. */
function metricAttributes({ transport, address, port, revision }: Facts): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  if (transport !== undefined) {
    attributes[ATTR.networkTransport] = transport;
  }
  if (transport === 'tcp') {
    attributes[ATTR.networkProtocol] = 'http';
  }
  if (address !== undefined && port !== undefined) {
    attributes[ATTR.serverAddress] = address;
    attributes[ATTR.serverPort] = port;
  }
  if (revision !== undefined) {
    attributes[ATTR.protocolVersion] = revision;
  }
  return attributes;
}

function learnUrl(facts: Facts, url: string): void {
  if (facts.address !== undefined || !URL.canParse(url)) {
    return;
  }
  const { hostname, port, protocol } = new URL(url);
  facts.address = hostname.replace(/^\[(.*)\]$/, '$1');
  facts.port = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
