import { auth } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { authorizationKey, type Browser, createAuthorizer } from '../../../../../src/core/client/auth/authorizer.ts';

interface OAuthServer {
  readonly url: string;
  readonly grants: readonly string[];
  readonly registered: ReadonlySet<string>;
  revoke(options?: { readonly refreshToo?: boolean }): void;
  close(): Promise<void>;
}

const servers: OAuthServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(options: object = {}): Promise<OAuthServer> {
  const module: { start(options: object): Promise<OAuthServer> } = await import(
    '../../../../servers/httpOAuth.mjs' as string
  );
  const server = await module.start(options);
  servers.push(server);
  return server;
}

/** A person who follows the link and comes back; `tamper` changes what the browser brings. */
function person(tamper: (parameters: URLSearchParams) => URLSearchParams | undefined = (same) => same): Browser & {
  readonly visited: URL[];
} {
  const visited: URL[] = [];
  return {
    visited,
    redirectUrl: 'http://127.0.0.1:1/callback',
    open: async (url) => {
      visited.push(url);
      return true;
    },
    callback: async () => {
      const page = await fetch(visited.at(-1)?.href ?? '', { redirect: 'manual' });
      return tamper(new URL(page.headers.get('location') ?? '').searchParams);
    },
  };
}

function keep(kept = new Map<string, string>()) {
  return {
    kept,
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: string) => void kept.set(key, value),
    delete: async (key: string) => void kept.delete(key),
  };
}

/** The flow as a transport drives it: ask, wait for the browser, redeem. Gives what became of it. */
async function signIn(server: OAuthServer, browser: Browser | undefined, store = keep()) {
  let count = 0;
  const authorizer = createAuthorizer({
    serverUrl: server.url,
    store,
    browser,
    clientName: 'Faultline',
    newState: () => {
      count += 1;
      return `state-${count}`;
    },
  });
  const { provider } = authorizer;
  const asked = await auth(provider, { serverUrl: server.url });
  if (asked === 'AUTHORIZED') {
    return { result: asked, authorizer, store };
  }
  const parameters = await authorizer.callback(new AbortController().signal);
  const code = parameters?.get('code');
  const result =
    code === undefined || code === null
      ? 'refused'
      : await auth(provider, { serverUrl: server.url, authorizationCode: code });
  return { result, authorizer, store };
}

const tokenOf = async ({ authorizer }: Awaited<ReturnType<typeof signIn>>) =>
  (await authorizer.provider.tokens())?.access_token;

const isAccepted = async (server: OAuthServer, token: string | undefined) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(server.url, { method: 'POST', headers, body })).status === 200;
};

describe('an authorizer', () => {
  it('gets a token through the browser, with a challenge and a state', async () => {
    const server = await serve();
    const browser = person();
    const signedIn = await signIn(server, browser);
    expect(signedIn.result).toBe('AUTHORIZED');
    expect(await isAccepted(server, await tokenOf(signedIn))).toBe(true);
    const asked = Object.fromEntries(browser.visited[0]?.searchParams ?? []);
    expect(asked).toMatchObject({
      state: 'state-1',
      code_challenge_method: 'S256',
      redirect_uri: browser.redirectUrl,
      scope: 'shop',
      resource: server.url,
    });
    expect([...signedIn.store.kept.keys()]).toEqual([authorizationKey(server.url)]);
  });

  it('goes on with what was kept: refreshes without a browser, and registers once', async () => {
    const server = await serve();
    const first = await signIn(server, person());
    server.revoke();
    const second = await signIn(server, undefined, first.store);
    expect(second.result).toBe('AUTHORIZED');
    expect(await isAccepted(server, await tokenOf(second))).toBe(true);
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
    expect(server.registered.size).toBe(1);
  });

  it('asks again when the refresh is refused', async () => {
    const server = await serve();
    const first = await signIn(server, person());
    server.revoke({ refreshToo: true });
    const browser = person();
    const second = await signIn(server, browser, first.store);
    expect([second.result, browser.visited.length]).toEqual(['AUTHORIZED', 1]);
  });

  it.each<readonly [string, Browser | undefined, object]>([
    ['nobody can be asked', undefined, {}],
    ['the person will not', { ...person(), open: async () => false }, {}],
    ['the browser does not come back', { ...person(), callback: async () => undefined }, {}],
    ['the wait fails', { ...person(), callback: () => Promise.reject(new Error('gone')) }, {}],
    [
      'the state is another',
      person((parameters) => {
        parameters.set('state', 'forged');
        return parameters;
      }),
      {},
    ],
    ['the server refuses', person(), { deny: '1' }],
  ])('gives no token when %s', async (_name, browser, options) => {
    const server = await serve(options);
    const refused = await signIn(server, browser);
    expect(refused.result).toBe('refused');
    expect(await tokenOf(refused)).toBeUndefined();
  });

  it('keeps nothing that it cannot read, and nothing beyond what was invalidated', async () => {
    const server = await serve();
    const broken = keep(new Map([[authorizationKey(server.url), '{']]));
    const signedIn = await signIn(server, person(), broken);
    expect(signedIn.result).toBe('AUTHORIZED');
    const { provider } = signedIn.authorizer;
    await provider.invalidateCredentials?.('tokens');
    // What was discovered is for the way back from the browser: whoever asks anew may have moved.
    expect([await provider.tokens(), await provider.discoveryState?.()]).toEqual([undefined, undefined]);
    const kept = () => JSON.parse(broken.kept.get(authorizationKey(server.url)) ?? '');
    expect(kept().discovery).toBeDefined();
    await provider.invalidateCredentials?.('all');
    expect(kept()).toEqual(expect.not.objectContaining({ discovery: expect.anything() }));
    expect(kept()).toMatchObject({ clients: {}, tokens: {} });
  });

  it.each([
    ['https://a.test/mcp?x=1#y', 'oauth.https://a.test/mcp'],
    ['https://A.test', 'oauth.https://a.test/'],
    ['no url', 'oauth.no url'],
  ])('keeps what belongs to %s under %s', (url, key) => {
    expect(authorizationKey(url)).toBe(key);
  });
});
