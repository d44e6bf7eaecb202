import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { isSameSecret } from '../../transport/sameSecret.ts';
import type { Authorizer } from '../authorizer.ts';

/** Keeps secrets by name; the operating system's own store in the editor. May reject. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  set(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** Where a person agrees, and how the answer comes back. */
export interface Browser {
  /** Where the authorization server sends the browser afterwards; holds from `prepare` on. */
  readonly redirectUrl: string;
  /**
   * Makes ready for the redirect of one sign-in, at `before`, an earlier registration's, where that is still possible. Absent:
   * the address is always there. Never rejects.
   */
  prepare?(before: string | undefined): Promise<void>;
  /** There will be no redirect after all. */
  release?(): void;
  /** The authorization server will not send anybody to `redirectUrl`: takes another. False when there is none. */
  change?(): boolean;
  /** Shows the page; false when the person would not have it, or there is nothing to show it in. */
  open(url: URL): Promise<boolean>;
  /** The parameters of the redirect that carries this `state`; `undefined` when `signal` aborts first. */
  callback(state: string, signal: AbortSignal): Promise<URLSearchParams | undefined>;
}

export interface AuthorizerOptions {
  readonly serverUrl: string;
  readonly store: SecretStore;
  /** Absent where nobody can be asked: the command line, an untrusted workspace. */
  readonly browser?: Browser | undefined;
  readonly clientName: string;
  /** An unguessable string, a new one each time. */
  readonly newState: () => string;
}

/** What is kept of one server: its client registration and tokens by issuer, and what was discovered of it. */
interface Kept {
  readonly clients: Readonly<Record<string, StoredOAuthClientInformation>>;
  readonly tokens: Readonly<Record<string, StoredOAuthTokens>>;
  /** The redirect that each client was registered with. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Issuer of the tokens that were saved last. */
  readonly issuer?: string;
  readonly discovery?: OAuthDiscoveryState;
  /** The key that the tokens are bound to. */
  readonly proofKey?: string;
}

const NOTHING: Kept = { clients: {}, tokens: {} };
const UNKNOWN_ISSUER = '';

/** An address that no browser comes back to: registrations want one. */
const NO_BROWSER = 'http://127.0.0.1/';

/** The name under which everything about a server's authorization is kept. A fragment or query is not part of whose it is. */
export function authorizationKey(serverUrl: string): string {
  if (!URL.canParse(serverUrl)) {
    return `oauth.${serverUrl}`;
  }
  const { origin, pathname } = new URL(serverUrl);
  return `oauth.${origin}${pathname}`;
}

/**
 * Authorization by the SDK's OAuth flow (specification, "Authorization"; PKCE, discovery and registration are the SDK's): a
 * provider over a store and a browser that are given. The `state` of the redirect must be the one that was sent. Without a
 * browser only kept tokens are used and refreshed, and a server that asks for more is refused.
 */
