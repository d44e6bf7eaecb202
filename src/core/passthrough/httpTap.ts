import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import { networkFailure } from '../transport/httpFailure.ts';
import { createEndpointRewriter } from './endpointRewriter.ts';
import type { TapHttpFaults, WholeRequest } from './faults/tapHttpFaults.ts';
import { refusalOf, TOKEN_HEADER } from './httpAccess.ts';
import { endToEnd, type HeaderPair, headerOf, pairsOf } from './httpHeaders.ts';
import { createUpstream, markBusy, type Upstream } from './httpUpstream.ts';
import type { Tape } from './tape.ts';

export interface HttpTapOptions {
  readonly url: URL;
  /** PEM of certificate authorities that are trusted beside the usual ones. */
  readonly ca: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly tape: Tape;
  /** Faults that are injected on purpose. Without them requests stream on as they come. */
  readonly faults?: HttpTapFaults | undefined;
}

export interface HttpTapFaults {
  readonly clock: Clock;
  readonly requests: TapHttpFaults;
  /** The module that does it, loaded by whoever wants faults. */
  readonly module: Pick<typeof import('./faults/tapHttpFaults.ts'), 'answerInstead' | 'breakOff' | 'passBroken'>;
}

export interface HttpTap {
  readonly address: AddressInfo;
  /** Takes nothing new, gives what is under way `graceMs` to end, and ends the rest. Never rejects. */
  close(graceMs: number): Promise<void>;
}

/** Says of an answer that no server sent it. */
const OWN_HEADER = 'Faultline-Tap';
const IDLE_MS = 75_000;

/**
 * A reverse proxy for one MCP server, Streamable HTTP and HTTP+SSE alike: bodies stream both ways as they come, headers stay
 * but for those between neighbours and `Host`. Rejects when it cannot listen.
 */
