import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { type Browser, createAuthorizer } from '../../../src/core/client/auth/authorizer.ts';
import { chosenBrowser } from '../../../src/core/client/auth/chosenBrowser.ts';
import { createLoopbackBrowser } from '../../../src/core/client/auth/loopbackBrowser.ts';
import { createReal, define, http, idOf, type Real } from './support.ts';

interface OAuthServer {
  readonly url: string;
  readonly grants: readonly string[];
  readonly registered: ReadonlyMap<string, readonly string[]>;
  revoke(options?: { readonly refreshToo?: boolean }): void;
  close(): Promise<void>;
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

async function serve(options: Readonly<Record<string, string>> = {}): Promise<OAuthServer> {
  const module: { start(options: object): Promise<OAuthServer> } = await import(
    '../../servers/httpOAuth.mjs' as string
  );
  const server = await module.start(options);
  cleanUps.push(() => server.close());
  return server;
}

/** A person who agrees to everything in a browser that comes back to an address of its own. */
function agreeing(shown: URL[]): Browser {
  return {
    redirectUrl: 'http://127.0.0.1:1/callback',
    open: async (url) => {
      shown.push(url);
      return true;
    },
    callback: async () => {
      const page = await fetch(shown.at(-1)?.href ?? '', { redirect: 'manual' });
      return new URL(page.headers.get('location') ?? '').searchParams;
    },
  };
}

/** The same over the loopback interface: the browser follows the redirect by itself. */
function overLoopback(shown: URL[]): Browser {
  return createLoopbackBrowser({
    clock: systemClock,
    page: { title: 'Signed in', text: 'Go back.' },
    show: async (url) => {
      shown.push(url);
      return (await fetch(url)).ok;
    },
  });
}

/** A pool with a browser, or none, and what the person in front of it was shown. */
function connectTo(
  server: OAuthServer,
  createBrowser: ((shown: URL[]) => Browser) | undefined,
  kept = new Map<string, string>(),
  isLegacySse = false,
): { readonly real: Real; readonly shown: URL[]; readonly kept: Map<string, string> } {
  const shown: URL[] = [];
  const real = createReal(
    [define('a', { ...http(server.url), ...(isLegacySse ? { isLegacySse } : {}) })],
    {},
    {
      authorizer: () =>
        createAuthorizer({
          serverUrl: server.url,
          store: {
            get: async (key) => kept.get(key),
            set: async (key, value) => void kept.set(key, value),
            delete: async (key) => void kept.delete(key),
          },
          browser: createBrowser?.(shown),
          clientName: 'Faultline',
          newState: () => crypto.randomUUID(),
        }),
    },
  );
  cleanUps.push(() => real.pool.dispose());
  return { real, shown, kept };
}

const call = ({ pool }: Real) =>
  pool.call({ server: idOf('a'), method: 'tools/call', params: { name: 'work', arguments: {} }, origin: 'client' });

describe('a server that asks for authorization', () => {
  it('is connected once a person has agreed, and renews its access by itself', async () => {
    const server = await serve();
    const { real, shown } = connectTo(server, agreeing);
    expect((await real.pool.connect(idOf('a'))).kind).toBe('running');
    expect((await call(real)).kind).toBe('success');
    expect(shown.length).toBe(1);
    server.revoke();
    expect((await call(real)).kind).toBe('success');
    expect(shown.length).toBe(1);
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('records no token', async () => {
    const server = await serve();
    const { real } = connectTo(server, agreeing);
    await call(real);
    expect(JSON.stringify(real.events)).not.toMatch(/\b[ar]t-[\da-f]{8}-/);
  });

  it('is refused where nobody can be asked', async () => {
    const server = await serve();
    const { real } = connectTo(server, undefined);
    expect(await real.pool.connect(idOf('a'))).toMatchObject({
      kind: 'failed',
      failure: { failure: { reason: 'unauthorized', status: 401 } },
    });
  });
});

const CODE = 'authorization_code';
const REFRESH = 'refresh_token';
const redirectOf = (url: URL | undefined) => url?.searchParams.get('redirect_uri') ?? '';

describe('a redirect to the loopback interface', () => {
  it('brings a person back, to the address that was registered', async () => {
    const server = await serve({ loopbackOnly: '1', exact: '1' });
    const { real, shown } = connectTo(server, overLoopback);
    expect((await call(real)).kind).toBe('success');
    expect([...server.registered.values()]).toEqual([[redirectOf(shown[0])]]);
    expect(redirectOf(shown[0])).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  it('is the same the next time, and registered again where its port is taken', async () => {
    const server = await serve({ exact: '1' });
    const first = connectTo(server, overLoopback);
    expect((await call(first.real)).kind).toBe('success');
    await first.real.pool.dispose();
    server.revoke({ refreshToo: true });
    const second = connectTo(server, overLoopback, first.kept);
    expect((await call(second.real)).kind).toBe('success');
    expect([redirectOf(second.shown[0]), server.registered.size]).toEqual([redirectOf(first.shown[0]), 1]);
    await second.real.pool.dispose();

    server.revoke({ refreshToo: true });
    const squatter = createServer();
    cleanUps.push(() => new Promise((resolve) => squatter.close(resolve)));
    await new Promise<void>((resolve) =>
      squatter.listen(Number(new URL(redirectOf(first.shown[0])).port), '127.0.0.1', resolve),
    );
    forgetTokens(second.kept);
    const third = connectTo(server, overLoopback, second.kept);
    expect((await call(third.real)).kind).toBe('success');
    expect([redirectOf(third.shown[0]) === redirectOf(first.shown[0]), server.registered.size]).toEqual([false, 2]);
  });

  it('takes the place of one that the authorization server will not register', async () => {
    const server = await serve({ loopbackOnly: '1' });
    const editor: Browser = { ...agreeing([]), redirectUrl: 'vscode://faultline.faultline/oauth' };
    const either = (all: URL[]) => chosenBrowser('auto', editor, overLoopback(all));
    const { real, shown, kept } = connectTo(server, either);
    expect((await call(real)).kind).toBe('success');
    server.revoke({ refreshToo: true });
    forgetTokens(kept);
    expect((await call(real)).kind).toBe('success');
    expect([shown.map((url) => new URL(redirectOf(url)).hostname), server.registered.size]).toEqual([
      ['127.0.0.1', '127.0.0.1'],
      1,
    ]);
  });

  it('is not tried where the user wants the other', async () => {
    const server = await serve({ loopbackOnly: '1' });
    const editor: Browser = { ...agreeing([]), redirectUrl: 'vscode://faultline.faultline/oauth' };
    const { real } = connectTo(server, (all) => chosenBrowser('editor', editor, overLoopback(all)));
    expect(await real.pool.connect(idOf('a'))).toMatchObject({
      kind: 'failed',
      failure: { failure: { reason: 'unauthorized', code: 'RegistrationRejectedError' } },
    });
  });

  it('leads to a refusal when the person refuses', async () => {
    const server = await serve({ deny: '1' });
    const { real, shown } = connectTo(server, overLoopback);
    expect(await real.pool.connect(idOf('a'))).toMatchObject({
      kind: 'failed',
      failure: { failure: { reason: 'unauthorized', status: 401 } },
    });
    expect([shown.length, server.grants]).toEqual([1, []]);
  });
});

describe('a server over HTTP+SSE that asks for authorization', () => {
  it.each([
    ['that is known to speak it', true],
    ['that is found to', false],
  ])('%s is connected, and access renewed while it is', async (_name, isLegacySse) => {
    const server = await serve({ sse: '1' });
    const { real, shown } = connectTo(server, overLoopback, new Map(), isLegacySse);
    expect((await real.pool.connect(idOf('a'))).kind).toBe('running');
    expect((await call(real)).kind).toBe('success');
    server.revoke();
    expect((await call(real)).kind).toBe('success');
    server.revoke({ refreshToo: true });
    expect((await call(real)).kind).toBe('success');
    expect([shown.length, server.grants]).toEqual([2, [CODE, REFRESH, REFRESH, CODE]]);
    expect(JSON.stringify(real.events)).not.toMatch(/\b[ar]t-[\da-f]{8}-/);
  });

  it('is refused where nobody can be asked', async () => {
    const server = await serve({ sse: '1' });
    const { real } = connectTo(server, undefined, new Map(), true);
    expect(await real.pool.connect(idOf('a'))).toMatchObject({
      kind: 'failed',
      failure: { failure: { reason: 'unauthorized', status: 401 } },
    });
  });
});

describe('an authorization server that knows bound tokens', () => {
  it.each([
    ['Streamable HTTP', ''],
    ['HTTP+SSE', '1'],
  ])('gets a proof with each request over %s, by a key that is kept', async (_name, sse) => {
    const server = await serve({ dpop: '1', sse });
    const first = connectTo(server, overLoopback);
    expect((await call(first.real)).kind).toBe('success');
    await first.real.pool.dispose();
    const [kept = '{}'] = first.kept.values();
    const { tokens } = JSON.parse(kept) as { tokens: Record<string, { access_token: string; token_type: string }> };
    const [token] = Object.values(tokens);
    expect(token?.token_type).toBe('DPoP');
    // Of no use to whoever has it without the key.
    const stolen = { method: 'POST', headers: { authorization: `Bearer ${token?.access_token}` }, body: '{}' };
    expect((await fetch(server.url, stolen)).status).toBe(401);

    const second = connectTo(server, undefined, first.kept);
    expect((await call(second.real)).kind).toBe('success');
    server.revoke();
    expect((await call(second.real)).kind).toBe('success');
    expect(server.grants).toEqual([CODE, REFRESH]);
    expect(JSON.stringify([...first.real.events, ...second.real.events])).not.toMatch(/"dpop":"ey|\b[ar]t-[\da-f]{8}-/);
  });

  it('goes on with another key when that one cannot be read', async () => {
    const server = await serve({ dpop: '1' });
    const first = connectTo(server, overLoopback);
    expect((await call(first.real)).kind).toBe('success');
    await first.real.pool.dispose();
    for (const [key, text] of first.kept) {
      first.kept.set(key, JSON.stringify({ ...JSON.parse(text), proofKey: 'no key' }));
    }
    const second = connectTo(server, overLoopback, first.kept);
    expect((await call(second.real)).kind).toBe('success');
  });
});

/** As after a sign-out that left the registration. */
function forgetTokens(kept: Map<string, string>): void {
  for (const [key, text] of kept) {
    kept.set(key, JSON.stringify({ ...JSON.parse(text), tokens: {} }));
  }
}
