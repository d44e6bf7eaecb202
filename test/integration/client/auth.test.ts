import { afterEach, describe, expect, it } from 'vitest';
import { type Browser, createAuthorizer } from '../../../src/core/client/auth/authorizer.ts';
import { createReal, define, http, idOf, type Real } from './support.ts';

interface OAuthServer {
  readonly url: string;
  readonly grants: readonly string[];
  revoke(options?: { readonly refreshToo?: boolean }): void;
  close(): Promise<void>;
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

async function serve(): Promise<OAuthServer> {
  const module: { start(): Promise<OAuthServer> } = await import('../../servers/httpOAuth.mjs' as string);
  const server = await module.start();
  cleanUps.push(() => server.close());
  return server;
}

/** A pool with a person in front of it, or none, and what the person was shown. */
function connectTo(server: OAuthServer, hasPerson: boolean): { readonly real: Real; readonly shown: URL[] } {
  const shown: URL[] = [];
  const kept = new Map<string, string>();
  const browser: Browser = {
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
  const real = createReal(
    [define('a', http(server.url))],
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
          browser: hasPerson ? browser : undefined,
          clientName: 'Faultline',
          newState: () => crypto.randomUUID(),
        }),
    },
  );
  cleanUps.push(() => real.pool.dispose());
  return { real, shown };
}

const call = ({ pool }: Real) =>
  pool.call({ server: idOf('a'), method: 'tools/call', params: { name: 'work', arguments: {} }, origin: 'client' });

describe('a server that asks for authorization', () => {
  it('is connected once a person has agreed, and renews its access by itself', async () => {
    const server = await serve();
    const { real, shown } = connectTo(server, true);
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
    const { real } = connectTo(server, true);
    await call(real);
    expect(JSON.stringify(real.events)).not.toMatch(/\b[ar]t-[\da-f]{8}-/);
  });

  it('is refused where nobody can be asked', async () => {
    const server = await serve();
    const { real } = connectTo(server, false);
    expect(await real.pool.connect(idOf('a'))).toMatchObject({
      kind: 'failed',
      failure: { failure: { reason: 'unauthorized', status: 401 } },
    });
  });
});
