import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { memberOf } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { refusalOf } from '../passthrough/httpAccess.ts';
import { headerOf, pairsOf } from '../passthrough/httpHeaders.ts';
import { createPostChannel, type PostChannel, sseFrame } from './httpChannel.ts';
import {
  type PostHead,
  type Refused,
  refusedHead,
  refusedStateless,
  refusedVersion,
  statelessRevision,
} from './httpRules.ts';
import { idOf } from './members.ts';
import { type MockOptions, MockSession } from './mockSession.ts';

export interface HttpMockOptions extends MockOptions {
  /** On the loopback interface: whoever reaches it gets what was recorded. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface HttpMock {
  readonly url: string;
  /** Drops every connection; resolves when nothing listens any more. */
  close(): Promise<void>;
}

/** Most of a body that is read, bytes. */
const MAX_BODY = 64 * 1024 * 1024;

/** A client's session, or what stands for one where the recording has none. */
interface Session {
  readonly mock: MockSession;
  /** The stream that the client listens on, where it has opened one. */
  listening: http.ServerResponse | undefined;
}

/**
 * Serves a recording over Streamable HTTP at `/mcp`, by the rules of the era that each client speaks: with sessions as the
 * recorded server had them, or stateless. Rejects when it cannot listen.
 */
export async function openHttpMock(options: HttpMockOptions): Promise<HttpMock> {
  const sessions = new Map<string, Session>();
  const alone: Session = { mock: new MockSession(options), listening: undefined };
  const server = http.createServer({ requestTimeout: 0, noDelay: true }, (request, response) => {
    serve(request, response, { options, sessions, alone }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        for (const { mock } of [alone, ...sessions.values()]) {
          mock.close();
        }
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Scope {
  readonly options: HttpMockOptions;
  readonly sessions: Map<string, Session>;
  /** For clients without a session. */
  readonly alone: Session;
}

async function serve(request: http.IncomingMessage, response: http.ServerResponse, scope: Scope): Promise<void> {
  const headers = pairsOf(request.rawHeaders);
  const refusal = refusalOf(headers, undefined);
  const head: PostHead = {
    accept: headerOf(headers, 'accept') ?? '*/*',
    contentType: headerOf(headers, 'content-type') ?? '',
    protocolVersion: headerOf(headers, 'mcp-protocol-version'),
    mcpMethod: headerOf(headers, 'mcp-method'),
    mcpName: headerOf(headers, 'mcp-name'),
    sessionId: headerOf(headers, 'mcp-session-id'),
  };
  const origin = headerOf(headers, 'origin');
  if (refusal !== undefined || (origin !== undefined && !isLocal(origin))) {
    refuse(response, { status: 403, code: -32000, message: 'Forbidden: this mock is for this machine only' });
  } else if (new URL(request.url ?? '/', 'http://mock').pathname !== '/mcp') {
    refuse(response, { status: 404, code: -32000, message: 'Not Found: the mock is at /mcp' });
  } else if (request.method === 'POST') {
    await post(request, response, head, scope);
  } else if (request.method === 'GET' || request.method === 'DELETE') {
    withoutBody(request.method, response, head, scope);
  } else {
    refuse(response, notAllowed('GET, POST, DELETE'));
  }
}

async function post(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  head: PostHead,
  scope: Scope,
): Promise<void> {
  const refused = refusedHead(head);
  if (refused !== undefined) {
    refuse(response, refused);
    return;
  }
  const message = await bodyOf(request);
  if (message === undefined) {
    refuse(response, { status: 400, code: -32700, message: 'Parse error' });
    return;
  }
  const found = sessionFor(message, head, scope);
  if ('status' in found) {
    refuse(response, found, message);
    return;
  }
  const { session, opened } = found;
  const messages = Array.isArray(message) ? (message as readonly JsonValue[]) : [message];
  const requests = messages.filter((each) => memberOf(each, 'method') !== undefined && idOf(each) !== undefined);
  const channel = createPostChannel({
    response,
    answers: requests.length,
    headers: opened === undefined ? {} : { 'mcp-session-id': opened },
    later: (raw) => session.listening?.write(sseFrame(raw)),
  });
  response.once('close', () => giveUp(requests, session, channel));
  for (const each of messages) {
    session.mock.receive(each, channel);
  }
  if (requests.length === 0) {
    channel.accept();
  }
}

/** A client that goes away before it is answered wants no answer any more. */
function giveUp(requests: readonly JsonValue[], session: Session, channel: PostChannel): void {
  if (!channel.isDone) {
    for (const each of requests) {
      session.mock.cancel(idOf(each));
    }
  }
}

/** The session of a message, a new one for a handshake, or why there is none. */
function sessionFor(
  message: JsonValue,
  head: PostHead,
  { options, sessions, alone }: Scope,
): { readonly session: Session; readonly opened?: string } | Refused {
  if (statelessRevision(message, head) !== undefined) {
    const refused = refusedStateless(message, head);
    return refused ?? { session: alone };
  }
  const hasSessions = options.server.hasSessions || options.server.transport === 'stdio';
  if (memberOf(message, 'method') === 'initialize') {
    if (!hasSessions) {
      return { session: alone };
    }
    const opened = randomUUID();
    const session: Session = { mock: new MockSession(options), listening: undefined };
    sessions.set(opened, session);
    return { session, opened };
  }
  const refused = refusedVersion(head);
  if (refused !== undefined) {
    return refused;
  }
  if (!hasSessions) {
    return { session: alone };
  }
  if (head.sessionId === undefined) {
    return { status: 400, code: -32000, message: 'Bad Request: Mcp-Session-Id header is required' };
  }
  const session = sessions.get(head.sessionId);
  return session === undefined ? SESSION_NOT_FOUND : { session };
}

/** A stream to listen on, or the end of a session; neither exists in the stateless era. */
function withoutBody(
  method: 'GET' | 'DELETE',
  response: http.ServerResponse,
  head: PostHead,
  { sessions }: Scope,
): void {
  if (head.sessionId === undefined || statelessRevision(null, head) !== undefined) {
    refuse(response, notAllowed('POST'));
    return;
  }
  const session = sessions.get(head.sessionId);
  if (session === undefined) {
    refuse(response, SESSION_NOT_FOUND);
  } else if (method === 'DELETE') {
    session.mock.close();
    session.listening?.end();
    sessions.delete(head.sessionId);
    response.writeHead(200).end();
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    session.listening = response;
  }
}

const SESSION_NOT_FOUND: Refused = { status: 404, code: -32001, message: 'Session not found' };

const notAllowed = (allow: string): Refused => ({ status: 405, code: -32000, message: 'Method not allowed.', allow });

function refuse(response: http.ServerResponse, { status, code, message, allow }: Refused, about?: JsonValue): void {
  const id = about === undefined ? null : (idOf(about) ?? null);
  response
    .writeHead(status, { 'content-type': 'application/json', ...(allow === undefined ? {} : { allow }) })
    .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
}

/** The JSON of a body; `undefined` for one that is none, or too large. */
async function bodyOf(request: http.IncomingMessage): Promise<JsonValue | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY) {
      return undefined;
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonValue;
  } catch {
    return undefined;
  }
}

/** A page in a browser of this machine says where it is from; nobody else does (MCP, "Security Warning"). */
function isLocal(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(origin);
}
