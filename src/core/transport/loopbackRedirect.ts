import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { isSameSecret } from './sameSecret.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';
/** Nobody is waited for longer, so that no port stays open for a person who went away, ms. */
const LIFE_MS = 600_000;

export interface LoopbackOptions {
  readonly clock: Clock;
  /** An earlier redirect of the same kind, whose port is taken again where it is free: some servers compare all of it. */
  readonly before?: string | undefined;
  /** What the person reads in the browser afterwards; plain text. */
  readonly page: { readonly title: string; readonly text: string };
}

/** A listener on the loopback interface for one redirect of an authorization server (RFC 8252, 7.3). */
export interface LoopbackRedirect {
  /** `http://127.0.0.1:<port>/callback`. */
  readonly url: string;
  /** The one `state` that is let in. A redirect that carries another is refused and not waited for. */
  expect(state: string): void;
  /** The parameters of the redirect; `undefined` when `signal` aborts first or the listener was closed. */
  wait(signal: AbortSignal): Promise<URLSearchParams | undefined>;
  /** Frees the port. It is freed by itself after the redirect, or after ten minutes. */
  close(): void;
}

/**
 * Listens on 127.0.0.1 only, on the port of `before` or else a free one; answers a single redirect and closes. `undefined`
 * when nothing can be listened at. Never rejects.
 */
export async function openLoopbackRedirect(options: LoopbackOptions): Promise<LoopbackRedirect | undefined> {
  const arrived = Promise.withResolvers<URLSearchParams | undefined>();
  let expected: string | undefined;
  const server = http.createServer((request, response) => {
    // Anybody can send anything here, and not all of it is a URL.
    const { pathname, searchParams } = new URL(
      `http://${HOST}${/^\/(?!\/)/.test(request.url ?? '') ? request.url : '/'}`,
    );
    if (request.method !== 'GET' || pathname !== PATH) {
      answer(response, 404, '');
    } else if (expected === undefined || !isSameSecret(searchParams.get('state') ?? '', expected)) {
      // Any page can make a browser come here: what does not know the state changes nothing.
      answer(response, 400, '');
    } else {
      expected = undefined;
      answer(response, 200, pageOf(options.page));
      arrived.resolve(searchParams);
      close();
    }
  });
  const port = (await listen(server, portOf(options.before))) ?? (await listen(server, 0));
  if (port === undefined) {
    return undefined;
  }
  // By itself it must not keep a process alive; the wait does.
  server.unref();
  const life = options.clock.setTimer(LIFE_MS, () => close());

  function close(): void {
    life.dispose();
    server.close();
    server.closeIdleConnections();
    arrived.resolve(undefined);
  }

  return {
    url: `http://${HOST}:${port}${PATH}`,
    expect: (state) => {
      expected = state;
    },
    wait: async (signal) => {
      server.ref();
      signal.addEventListener('abort', close, { once: true });
      if (signal.aborted) {
        close();
      }
      return arrived.promise.finally(() => signal.removeEventListener('abort', close));
    },
    close,
  };
}

function portOf(before: string | undefined): number | undefined {
  const url = before !== undefined && URL.canParse(before) ? new URL(before) : undefined;
  return url?.hostname === HOST && url.pathname === PATH && url.port !== '' ? Number(url.port) : undefined;
}

function listen(server: http.Server, port: number | undefined): Promise<number | undefined> {
  if (port === undefined) {
    return Promise.resolve(undefined);
  }
  return new Promise((resolve) => {
    const failed = () => resolve(undefined);
    server.once('error', failed);
    server.listen(port, HOST, () => {
      server.off('error', failed);
      // Of a listening TCP server.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function answer(response: http.ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(page);
}

function pageOf({ title, text }: LoopbackOptions['page']): string {
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title><h1>${escaped(title)}</h1><p>${escaped(text)}</p>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
