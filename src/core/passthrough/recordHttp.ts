import { assertNever } from '../../base/assertNever.ts';
import type { EventSink, TransportFailure } from '../../protocol/events.ts';
import { createBodyLimit } from '../transport/bodyLimit.ts';
import { beginExchange, type HttpExchange, type HttpRequest, isEventStream } from '../transport/httpExchange.ts';
import { MAX_LINE_BYTES } from '../transport/lineFramer.ts';
import type { BodyObserver } from '../transport/observeBody.ts';
import { type BodyDecoder, createBodyDecoder } from './bodyDecoder.ts';
import { createHttpConnections, type HttpConnection } from './httpConnections.ts';
import type { Fact, Passage } from './passage.ts';
import type { PassingClock } from './passingClock.ts';
import type { RecorderSettings } from './recorderMessages.ts';
import type { ConnectionRecording } from './recordStdio.ts';

/** One exchange that is under way. */
interface OpenExchange {
  readonly number: number;
  readonly head: Extract<Fact, { fact: 'request' }>;
  readonly sent: Uint8Array[];
  sentBytes: number;
  isAborted: boolean;
  begun?: { readonly connection: HttpConnection; readonly exchange: HttpExchange; readonly request: HttpRequest };
  answer?: { readonly status: number; readonly observer: BodyObserver; readonly decoder: BodyDecoder | undefined };
}

/** A recording whose last bytes may still be being decoded. */
export interface HttpRecording extends ConnectionRecording {
  /** Resolves when what has passed is recorded as far as it will be. */
  settled(): Promise<void>;
}

/** The events of what passed over HTTP, each exchange on the connection that it belongs to. */
export function recordHttp(settings: RecorderSettings, sink: EventSink, clock: PassingClock): HttpRecording {
  const connections = createHttpConnections(settings, sink, clock);
  const open = new Map<number, OpenExchange>();
  const decoding = new Set<Promise<void>>();

  /** The request is known: its body is whole, or its answer comes before that. */
  function begin(exchange: OpenExchange): NonNullable<OpenExchange['begun']> {
    if (exchange.begun !== undefined) {
      return exchange.begun;
    }
    const { method, url } = exchange.head;
    const body = Buffer.concat(exchange.sent).toString('utf8');
    const request = { method, url, headers: headersOf(exchange.head.headers), ...(body === '' ? {} : { body }) };
    exchange.sent.length = 0;
    const connection = connections.of(request);
    const id = `${connection.id}/${exchange.number}`;
    const begun = {
      connection,
      request,
      exchange: beginExchange(id, request, connection.scope, () => open.delete(exchange.number)),
    };
    exchange.begun = begun;
    return begun;
  }

  function answered(exchange: OpenExchange, { status, headers: pairs }: Extract<Fact, { fact: 'response' }>): void {
    const { connection, exchange: http } = begin(exchange);
    const headers = headersOf(pairs);
    const session = headers.get('mcp-session-id');
    if (session !== null && status < 300) {
      connections.sessionOpened(connection, session);
    }
    const observer = http.answered({ status, headers }, () => exchange.isAborted);
    const decoder = createBodyDecoder(
      headers.get('content-encoding'),
      (chunk) => observer.onChunk(chunk),
      // A stream's events are limited each by itself, by whoever reads them.
      isEventStream(headers.get('content-type')) ? undefined : createBodyLimit(false),
    );
    exchange.answer = { status, observer, decoder };
  }

  function ended(exchange: OpenExchange): void {
    const { answer } = exchange;
    if (answer === undefined) {
      return;
    }
    afterDecoding(answer.decoder, () => {
      answer.observer.onEnd();
      const deleted = exchange.begun?.request;
      const session = deleted?.method === 'DELETE' ? deleted.headers.get('mcp-session-id') : null;
      if (typeof session === 'string' && answer.status < 300) {
        connections.sessionDeleted(session);
      }
    });
  }

  function failed(exchange: OpenExchange, failure: TransportFailure, isAborted: boolean): void {
    exchange.isAborted = isAborted;
    const { answer } = exchange;
    if (answer === undefined) {
      begin(exchange).exchange.failed(errorOf(failure), isAborted);
    } else {
      afterDecoding(answer.decoder, () => answer.observer.onError(errorOf(failure)));
    }
  }

  function afterDecoding(decoder: BodyDecoder | undefined, then: () => void): void {
    if (decoder === undefined) {
      then();
      return;
    }
    const done = decoder.end().then(() => {
      then();
      decoding.delete(done);
    });
    decoding.add(done);
  }

  function bytes(exchange: OpenExchange, channel: string, chunk: Uint8Array): void {
    if (channel === 'received') {
      const { answer } = exchange;
      if (answer?.decoder === undefined) {
        answer?.observer.onChunk(chunk);
      } else {
        answer.decoder.push(chunk);
      }
    } else if (exchange.sentBytes + chunk.length <= MAX_LINE_BYTES) {
      exchange.sentBytes += chunk.length;
      exchange.sent.push(chunk);
    }
  }

  function happened(number: number, fact: Fact): void {
    if (fact.fact === 'request') {
      open.set(number, { number, head: fact, sent: [], sentBytes: 0, isAborted: false });
      return;
    }
    const exchange = open.get(number);
    if (exchange === undefined) {
      return;
    }
    switch (fact.fact) {
      case 'end':
        if (fact.channel === 'sent') {
          begin(exchange);
        } else {
          ended(exchange);
        }
        return;
      case 'response':
        answered(exchange, fact);
        return;
      case 'failed':
        failed(exchange, fact.failure, fact.isAborted);
        return;
      case 'gap': {
        const { bytes: lost, reason, lines } = fact;
        const note = { type: 'gap', events: Math.max(1, lines), bytes: lost, reason } as const;
        begin(exchange).connection.naming.record({ kind: 'note', note });
        return;
      }
      case 'injected':
        begin(exchange).connection.naming.record({ kind: 'note', note: fact.note });
        return;
      case 'endpoint-rewritten': {
        const text = `The tap changed the endpoint that the server named, ${fact.from}, to ${fact.to}, so that the client comes back through it.`;
        begin(exchange).connection.naming.record({ kind: 'note', note: { type: 'mark', text } });
        return;
      }
      case 'lifecycle':
        return;
      default:
        assertNever(fact);
    }
  }

  return {
    take({ exchange: number, what }: Passage) {
      if ('fact' in what) {
        happened(number, what);
        return;
      }
      const exchange = open.get(number);
      if (exchange !== undefined) {
        bytes(exchange, what.channel, what.bytes);
      }
    },
    end() {
      const failure: TransportFailure = { reason: 'closed', message: 'The tap was ended.' };
      for (const exchange of [...open.values()]) {
        begin(exchange).exchange.abandon(failure);
      }
      connections.endAll();
    },
    settled: async () => {
      await Promise.all(decoding);
    },
  };
}

function headersOf(pairs: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) {
    try {
      headers.append(name, value);
    } catch {
      // A value that `Headers` does not take: it was forwarded, and is not on record.
    }
  }
  return headers;
}

/** As `networkFailure` reads it. */
function errorOf({ code, message }: TransportFailure): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
