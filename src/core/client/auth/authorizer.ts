import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Authorizer } from '../authorizer.ts';

/** Keeps secrets by name; the operating system's own store in the editor. May reject. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  set(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** Where a person agrees, and how the answer comes back. */
export interface Browser {
  /** Where the authorization server sends the browser afterwards. */
  readonly redirectUrl: string;
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
  /** Issuer of the tokens that were saved last. */
  readonly issuer?: string;
  readonly discovery?: OAuthDiscoveryState;
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
  let isFlowOpen = false;

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
        redirect_uris: [browser?.redirectUrl ?? NO_BROWSER],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
    },
    state() {
      state = options.newState();
      return state;
    },
    async clientInformation(context) {
      return (await read()).clients[context?.issuer ?? UNKNOWN_ISSUER];
    },
    async saveClientInformation(information, context) {
      await change((kept) => ({
        ...kept,
        clients: { ...kept.clients, [context?.issuer ?? UNKNOWN_ISSUER]: information },
      }));
    },
    async tokens(context) {
      const kept = await read();
      return kept.tokens[context?.issuer ?? kept.issuer ?? UNKNOWN_ISSUER];
    },
    async saveTokens(tokens, context) {
      const issuer = context?.issuer ?? UNKNOWN_ISSUER;
      isFlowOpen = false;
      await change((kept) => ({ ...kept, issuer, tokens: { ...kept.tokens, [issuer]: tokens } }));
    },
    redirectToAuthorization(url) {
      isFlowOpen = true;
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
      return isFlowOpen ? (await read()).discovery : undefined;
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
    async callback(signal) {
      try {
        if (browser === undefined || opened === undefined || !(await opened) || signal.aborted) {
          return undefined;
        }
        const parameters = await browser.callback(state, signal);
        return parameters?.get('state') === state ? parameters : undefined;
      } catch {
        return undefined;
      } finally {
        opened = undefined;
      }
    },
  };
}