export async function openHttpTap(options: HttpTapOptions): Promise<HttpTap> {
  const upstream = createUpstream(options.url, options.ca);
  let exchanges = 0;
  const take = (request: http.IncomingMessage, response: http.ServerResponse) => {
    exchanges += 1;
    const exchange = exchanges;
    const refusal = refusalOf(pairsOf(request.rawHeaders), options.token);
    if (refusal !== undefined) {
      answerOurselves(response, refusal.status, 'refused', refusal.text);
    } else if (options.faults !== undefined && request.method === 'POST') {
      if (request.headers.expect !== undefined) {
        response.writeContinue();
      }
      options.faults.requests.read(request, (whole) => {
        if (whole === undefined) {
          answerOurselves(response, 413, 'too-large', 'The request could not be read whole, as faults need it.');
        } else {
          passExchange(exchange, request, response, upstream, options, whole);
        }
      });
    } else {
      passExchange(exchange, request, response, upstream, options);
    }
  };
  // Limits on time and on headers are the server's to set; ours would come in its way.
  const server = http.createServer(
    { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: IDLE_MS, noDelay: true },
    take,
  );
  server.on('checkContinue', take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  server.removeAllListeners('error');
  return {
    // Listening on a port, which has an address of this form.
    address: server.address() as AddressInfo,
    close: (graceMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          upstream.close();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function passExchange(
  exchange: number,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  upstream: Upstream,
  { tape, faults }: HttpTapOptions,
  whole?: WholeRequest,
): void {
  const { method = 'GET', socket } = request;
  const headers = pairsOf(request.rawHeaders);
  const path = pathAt(upstream.url, request.url ?? '/');
  const sent = [
    // What faults are to change has to be read, and was read whole.
    ...endToEnd(headers, ['host', TOKEN_HEADER, ...(whole === undefined ? [] : ['accept-encoding', 'expect'])]),
    // As the server knows itself: it may serve several names, and refuses those that it does not know.
    ['Host', upstream.url.host] as const,
  ];
  const isChunked = headerOf(headers, 'transfer-encoding') !== undefined;
  let isOver = false;
  const over = () => {
    isOver = true;
    markBusy(socket, false);
  };
  // Joined as it is sent: a path such as `//` is no URL of its own, and `//name/` would be that of another server.
  const url = `${upstream.url.origin}${path.startsWith('/') ? '' : '/'}${path}`;
  tape.happened(exchange, { fact: 'request', method, url, headers: sent });
  markBusy(socket, true);
  if (whole !== undefined) {
    tape.passed('sent', exchange, whole.body);
    tape.happened(exchange, { fact: 'end', channel: 'sent' });
  }
  const meeting = whole?.meet(exchange);
  const place = { exchange, response, tape, over };
  if (faults !== undefined && meeting?.kind === 'own') {
    faults.module.answerInstead(meeting, faults.clock, place);
    return;
  }
  if (faults !== undefined && meeting?.kind === 'broken') {
    faults.module.breakOff(place);
    return;
  }
  const broken = meeting?.kind === 'passed' ? meeting : undefined;
  const target = upstream.request(socket, method, path, [
    ...sent.flat(),
    ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
  ]);

  target.on('continue', () => response.writeContinue());
  if (whole !== undefined) {
    target.end(whole.body);
  } else {
    if (headerOf(headers, 'expect') !== undefined) {
      target.flushHeaders();
    }
    request.pipe(target);
    request.on('data', (chunk: Uint8Array) => tape.passed('sent', exchange, chunk));
    request.once('end', () => tape.happened(exchange, { fact: 'end', channel: 'sent' }));
  }
  // Before its first byte a body may keep us waiting for long.
  setImmediate(() => target.flushHeaders());

  target.once('response', (answer) =>
    faults !== undefined && broken !== undefined
      ? faults.module.passBroken(answer, broken, place)
      : passAnswer(exchange, headers, response, answer, upstream, tape, over),
  );
  target.once('error', (error) => {
    if (isOver) {
      return;
    }
    over();
    const isAborted = response.destroyed;
    const failure = networkFailure(error);
    tape.happened(exchange, { fact: 'failed', failure, isAborted });
    if (response.headersSent || isAborted || wasClosedIdle(target, failure)) {
      response.destroy();
    } else {
      answerOurselves(response, 502, failure.reason, unreachable(upstream.url, failure));
    }
  });
  response.once('close', () => {
    if (!isOver && !response.writableFinished) {
      target.destroy();
      over();
      const failure = { reason: 'closed', message: 'The client gave up the request.' } as const;
      tape.happened(exchange, { fact: 'failed', failure, isAborted: true });
    }
  });
}

function passAnswer(
  exchange: number,
  requestHeaders: readonly HeaderPair[],
  response: http.ServerResponse,
  answer: http.IncomingMessage,
  upstream: Upstream,
  tape: Tape,
  over: () => void,
): void {
  const headers = pairsOf(answer.rawHeaders);
  const { statusCode: status = 502, statusMessage = '' } = answer;
  response.sendDate = false;
  response.writeHead(status, statusMessage, endToEnd(headers).flat());
  tape.happened(exchange, { fact: 'response', status, headers });
  const rewriter = answersWithStream(answer)
    ? createEndpointRewriter(upstream.url.origin, ownOrigin(response, requestHeaders), (from, to) =>
        tape.happened(exchange, { fact: 'endpoint-rewritten', from, to }),
      )
    : undefined;
  // The head of a stream may be all for a long time; that of an answer goes out with its body.
  setImmediate(() => response.flushHeaders());
  if (rewriter === undefined) {
    answer.pipe(response);
  } else {
    answer.on('data', (chunk: Uint8Array) => {
      const bytes = rewriter.push(chunk);
      if (bytes.length > 0 && !response.write(bytes)) {
        answer.pause();
        response.once('drain', () => answer.resume());
      }
    });
    answer.once('end', () => response.end(rewriter.end()));
  }
  answer.on('data', (chunk: Uint8Array) => tape.passed('received', exchange, chunk));
  answer.once('end', () => {
    over();
    tape.happened(exchange, { fact: 'end', channel: 'received' });
  });
  answer.once('error', (error) => {
    if (!response.destroyed) {
      over();
      tape.happened(exchange, { fact: 'failed', failure: networkFailure(error), isAborted: false });
      response.destroy();
    }
  });
}

/** A path goes on as it is, to the server's origin; the root, which a person may have left it at, stands for the URL's own. */
function pathAt(url: URL, target: string): string {
  const path = URL.canParse(target) ? new URL(target).pathname + new URL(target).search : target;
  return path === '/' ? `${url.pathname}${url.search}` : path;
}

/** Where the client thinks that it is. */
function ownOrigin(response: http.ServerResponse, headers: readonly HeaderPair[]): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = response.socket ?? {};
  return `http://${headerOf(headers, 'host') ?? `${localAddress}:${localPort}`}`;
}

/** Only the answer to a GET can open HTTP+SSE; a compressed one cannot be read without changing all of it. */
function answersWithStream(answer: http.IncomingMessage): boolean {
  const { method } = (answer as { req?: http.ClientRequest }).req ?? {};
  return (
    method === 'GET' &&
    /^\s*text\/event-stream\s*(?:;|$)/i.test(answer.headers['content-type'] ?? '') &&
    (answer.headers['content-encoding'] ?? 'identity') === 'identity'
  );
}

/** The server ended a connection that it had kept, just as a request was sent on it: the client is to see just that. */
function wasClosedIdle(target: http.ClientRequest, failure: TransportFailure): boolean {
  return target.reusedSocket && failure.reason === 'reset';
}

function unreachable(url: URL, failure: TransportFailure): string {
  return `The server at ${url.origin} could not be reached: ${failure.message}`;
}

/** An answer that says in its head and its body that it is the tap's own. */
function answerOurselves(response: http.ServerResponse, status: number, reason: string, text: string): void {
  const body = `faultline tap: ${text}\nThis answer is from the tap; the server has sent none.\n`;
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    [OWN_HEADER]: reason,
  });
  response.end(body);
}
