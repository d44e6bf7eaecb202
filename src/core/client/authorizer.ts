import type { OAuthClientProvider } from '@modelcontextprotocol/client';

/**
 * Gets a server the authorization that it asks for, by the SDK's own OAuth flow (specification, "Authorization").
 */
export interface Authorizer {
  /** Keeps clients and tokens, and opens the browser. */
  readonly provider: OAuthClientProvider;
  /** Where the key is kept that tokens are bound to (RFC 9449); absent: they are bearer tokens. */
  readonly proofKey?: {
    /** Signatures that the authorization server takes for it; none before it is known, or when it knows no such tokens. */
    algorithms(): Promise<readonly string[]>;
    read(): Promise<string | undefined>;
    write(key: string): Promise<void>;
  };
  /**
   * Waits for the browser to come back to the redirect URI; gives the parameters that it brought, or `undefined` when it will
   * not come. Never rejects.
   */
  callback(signal: AbortSignal): Promise<URLSearchParams | undefined>;
  /** The authorization server has refused to register the redirect: takes another one. False when there is none. */
  changeRedirect?(): boolean;
  /** Nobody is waited for any more. */
  release?(): void;
}
