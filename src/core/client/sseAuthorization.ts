import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  withDpopFromProvider,
} from '@modelcontextprotocol/client';
import type { HttpWire } from '../transport/wire.ts';

/**
 * Authorization of the requests of HTTP+SSE: the token that is kept, and the SDK's flow when the server wants another. The
 * SDK has it within its own transports only, of which that for HTTP+SSE is not used (see `SseTransport`).
 */
export interface SseAuthorization {
  /** The wire's `fetch` with a token. Throws `UnauthorizedError` when a person has to agree first. */
  fetch(url: URL, init: RequestInit): Promise<Response>;
  /** Redeems what the browser brought. Throws when it cannot be. */
  finishAuth(parameters: URLSearchParams): Promise<void>;
}

/** Without a provider the requests go as they are. */
export function createSseAuthorization(
  wire: HttpWire,
  serverUrl: URL,
  provider: OAuthClientProvider | undefined,
): SseAuthorization {
  if (provider === undefined) {
    return {
      fetch: (url, init) => wire.fetch(url, init),
      finishAuth: () => Promise.reject(new UnauthorizedError()),
    };
  }

  // Of a token that is bound to a key it makes the proof.
  const fetchWithProof = provider.dpop === undefined ? wire.fetch : withDpopFromProvider(provider)(wire.fetch);

  async function send(url: URL, init: RequestInit): Promise<Response> {
    const tokens = await provider?.tokens();
    const headers = new Headers(init.headers);
    if (tokens !== undefined) {
      headers.set('authorization', `Bearer ${tokens.access_token}`);
    }
    return fetchWithProof(url, { ...init, headers });
  }

  return {
    async fetch(url, init) {
      const response = await send(url, init);
      const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
      const isStepUp = response.status === 403 && error === 'insufficient_scope';
      if (response.status !== 401 && !isStepUp) {
        return response;
      }
      await response.text();
      const result = await auth(provider, {
        serverUrl,
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
        ...(scope === undefined ? {} : { scope }),
        fetchFn: wire.fetch,
        forceReauthorization: isStepUp,
      });
      if (result !== 'AUTHORIZED') {
        throw new UnauthorizedError();
      }
      return send(url, init);
    },

    finishAuth: (parameters) =>
      // Never started: it is the SDK's way to redeem, with its check of the issuer.
      new StreamableHTTPClientTransport(serverUrl, { fetch: wire.fetch, authProvider: provider }).finishAuth(
        parameters,
      ),
  };
}
