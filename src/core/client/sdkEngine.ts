import {
  Client,
  type ClientCapabilities,
  type DiscoverResult,
  OAuthClientFlowError,
  OAuthError,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import { memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcId } from '../../protocol/jsonrpc.ts';
import { MODERN_REVISIONS } from '../../protocol/revisions.ts';
import { withProofKey } from './auth/proofKey.ts';
import type {
  ClientEngine,
  EngineFailure,
  EngineOptions,
  EngineRequestOptions,
  EngineStart,
  ServerFacts,
} from './engine.ts';
import { requestMeta, TASKS_EXTENSION } from './era.ts';
import { answerRequests, requestCapabilities } from './sdkServerRequests.ts';
import { SseTransport } from './sseTransport.ts';
import { StdioTransport, WireError } from './stdioTransport.ts';

/** The SDK's own timers must never fire: limits are ours. The longest that the platform's timers can hold, ms. */
const NO_TIMEOUT_MS = 0x7fffffff;
/** A server that does not answer the end of its session does not get to hold up ours, ms. */
const END_OF_SESSION_MS = 2_000;
const NO_RECONNECTION = {
  initialReconnectionDelay: 1,
  maxReconnectionDelay: 1,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 0,
};
const LISTEN = 'subscriptions/listen';

/** Takes any answer: the judgement on it is made from the wire, and the SDK's would only hide it. */
const anything: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'faultline', validate: (value) => ({ value }) },
};

interface Session {
  readonly client: Client;
  readonly transport: Transport;
  readonly capabilities: ClientCapabilities;
}

