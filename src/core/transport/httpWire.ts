import { Agent, fetch as undiciFetch } from 'undici';
import { Emitter } from '../../base/event.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { JsonRpcId } from '../../protocol/jsonrpc.ts';
import { createBodyLimit } from './bodyLimit.ts';
import {
  beginExchange,
  type ExchangeScope,
  type HttpExchange,
  type HttpRequest,
  isEventStream,
} from './httpExchange.ts';
import { observeBody } from './observeBody.ts';
import { createRecorder, type RecorderOptions } from './recorder.ts';
import { createRequestTracker } from './requestTracker.ts';
import { warnOfListener } from './warnOfListener.ts';
import type { Frame, HttpWire } from './wire.ts';
import type { HttpWireFaults } from './wireFaults.ts';

export interface HttpWireOptions extends RecorderOptions {
  /** Faults that are injected on purpose. */
  readonly faults?: HttpWireFaults | undefined;
  /** Told of an error that a listener threw; traffic goes on. Default: a warning of the process. */
  readonly onListenerError?: (error: unknown) => void;
  /** Whoever sends answers refused access itself (OAuth), so that a 401 or 403 does not end its request. */
  readonly holdsRefusals?: boolean;
}

const CLOSED: TransportFailure = { reason: 'closed', message: 'The connection was closed.' };

/**
 * A wire over Streamable HTTP: `fetch` for the MCP SDK's transport. Sends each request as it is, over sockets without a
 * limit on silence, since limits are the caller's; records every exchange and what its answer carried. The answer that
 * `fetch` gives has the same status, headers and bytes. What no longer can be answered is told by `onDidLoseRequest`.
 *
 * This module is a bundle of its own: import it by `import()` only.
 */
export function createHttpWire(options: HttpWireOptions): HttpWire {
  const { clock, context } = options;
  const onListenerError = options.onListenerError ?? warnOfListener;
  const onDidSend = new Emitter<Frame>(onListenerError);
  const onDidReceive = new Emitter<Frame>(onListenerError);
  const onDidLoseRequest = new Emitter<{ readonly id: JsonRpcId; readonly failure: TransportFailure }>(onListenerError);
  const onDidClose = new Emitter<TransportFailure>(onListenerError);
  const onDidOpenEndpoint = new Emitter<string>(onListenerError);
  const record = createRecorder(options);
  const tracker = createRequestTracker(clock, (id, failure) => onDidLoseRequest.fire({ id, failure }));
  let answerStream: string | undefined;
  let isClosed = false;
  const scope: ExchangeScope = {
    answerStream: () => answerStream,
    onEndpoint: (stream, uri) => {
      if (answerStream === undefined) {
        answerStream = stream;
        onDidOpenEndpoint.fire(uri);
      }
    },
    onStreamEnd: (stream, failure) => {
      if (stream === answerStream) {
        tellClosed(failure);
      }
    },
    holdsRefusals: options.holdsRefusals === true,
    clock,
    record,
    tracker,
    onSend: (frame) => onDidSend.fire(frame),
    onReceive: (frame) => onDidReceive.fire(frame),
  };
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const open = new Set<HttpExchange>();
  const closed = new AbortController();
  let exchanges = 0;
  let closing: Promise<void> | undefined;

  function tellClosed(failure: TransportFailure): void {
    if (!isClosed) {
      isClosed = true;
      onDidClose.fire(failure);
    }
  }

  async function exchange(request: HttpRequest, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.any(init.signal ? [closed.signal, init.signal] : [closed.signal]);
    exchanges += 1;
    const current = beginExchange(`${context.connection}/${exchanges}`, request, scope, () => open.delete(current));
    open.add(current);
    const send = async () => {
      // The types of undici and of Node.js's own copy of it differ in names only.
      const answer: unknown = await undiciFetch(request.url, { ...init, signal, dispatcher: agent } as never);
      return answer as Response;
    };
    let response: Response;
    try {
      response =
        options.faults === undefined
          ? await send()
          : await options.faults(request, { send, signal, note: (note) => record({ kind: 'note', note }) });
    } catch (error) {
      current.failed(error, signal.aborted);
      throw error;
    }
    const observer = current.answered(response, () => signal.aborted);
    if (response.body === null || !canBeCopied(response.status)) {
      observer.onEnd();
      return response;
    }
    const limit = createBodyLimit(isEventStream(response.headers.get('content-type')));
    return withBody(response, observeBody(response.body, observer, limit));
  }

  return {
    onDidSend: onDidSend.event,
    onDidReceive: onDidReceive.event,
    onDidLoseRequest: onDidLoseRequest.event,
    onDidClose: onDidClose.event,
    onDidOpenEndpoint: onDidOpenEndpoint.event,

    fetch: async (input, init = {}) => {
      const { url, settings } = await normalised(input, init);
      const { body } = settings;
      return exchange(
        {
          method: (settings.method ?? 'GET').toUpperCase(),
          url,
          headers: new Headers(settings.headers),
          ...(typeof body === 'string' ? { body } : {}),
        },
        settings,
      );
    },

    close() {
      closing ??= (async () => {
        closed.abort();
        for (const current of [...open]) {
          current.abandon(CLOSED);
        }
        tracker.loseAll(CLOSED);
        await agent.destroy();
        record({ kind: 'lifecycle', detail: { step: 'shutdown', action: 'closed' } });
        tellClosed(CLOSED);
      })();
      return closing;
    },
  };
}

/** The parts of a `Request`, which undici would not take from Node.js's own copy of it. */
async function normalised(
  input: Parameters<typeof fetch>[0],
  init: RequestInit,
): Promise<{ url: string; settings: RequestInit }> {
  if (!(input instanceof Request)) {
    return { url: String(input), settings: init };
  }
  const { method, headers, redirect, signal } = input;
  const body = input.body === null ? {} : { body: await input.text() };
  return { url: input.url, settings: { method, headers, redirect, signal, ...body, ...init } };
}

/** A status that HTTP does not define can be received, but no `Response` be made of it. */
function canBeCopied(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** The same answer with `body` to read, as the `Response` that callers know by `instanceof`. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const answer = new Response(body, { status, statusText, headers: [...headers] });
  const same = (value: unknown): PropertyDescriptor => ({ value, enumerable: true });
  return Object.defineProperties(answer, { url: same(url), redirected: same(redirected), type: same(type) });
}
