import type { ConnectionId, HttpBody, LogEvent, MessageBody, ServerId } from '../../protocol/events.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { isModern } from '../../protocol/revisions.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { PROTOCOL_VERSION, paramsOf } from '../classify/messageShape.ts';
import { isMeantAsJsonRpc, parseFrame } from '../transport/envelope.ts';
import { idOf, progressTokenOf } from './members.ts';
import type { MockStep, RecordedCall, RecordedServer } from './recordedServer.ts';

/** A step without the moment at which it was taken. */
type Deed = MockStep extends infer S ? (S extends MockStep ? Omit<S, 'afterMs'> : never) : never;

interface Call extends RecordedCall {
  readonly steps: MockStep[];
  readonly monoUs: number;
  http?: { status: number; isStream: boolean };
  isAnswered: boolean;
}

/** What is open on one connection. */
interface Open {
  readonly byId: Map<string, Call>;
  readonly byToken: Map<string, Call>;
  /** By the HTTP exchange that carried it. */
  readonly byHttp: Map<string, Call>;
  /** Requests of the server that wait for the client, by their ids. */
  readonly asked: Map<string, Call>;
  /** Calls in the order in which they were sent; answered ones are taken off its end when it is looked at. */
  readonly waiting: Call[];
  last: Call | undefined;
}

interface Server {
  readonly calls: Call[];
  readonly opening: MockStep[];
  readonly connections: Map<ConnectionId, Open>;
  first: ConnectionId | undefined;
  firstUs: number;
  isHttp: boolean;
  hasSessions: boolean;
  revision: string | undefined;
  serverInfo: RecordedServer['serverInfo'];
}

/**
 * What was recorded of each server, by its id: every message of a client with what the server did about it, in the order and
 * at the distance in time in which it did. What names a call (the id of an answer, a progress token, the HTTP exchange) is
 * that call's; the rest is that of the call last sent that waited. Servers that nobody spoke to are left out. Rejects only
 * when `events` does.
 */
export async function collectServers(
  events: AsyncIterable<LogEvent> | Iterable<LogEvent>,
): Promise<ReadonlyMap<ServerId, RecordedServer>> {
  const servers = new Map<ServerId, Server>();
  for await (const event of events) {
    const server = servers.get(event.server) ?? newServer();
    servers.set(event.server, server);
    take(server, event);
  }
  return new Map(
    [...servers]
      .filter(([, { calls }]) => calls.length > 0)
      .map(([id, server]) => [
        id,
        {
          name: nameInId(id),
          calls: server.calls.filter((call) => !isRedirected(call)).map(settled),
          opening: server.opening,
          transport: server.isHttp ? 'http' : 'stdio',
          hasSessions: server.hasSessions,
          revision: server.revision,
          serverInfo: server.serverInfo,
        },
      ]),
  );
}

/** A redirect is followed by the same request elsewhere, and leads away from a mock. */
function isRedirected({ steps }: Call): boolean {
  return steps.some((step) => step.kind === 'http' && step.status >= 300 && step.status < 400);
}

/** Over HTTP+SSE (2024-11-05) each POST is only taken, and answered on another stream: as one piece here. */
function settled(call: Call): Call {
  const isTaken = call.http?.status === 202 && call.steps.some(({ kind }) => kind === 'message');
  if (!isTaken) {
    return call;
  }
  const { http: _, ...rest } = call;
  return { ...rest, steps: call.steps.filter(({ kind }) => kind !== 'http') };
}

function newServer(): Server {
  return {
    calls: [],
    opening: [],
    connections: new Map(),
    first: undefined,
    firstUs: 0,
    isHttp: false,
    hasSessions: false,
    revision: undefined,
    serverInfo: undefined,
  };
}