/** The MCP TypeScript SDK v2 as an engine, for every revision. */
export function createEngine(options: EngineOptions): ClientEngine {
  const { wire, authorizer, clientInfo } = options;
  const provider = authorizer === undefined ? undefined : withProofKey(authorizer);
  const stdio = wire.type === 'stdio' ? new StdioTransport(wire.wire) : undefined;
  let session: Session | undefined;
  let discoveries = 0;
  let listens = 0;

  const meta = (revision: string, capabilities: ClientCapabilities) =>
    requestMeta(revision, { ...clientInfo }, capabilities as JsonObject);

  /** Does `work` again after a person has agreed in the browser, once. `transportOf` gives what `work` has used last. */
  async function authorized<T>(
    transportOf: () => Transport | undefined,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await registered(work);
    } catch (error) {
      if (authorizer === undefined || !UnauthorizedError.isInstance(error)) {
        throw error;
      }
      const parameters = await authorizer.callback(signal);
      const transport = transportOf();
      if (parameters === undefined || !canFinish(transport)) {
        throw error;
      }
      await transport.finishAuth(parameters);
      return await work();
    }
  }

  /** Does `work` again with another redirect when the authorization server would not register the first. */
  async function registered<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (RegistrationRejectedError.isInstance(error) && authorizer?.changeRedirect?.() === true) {
        return await work();
      }
      throw error;
    }
  }

  function httpTransport(isOverSse: boolean, isModern: boolean): Transport {
    if (wire.type !== 'http') {
      throw new Error('not an HTTP server');
    }
    return isOverSse
      ? new SseTransport(wire.wire, wire.definition, provider)
      : new StreamableHTTPClientTransport(new URL(wire.definition.url), {
          fetch: wire.wire.fetch,
          requestInit: { headers: { ...wire.definition.headers } },
          // A stream of 2026-07-28 is not resumed, and the SDK would try.
          ...(isModern ? { reconnectionOptions: { ...NO_RECONNECTION } } : {}),
          ...(provider === undefined ? {} : { authProvider: provider }),
        });
  }

  async function open(start: EngineStart, signal: AbortSignal): Promise<Session> {
    const capabilities = capabilitiesFor(options, start);
    const transport = stdio ?? httpTransport(start.kind === 'initialize' && start.isOverSse, start.kind === 'modern');
    const client = createClient(options, start, capabilities);
    if (session !== undefined && session.transport !== transport) {
      // The one before was refused; it must not go on listening.
      await quietly(session.transport.close());
    }
    session = { client, transport, capabilities };
    const prior =
      start.kind === 'modern'
        ? ({ kind: 'modern', discover: discoverOf(start.facts) } as const)
        : ({ kind: 'legacy' } as const);
    await client.connect(transport, { prior, signal, timeout: NO_TIMEOUT_MS });
    return session;
  }

  /** The SDK's own listening hides its request; this one is found, followed and ended like any other. */
  async function listen({ client, transport, capabilities }: Session, params: JsonObject, signal: AbortSignal) {
    listens += 1;
    const id = `listen:${listens}`;
    const own = memberOf(params, '_meta');
    const revision = client.getNegotiatedProtocolVersion() ?? '';
    const _meta = { ...meta(revision, capabilities), ...(own as JsonObject | undefined) };
    const message = { jsonrpc: '2.0', id, method: LISTEN, params: { ...params, _meta } } as const;
    if (transport === stdio) {
      const cancel = () =>
        void quietly(transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }));
      signal.addEventListener('abort', cancel, { once: true });
    }
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      transport.send(message, { requestSignal: signal, onRequestStreamEnd: resolve }).catch(reject);
    });
  }

  return {
    get capabilities() {
      return (session?.capabilities ?? {}) as JsonObject;
    },

    async discover(token, signal) {
      const transport = stdio ?? httpTransport(false, true);
      // Over stdio the connection lives on; over HTTP another transport opens it.
      signal.addEventListener('abort', () => void (stdio ?? quietly(transport.close())), { once: true });
      const revision = MODERN_REVISIONS.at(-1) ?? '';
      const capabilities = capabilitiesFor(options, undefined);
      const params = { _meta: { ...meta(revision, capabilities), progressToken: token } };
      discoveries += 1;
      const message = { jsonrpc: '2.0', id: `discover:${discoveries}`, method: 'server/discover', params } as const;
      try {
        await transport.start();
        await authorized(
          () => transport,
          signal,
          () => transport.send(message),
        );
        return { kind: 'done' };
      } catch (error) {
        return failureOf(error);
      }
    },

    async connect(start, signal) {
      try {
        const { client } = await authorized(
          () => session?.transport,
          signal,
          () => open(start, signal),
        );
        return { kind: 'ready', ...(start.kind === 'modern' ? start.facts : factsOf(client)) };
      } catch (error) {
        return failureOf(error);
      }
    },

    async request(method, params, signal, requestOptions) {
      if (session === undefined) {
        return { kind: 'failed', message: 'Not connected' };
      }
      const { client, transport } = session;
      const current = session;
      try {
        await authorized(
          () => transport,
          signal,
          () =>
            method === LISTEN ? listen(current, params, signal) : send(client, method, params, signal, requestOptions),
        );
        return { kind: 'done' };
      } catch (error) {
        return failureOf(error);
      }
    },

    forget(id: JsonRpcId) {
      // An answer of our own ends the SDK's wait; nobody looks at what it makes of it.
      session?.transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32000, message: 'settled' } });
    },

    async close() {
      authorizer?.release?.();
      const { client, transport } = session ?? {};
      if (transport instanceof StreamableHTTPClientTransport) {
        await endSession(transport, options.clock);
      }
      await quietly(client?.close());
      // A client whose handshake failed has let its transport go already, or never had it.
      await quietly(transport?.close());
      await quietly(stdio?.close());
      if (wire.type === 'http') {
        await wire.wire.close();
      }
    },
  };
}

/** A transport whose requests can be authorized. */
function canFinish(
  transport: Transport | undefined,
): transport is Transport & { finishAuth(parameters: URLSearchParams): Promise<void> } {
  return transport instanceof StreamableHTTPClientTransport || transport instanceof SseTransport;
}

