import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, isInitializeRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { connectBookshop, createBookshop } from './bookshop.ts';
import { Shop } from './shop.ts';
import { httpRefusal, registerHttpTools } from './tools/httpFaults.ts';

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  /** Responses that are still open, by the request that they answer, so that a tool can break its own. */
  readonly open: Map<RequestId, ServerResponse>;
}

/** Serves Streamable HTTP on the loopback interface alone; resolves with the URL when it listens. Port 0 takes a free one. */
export async function serveHttp(port: number): Promise<string> {
  const shop = new Shop();
  const sessions = new Map<string, Session>();
  const server = createServer((request, response) => {
    handle(request, response, shop, sessions).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      refuse(response, 400, 'Bad request');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // An IP server that listens has an AddressInfo; the other forms are for pipes and closed servers.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  shop: Shop,
  sessions: Map<string, Session>,
): Promise<void> {
  if (!isLoopbackHost(request.headers.host)) {
    // A page that rebinds its name to 127.0.0.1 still sends its own name (2025-11-25, "Transports", security warning).
    refuse(response, 403, 'Forbidden host');
  } else if (request.url !== '/mcp') {
    refuse(response, 404, 'Not found');
  } else {
    const body = request.method === 'POST' ? await json(request) : undefined;
    const session = await sessionOf(request, body, shop, sessions);
    if (session === undefined) {
      refuse(response, 404, 'Session not found');
    } else {
      await pass(request, response, body, session, shop);
    }
  }
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  session: Session,
  shop: Shop,
): Promise<void> {
  const call = CallToolRequestSchema.safeParse(body);
  if (call.success) {
    const refusal = httpRefusal(call.data.params.name, call.data.params.arguments ?? {}, shop);
    if (refusal !== undefined) {
      response.writeHead(refusal.status, refusal.headers).end(refusal.body);
      return;
    }
    const { id } = body as { readonly id: RequestId };
    session.open.set(id, response);
    response.once('close', () => session.open.delete(id));
  }
  await session.transport.handleRequest(request, response, body);
}

/** The session that the request names, a new one for `initialize`, or `undefined` when it names one that is gone. */
async function sessionOf(
  request: IncomingMessage,
  body: unknown,
  shop: Shop,
  sessions: Map<string, Session>,
): Promise<Session | undefined> {
  const id = request.headers['mcp-session-id'];
  if (id === undefined && isInitializeRequest(body)) {
    return openSession(shop, sessions);
  }
  // Without an id the transport of a fresh session says what is missing, in the words of the SDK.
  return id === undefined ? openSession(shop, new Map()) : sessions.get(String(id));
}

async function openSession(shop: Shop, sessions: Map<string, Session>): Promise<Session> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => {
      sessions.set(id, session);
    },
    onsessionclosed: (id) => {
      sessions.delete(id);
    },
  });
  const session: Session = { transport, open: new Map() };
  // The SDK's class declares `onclose` with `| undefined`, its interface without: the same thing at run time.
  await connectBookshop(createBookshop(shop, [registerHttpTools]), transport as Transport, shop, {
    print: (line) => process.stdout.write(`${line}\n`),
    crash: (lastWords, id) => {
      process.stderr.write(`${lastWords}\n`);
      session.open.get(id)?.destroy();
    },
    endStream: (id) => transport.closeSSEStream(id),
  });
  return session;
}

function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (!response.headersSent) {
    response.writeHead(status, { 'content-type': 'text/plain' });
  }
  response.end(message);
}