export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { browser, store } = options;
  const key = authorizationKey(options.serverUrl);
  // What belongs to one flow in the browser is never kept.
  let verifier = '';
  let state = '';
  let opened: Promise<boolean> | undefined;
  /** The browser has brought a code: what the SDK asks for next is to redeem it. */
  let isReturning = false;
  /** What the browser comes back to is open. */
  let isPrepared = false;
  // The SDK takes the metadata before it asks for the registration, and sends this list after: what `prepare` finds is in it.
  const redirects = [browser?.redirectUrl ?? NO_BROWSER];
  let before: string | undefined;

  /** Opens what the browser comes back to. */
  async function prepare(): Promise<void> {
    await browser?.prepare?.(before);
    redirects[0] = browser?.redirectUrl ?? NO_BROWSER;
    isPrepared = true;
  }
  function release(): void {
    isPrepared = false;
    browser?.release?.();
  }
  async function read(): Promise<Kept> {
    const text = await store.get(key);
    try {
      return text === undefined ? NOTHING : { ...NOTHING, ...(JSON.parse(text) as Kept) };
    } catch {
      return NOTHING;
    }
  }
  async function change(update: (kept: Kept) => Kept): Promise<void> {
    await store.set(key, JSON.stringify(update(await read())));
  }

  const provider: OAuthClientProvider = {
    get redirectUrl() {
      return browser?.redirectUrl ?? NO_BROWSER;
    },
    get clientMetadata(): OAuthClientMetadata {
      return {
        client_name: options.clientName,
        redirect_uris: redirects,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
    },
    // Asked for right before the page is shown: a browser is needed, whatever could be done without one has failed.
    async state() {
      state = options.newState();
      if (!isPrepared) {
        await prepare();
      }
      return state;
    },
    async clientInformation(context) {
      const issuer = context?.issuer ?? UNKNOWN_ISSUER;
      const kept = await read();
      const client = kept.clients[issuer];
      if (isReturning) {
        isReturning = false;
        return client;
      }
      isPrepared = false;
      before = kept.redirects?.[issuer];
      if (kept.tokens[issuer]?.refresh_token !== undefined) {
        return client;
      }
      await prepare();
      // One that was registered for another redirect is of no use, since a person will have to be sent to this one.
      return before === undefined || before === redirects[0] ? client : undefined;
    },
    async saveClientInformation(information, context) {
      await change((kept) => ({
        ...kept,
        clients: { ...kept.clients, [context?.issuer ?? UNKNOWN_ISSUER]: information },
        redirects: { ...kept.redirects, [context?.issuer ?? UNKNOWN_ISSUER]: redirects[0] ?? NO_BROWSER },
      }));
    },
    async tokens(context) {
      const kept = await read();
      return kept.tokens[context?.issuer ?? kept.issuer ?? UNKNOWN_ISSUER];
    },
    async saveTokens(tokens, context) {
      const issuer = context?.issuer ?? UNKNOWN_ISSUER;
      release();
      await change((kept) => ({ ...kept, issuer, tokens: { ...kept.tokens, [issuer]: tokens } }));
    },
    redirectToAuthorization(url) {
      opened = browser?.open(url) ?? Promise.resolve(false);
    },
    saveCodeVerifier(codeVerifier) {
      verifier = codeVerifier;
    },
    codeVerifier() {
      return verifier;
    },
    async saveDiscoveryState(discovery) {
      await change((kept) => ({ ...kept, discovery }));
    },
    // For the way back from the browser only: a server that asks anew may have moved to another authorization server (SEP-2352).
    async discoveryState() {
      return isReturning ? (await read()).discovery : undefined;
    },
    async invalidateCredentials(scope) {
      await change((kept) => ({
        ...kept,
        ...(scope === 'all' || scope === 'client' ? { clients: {} } : {}),
        ...(scope === 'all' || scope === 'tokens' ? { tokens: {} } : {}),
      }));
      if (scope === 'all' || scope === 'discovery') {
        await change(({ discovery: _, ...kept }) => kept);
      }
    },
  };

  return {
    provider,
    proofKey: {
      async algorithms() {
        const metadata = (await read()).discovery?.authorizationServerMetadata as Record<string, unknown> | undefined;
        const algorithms = metadata?.['dpop_signing_alg_values_supported'];
        return Array.isArray(algorithms) ? algorithms.filter((each) => typeof each === 'string') : [];
      },
      read: async () => (await read()).proofKey,
      write: (proofKey) => change((kept) => ({ ...kept, proofKey })),
    },
    async callback(signal) {
      try {
        if (browser === undefined || opened === undefined || !(await opened) || signal.aborted) {
          return undefined;
        }
        const parameters = await browser.callback(state, signal);
        const isOurs = isSameSecret(parameters?.get('state') ?? '', state);
        isReturning = isOurs && parameters?.has('code') === true;
        return isOurs ? parameters : undefined;
      } catch {
        return undefined;
      } finally {
        opened = undefined;
        release();
      }
    },
    changeRedirect() {
      const isOther = browser?.change?.() === true;
      redirects[0] = browser?.redirectUrl ?? NO_BROWSER;
      return isOther;
    },
    release,
  };
}
