import type { OAuthClientProvider } from '@modelcontextprotocol/client';

/**
 * Gets a server the authorization that it asks for, by the SDK's own OAuth flow (specification, "Authorization").
 */
export interface Authorizer {
  /** Keeps clients and tokens, and opens the browser. */
  readonly provider: OAuthClientProvider;
  /**
   * Waits for the browser to come back to the redirect URI; gives the parameters that it brought, or `undefined` when it will
   * not come. Never rejects.
   */
  callback(signal: AbortSignal): Promise<URLSearchParams | undefined>;
  /** The authorization server has refused to register the redirect: takes another one. False when there is none. */
  changeRedirect?(): boolean;
}