async function send(
  client: Client,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
  { tool }: EngineRequestOptions = {},
): Promise<void> {
  const options = { signal, timeout: NO_TIMEOUT_MS, allowInputRequired: true };
  const { name } = params;
  if (
    tool !== undefined &&
    method === 'tools/call' &&
    typeof name === 'string' &&
    client.getProtocolEra() === 'modern'
  ) {
    // Puts into headers what the tool's schema wants there. A definition that the SDK cannot read is the server's fault
    // and costs those headers only: it is asked to look at nothing else of it.
    const toolDefinition = { name, inputSchema: memberOf(tool, 'inputSchema') } as never;
    await client.callTool({ ...params, name }, { ...options, toolDefinition });
    return;
  }
  await client.request({ method, params: { ...params } }, anything, options);
}

function createClient(options: EngineOptions, start: EngineStart, capabilities: ClientCapabilities): Client {
  const client = new Client(options.clientInfo, {
    capabilities,
    supportedProtocolVersions: start.kind === 'modern' ? [start.facts.revision] : [...start.offer],
    // What a server asks for in rounds is the caller's to answer.
    inputRequired: { autoFulfill: false },
    // Output schemas are compared by the judge; the SDK would turn a mismatch into an error that looks like the server's.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  });
  client.setRequestHandler('roots/list', () => ({ roots: options.roots().map((root) => ({ ...root })) }));
  answerRequests(client, options.serverRequests);
  // Whatever the SDK complains about is on the wire, where it is recorded with its bytes.
  client.onerror = () => undefined;
  return client;
}

/** What is declared; the tasks extension exists since 2026-07-28 only. */
function capabilitiesFor({ serverRequests }: EngineOptions, start: EngineStart | undefined): ClientCapabilities {
  const shared = { roots: {}, ...requestCapabilities(serverRequests) };
  return start?.kind === 'initialize' ? shared : { ...shared, extensions: { [TASKS_EXTENSION]: {} } };
}

/** What the SDK needs of a discovery. What it does not need is left out, so that it cannot stumble over it. */
function discoverOf({ revision }: ServerFacts): DiscoverResult {
  return {
    resultType: 'complete',
    supportedVersions: [revision],
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    ttlMs: 0,
    cacheScope: 'private',
  };
}

function factsOf(client: Client): ServerFacts {
  const server = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    revision: client.getNegotiatedProtocolVersion() ?? '',
    serverInfo: server === undefined ? undefined : { name: server.name, version: server.version },
    // Parsed from JSON by the SDK.
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function failureOf(error: unknown): EngineFailure {
  const message = messageOf(error);
  const failure = wireFailureOf(error, message);
  return { kind: 'failed', message, ...(failure === undefined ? {} : { failure }) };
}

/** Set where the message cannot have been carried out. */
function wireFailureOf(error: unknown, message: string): TransportFailure | undefined {
  if (error instanceof WireError) {
    return error.failure;
  }
  if (UnauthorizedError.isInstance(error)) {
    return { reason: 'unauthorized', status: 401, message };
  }
  if (OAuthError.isInstance(error) || OAuthClientFlowError.isInstance(error)) {
    // The request itself was refused; what went wrong after that was signing in.
    return { reason: 'unauthorized', status: 401, code: 'code' in error ? String(error.code) : error.name, message };
  }
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.MethodNotSupportedByProtocolVersion) {
    return { reason: 'unknown', code: error.code, message };
  }
  return SdkHttpError.isInstance(error) && (error.status === 401 || error.status === 403)
    ? { reason: 'unauthorized', status: error.status, message }
    : undefined;
}

async function endSession(transport: StreamableHTTPClientTransport, clock: Clock): Promise<void> {
  const ended = new AbortController();
  await Promise.race([quietly(transport.terminateSession()), clock.sleep(END_OF_SESSION_MS, ended.signal)]);
  ended.abort();
}

async function quietly(work: Promise<void> | undefined): Promise<void> {
  try {
    await work;
  } catch {
    // The wire has recorded what happened.
  }
}