function take(server: Server, event: LogEvent): void {
  const open = openOf(server, event);
  const { body } = event;
  const add = (call: Call | undefined, deed: Deed) => addStep(server, call, event, deed);
  switch (body.kind) {
    case 'message':
      if (body.direction === 'sent') {
        sent(server, open, event, body);
      } else {
        received(server, open, event, body);
      }
      return;
    case 'noise':
      add(openCall(open), { kind: 'noise', raw: body.raw, stream: body.stream });
      return;
    case 'stderr':
      add(openCall(open), { kind: 'stderr', line: body.line });
      return;
    case 'http':
      server.isHttp = true;
      http(server, open, event, body);
      return;
    case 'lifecycle': {
      const { detail } = body;
      if (detail.step === 'initialized') {
        server.revision = detail.revision;
        const { serverName, serverVersion = '' } = detail;
        server.serverInfo = serverName === undefined ? server.serverInfo : { name: serverName, version: serverVersion };
      } else if (detail.step === 'exited' && !detail.expected && open.last !== undefined) {
        add(openCall(open), { kind: 'end', how: 'exit', code: detail.code, signal: detail.signal });
      }
      return;
    }
    case 'attempt':
    case 'local-end':
    case 'note':
      // What the client made of it is not the server's doing.
      return;
  }
}

function sent(server: Server, open: Open, event: LogEvent, body: MessageBody): void {
  const { message } = parseFrame(body.raw);
  for (const each of Array.isArray(message) ? (message as readonly JsonValue[]) : [message ?? null]) {
    if (isObject(each)) {
      sentOne(server, open, event, body, each);
    }
  }
}

function sentOne(
  server: Server,
  open: Open,
  event: LogEvent,
  { http: exchange }: MessageBody,
  message: JsonObject,
): void {
  const method = memberOf(message, 'method');
  const id = idOf(message);
  if (typeof method !== 'string') {
    const asked = id === undefined ? undefined : open.asked.get(keyOf(id));
    if (asked !== undefined && id !== undefined) {
      open.asked.delete(keyOf(id));
      addStep(server, asked, event, { kind: 'answered', id });
    }
    return;
  }
  const params = paramsOf(message);
  if (method === 'notifications/cancelled') {
    const cancelled = params === undefined ? undefined : idOf({ id: memberOf(params, 'requestId') ?? null });
    const call = cancelled === undefined ? undefined : open.byId.get(keyOf(cancelled));
    if (call !== undefined) {
      addStep(server, call, event, { kind: 'cancelled' });
    }
    return;
  }
  const progressToken = progressTokenOf(params);
  const version = memberOf(memberOf(params, '_meta'), PROTOCOL_VERSION);
  if (typeof version === 'string' && isModern(version)) {
    server.revision ??= version;
  }
  const call: Call = {
    seq: event.seq,
    method,
    params,
    id,
    progressToken,
    steps: [],
    monoUs: event.monoUs,
    isAnswered: id === undefined,
  };
  server.calls.push(call);
  open.last = call;
  if (id !== undefined) {
    open.byId.set(keyOf(id), call);
    open.waiting.push(call);
  }
  if (progressToken !== undefined) {
    open.byToken.set(String(progressToken), call);
  }
  if (exchange !== undefined) {
    open.byHttp.set(exchange, call);
  }
}

function received(server: Server, open: Open, event: LogEvent, body: MessageBody): void {
  const { message } = parseFrame(body.raw);
  const [first] = Array.isArray(message) ? (message as readonly JsonValue[]) : [message];
  const named = callNamedBy(open, first);
  const call = named ?? (body.http === undefined ? undefined : open.byHttp.get(body.http)) ?? openCall(open);
  addStep(server, call, event, { kind: 'message', raw: body.raw });
  if (!isObject(first)) {
    return;
  }
  const id = idOf(first);
  if (memberOf(first, 'method') === undefined) {
    for (const answer of Array.isArray(message) ? (message as readonly JsonValue[]) : [first]) {
      const answered = callNamedBy(open, answer);
      if (answered !== undefined) {
        answered.isAnswered = true;
      }
    }
    facts(server, first, call);
  } else if (id !== undefined && call !== undefined) {
    open.asked.set(keyOf(id), call);
  }
}

/** What the answers to the handshakes of either era say. */
function facts(server: Server, answer: JsonObject, call: Call | undefined): void {
  const result = memberOf(answer, 'result');
  if (call?.method === 'initialize') {
    const revision = memberOf(result, 'protocolVersion');
    server.revision = typeof revision === 'string' ? revision : server.revision;
    server.serverInfo = infoOf(memberOf(result, 'serverInfo')) ?? server.serverInfo;
  }
}

