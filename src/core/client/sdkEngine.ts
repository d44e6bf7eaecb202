import {
  Client,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject, JsonRpcId } from '../../protocol/jsonrpc.ts';
import { LEGACY_REVISIONS } from '../../protocol/revisions.ts';
import type { ClientEngine, EngineFailure, EngineOptions, EngineWire, ServerFacts } from './engine.ts';
import { answerRequests, requestCapabilities } from './sdkServerRequests.ts';
import { StdioTransport, WireError } from './stdioTransport.ts';

/** The SDK's own timers must never fire: limits are ours. The longest that the platform's timers can hold, ms. */
const NO_TIMEOUT_MS = 0x7fffffff;
/** A server that does not answer the end of its session does not get to hold up ours, ms. */
const END_OF_SESSION_MS = 2_000;

/** Takes any answer: the judgement on it is made from the wire, and the SDK's would only hide it. */
const anything: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'faultline', validate: (value) => ({ value }) },
};

/** The MCP TypeScript SDK v2 as an engine, for the revisions that open with `initialize`. */
export function createEngine(options: EngineOptions): ClientEngine {
  const transport = createTransport(options.wire);
  const client = new Client(options.clientInfo, {
    capabilities: { roots: {}, ...requestCapabilities(options.serverRequests) },
    supportedProtocolVersions: [...LEGACY_REVISIONS].reverse(),
    // Output schemas are compared by the judge; the SDK would turn a mismatch into an error that looks like the server's.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  });
  client.setRequestHandler('roots/list', () => ({ roots: options.roots().map((root) => ({ ...root })) }));
  answerRequests(client, options.serverRequests);
  // Whatever the SDK complains about is on the wire, where it is recorded with its bytes.
  client.onerror = () => undefined;

  return {
    async connect(signal) {
      try {
        await client.connect(transport, { signal, timeout: NO_TIMEOUT_MS });
        return { kind: 'ready', ...factsOf(client) };
      } catch (error) {
        return failureOf(error);
      }
    },

    async request(method: string, params: JsonObject, signal: AbortSignal) {
      try {
        await client.request({ method, params: { ...params } }, anything, { signal, timeout: NO_TIMEOUT_MS });
        return { kind: 'done' };
      } catch (error) {
        return failureOf(error);
      }
    },

    forget(id: JsonRpcId) {
      // An answer of our own ends the SDK's wait; nobody looks at what it makes of it.
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32000, message: 'settled' } });
    },

    async close() {
      if (transport instanceof StreamableHTTPClientTransport) {
        await endSession(transport, options.clock);
      }
      await quietly(client.close());
      // A client whose handshake failed has let its transport go already, or never had it.
      await quietly(transport.close());
      if (options.wire.type === 'http') {
        await options.wire.wire.close();
      }
    },
  };
}

function createTransport(wire: EngineWire): Transport {
  return wire.type === 'stdio'
    ? new StdioTransport(wire.wire)
    : new StreamableHTTPClientTransport(new URL(wire.definition.url), {
        fetch: wire.wire.fetch,
        requestInit: { headers: { ...wire.definition.headers } },
      });
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
  return {
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof WireError ? { failure: error.failure } : {}),
  };
}

async function endSession(transport: StreamableHTTPClientTransport, clock: Clock): Promise<void> {
  const ended = new AbortController();
  await Promise.race([quietly(transport.terminateSession()), clock.sleep(END_OF_SESSION_MS, ended.signal)]);
  ended.abort();
}

async function quietly(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch {
    // The wire has recorded what happened.
  }
}
