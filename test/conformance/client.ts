/**
 * The client that `@modelcontextprotocol/conformance` tests: our pool, on its own transports, with the product's authorizer and
 * a browser that follows every redirect by itself. Run as `client.ts <url>`; the scenario comes by environment.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import {
  ClientCredentialsProvider,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
} from '@modelcontextprotocol/client';
import { createAuthorizer } from '../../src/core/client/auth/authorizer.ts';
import type { Authorizer } from '../../src/core/client/authorizer.ts';
import type { ServerRequestHandlers } from '../../src/core/client/serverRequests.ts';
import type { CallOutcome } from '../../src/protocol/call.ts';
import type { JsonObject, JsonValue } from '../../src/protocol/jsonrpc.ts';
import { createReal, define, http, idOf } from '../integration/client/support.ts';

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context: JsonObject = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const text = (key: string): string => {
  const value = context[key];
  return typeof value === 'string' ? value : '';
};

/** Values that a JSON schema gives as defaults, as a form that nobody touched would send them. */
function defaultsOf(schema: JsonValue | undefined): JsonObject {
  const properties = (schema as { properties?: Record<string, { default?: JsonValue }> } | undefined)?.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      property.default === undefined ? [] : [[name, property.default]],
    ),
  );
}

const accepted = (params: JsonObject): JsonObject => ({
  action: 'accept',
  content: defaultsOf(params['requestedSchema']),
});

const serverRequests: ServerRequestHandlers = {
  elicitation: async (params) => ({ kind: 'result', result: accepted(params) }),
  sampling: async () => ({
    kind: 'result',
    result: { model: 'none', role: 'assistant', content: { type: 'text', text: 'ok' } },
  }),
};

const kept = new Map<string, string>();
let location: string | undefined;

function authorizer(): Authorizer {
  const own = createAuthorizer({
    serverUrl: url,
    store: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      delete: async (key) => void kept.delete(key),
    },
    browser: {
      redirectUrl: 'http://localhost:3000/callback',
      open: async (page) => {
        const response = await fetch(page, { redirect: 'manual' });
        location = response.headers.get('location') ?? undefined;
        return location !== undefined;
      },
      callback: async () => (location === undefined ? undefined : new URL(location).searchParams),
    },
    clientName: 'faultline-conformance',
    newState: randomUUID,
  });
  const changes: Partial<OAuthClientProvider> =
    scenario === 'auth/basic-cimd'
      ? { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }
      : scenario === 'auth/pre-registration'
        ? { clientInformation: () => ({ client_id: text('client_id'), client_secret: text('client_secret') }) }
        : {};
  const provider = new Proxy(own.provider, {
    get: (target, key) => Reflect.get(key in changes ? changes : target, key),
    has: (target, key) => key in changes || key in target,
  });
  return { ...own, provider };
}

function authorizerFor(): Authorizer {
  const nobody = async () => undefined;
  if (scenario === 'auth/client-credentials-basic') {
    const provider = new ClientCredentialsProvider({
      clientId: text('client_id'),
      clientSecret: text('client_secret'),
    } as never);
    return { provider, callback: nobody };
  }
  if (scenario === 'auth/client-credentials-jwt') {
    const provider = new PrivateKeyJwtProvider({
      clientId: text('client_id'),
      privateKey: text('private_key_pem'),
      algorithm: text('signing_algorithm') || 'ES256',
    } as never);
    return { provider, callback: nobody };
  }
  return authorizer();
}

const id = idOf('server');
const real = createReal(
  [define('server', http(url))],
  { timeoutMs: 15_000, connectTimeoutMs: 20_000, discoverTimeoutMs: 5_000 },
  {
    clientInfo: { name: 'faultline-conformance', version: '1.0.0' },
    roots: () => [{ uri: 'file:///workspace', name: 'workspace' }],
    serverRequests: () => serverRequests,
    ...(scenario.startsWith('auth/') ? { authorizer: authorizerFor } : {}),
  },
);

async function call(name: string, args: JsonObject): Promise<CallOutcome> {
  let outcome = await real.pool.call({
    server: id,
    method: 'tools/call',
    params: { name, arguments: args },
    origin: 'client',
  });
  for (let round = 0; outcome.kind === 'input_required' && round < 10; round += 1) {
    const result = outcome.detail.end.kind === 'result' ? (outcome.detail.end.result as JsonObject) : {};
    const requests = Object.entries((result['inputRequests'] ?? {}) as Record<string, JsonObject>);
    const responses = requests.map(([key, { params }]) => [key, accepted((params ?? {}) as JsonObject)]);
    outcome = await real.pool.continueCall(outcome, Object.fromEntries(responses));
  }
  process.stderr.write(`${name}: ${outcome.kind} ${JSON.stringify(outcome.detail.end).slice(0, 300)}\n`);
  return outcome;
}

/** Something for each argument that a schema requires. */
function argumentsFor(schema: JsonValue | undefined): JsonObject {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: string }> };
  const values: Record<string, JsonValue> = { number: 5, integer: 5, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = 'string' }]) => [name, values[type] ?? 'text']),
  );
}

async function listed(): Promise<void> {
  for (let tries = 0; tries < 200 && real.pool.catalogue(id)?.tools.isComplete !== true; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const state = await real.pool.connect(id);
process.stderr.write(`connected: ${state.kind} ${state.kind === 'failed' ? JSON.stringify(state.failure) : ''}\n`);
await listed();
const tools = real.pool.catalogue(id)?.tools.items ?? [];
const given = context['toolCalls'];
if (Array.isArray(given)) {
  for (const { name, arguments: args } of given as { name: string; arguments: JsonObject }[]) {
    await call(name, args);
  }
} else if (scenario === 'json-schema-2020-12-preservation') {
  const focal = tools.find(({ inputSchema }) => JSON.stringify(inputSchema).includes('$defs'));
  const echo = tools.find((tool) => tool !== focal);
  await call(echo?.name ?? '', { schema: focal?.inputSchema ?? {} });
} else {
  await Promise.all(tools.map(({ name, inputSchema }) => call(name, argumentsFor(inputSchema))));
}
await real.pool.dispose();
process.exit(state.kind === 'running' ? 0 : 1);