function infoOf(value: JsonValue | undefined): RecordedServer['serverInfo'] {
  const [name, version] = [memberOf(value, 'name'), memberOf(value, 'version')];
  return typeof name === 'string' ? { name, version: typeof version === 'string' ? version : '' } : undefined;
}

function callNamedBy(open: Open, message: JsonValue | undefined): Call | undefined {
  if (!isObject(message)) {
    return undefined;
  }
  const id = idOf(message);
  if (memberOf(message, 'method') === undefined) {
    return id === undefined ? undefined : open.byId.get(keyOf(id));
  }
  const params = paramsOf(message);
  const token = memberOf(params, 'progressToken');
  if (
    memberOf(message, 'method') === 'notifications/progress' &&
    (typeof token === 'string' || typeof token === 'number')
  ) {
    return open.byToken.get(String(token));
  }
  const subscription = memberOf(memberOf(params, '_meta'), 'io.modelcontextprotocol/subscriptionId');
  return typeof subscription === 'string' || typeof subscription === 'number'
    ? open.byId.get(keyOf(subscription))
    : undefined;
}

function http(server: Server, open: Open, event: LogEvent, body: HttpBody): void {
  const { id, status, responseHeaders, failure } = body;
  server.hasSessions ||= headerOf(responseHeaders, 'mcp-session-id') !== undefined;
  const call = open.byHttp.get(id);
  if (call === undefined) {
    return;
  }
  const isStream = /^\s*text\/event-stream/i.test(headerOf(responseHeaders, 'content-type') ?? '');
  if (status !== undefined) {
    call.http = { status, isStream };
  }
  const hasMessage = call.steps.some(({ kind }) => kind === 'message' || kind === 'noise');
  if (failure !== undefined && failure.reason !== 'closed' && (status === undefined || isStream)) {
    const how = failure.reason === 'stream-ended' ? 'stream-ended' : 'reset';
    addStep(server, call, event, { kind: 'end', how, code: null, signal: null });
  } else if (
    status !== undefined &&
    !hasMessage &&
    !isStream &&
    !isMeantAsJsonRpc(parseFrame(body.body ?? '').message)
  ) {
    const headers = Object.fromEntries(Object.entries(responseHeaders).filter(([name]) => isKept(name)));
    addStep(server, call, event, { kind: 'http', status, headers, body: body.body ?? '' });
  }
}

/**
 * Headers of an answer that mean something to a client, and are not made anew by whoever sends it. None that leads a client
 * of the mock to the server that was recorded or to whoever signs in there.
 */
function isKept(name: string): boolean {
  return /^(?:content-type|retry-after|x-[\w-]+|ratelimit-[\w-]+)$/i.test(name);
}

function addStep(server: Server, call: Call | undefined, event: LogEvent, deed: Deed): void {
  if (call !== undefined) {
    call.steps.push({ ...deed, afterMs: Math.max(0, (event.monoUs - call.monoUs) / 1000) });
  } else if (event.connection === server.first) {
    server.opening.push({ ...deed, afterMs: Math.max(0, (event.monoUs - server.firstUs) / 1000) });
  }
}

/** The call that was sent last and waits, or else was sent last. */
function openCall(open: Open): Call | undefined {
  while (open.waiting.at(-1)?.isAnswered === true) {
    open.waiting.pop();
  }
  return open.waiting.at(-1) ?? open.last;
}

function openOf(server: Server, { connection, monoUs }: LogEvent): Open {
  let open = server.connections.get(connection);
  if (open === undefined) {
    open = { byId: new Map(), byToken: new Map(), byHttp: new Map(), asked: new Map(), waiting: [], last: undefined };
    server.connections.set(connection, open);
    if (server.first === undefined) {
      server.first = connection;
      server.firstUs = monoUs;
    }
  }
  return open;
}

function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** An answer whose id has the other type is still one to the request (the client has to make out what it is). */
function keyOf(id: JsonRpcId): string {
  return String(id);
}
