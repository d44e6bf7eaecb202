import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttpTap } from '../../../src/core/passthrough/httpTap.ts';
import type { Fact } from '../../../src/core/passthrough/passage.ts';
import { openLoopbackRedirect } from '../../../src/core/transport/loopbackRedirect.ts';
import { FakeClock } from '../support/fakeClock.ts';

/** Targets of a request line that are no URL, or that of another host. */
const TARGETS = ['//', '///', '//evil.example/x', '/\\evil.example', '*', 'http://', '/%', '/?://['];

/** The head of what a listener answers to a request line, which no client of HTTP would send. */
async function answerTo(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text.split('\r\n', 1)[0] ?? '';
}

describe('a target that is no URL', () => {
  it('goes through a tap to its own server, and ends neither', async () => {
    const seen: string[] = [];
    const server = http.createServer((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(204).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const facts: Fact[] = [];
    const tap = await openHttpTap({
      url: new URL(`${origin}/mcp`),
      ca: undefined,
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      tape: {
        passed: () => undefined,
        happened: (_, fact) => facts.push(fact),
        flush: () => undefined,
        recorded: () => undefined,
        lost: () => undefined,
      },
    });
    onTestFinished(async () => {
      await tap.close(0);
      server.close();
    });
    for (const target of TARGETS) {
      await answerTo(tap.address.port, target);
    }
    expect(await answerTo(tap.address.port, '/mcp')).toBe('HTTP/1.1 204 No Content');
    expect(seen.at(-1)).toBe('/mcp');
    const urls = facts.flatMap((fact) => (fact.fact === 'request' ? [fact.url] : []));
    expect(urls.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  });

  it('does not end the wait for a redirect', async () => {
    const redirect = await openLoopbackRedirect({ clock: new FakeClock(), page: { title: 't', text: 't' } });
    redirect?.expect('s1');
    const port = Number(new URL(redirect?.url ?? '').port);
    const waited = redirect?.wait(new AbortController().signal);
    for (const target of TARGETS) {
      expect(await answerTo(port, target)).toMatch(/^HTTP\/1\.1 40[04] /);
    }
    expect(await answerTo(port, '/callback?state=s1&code=c')).toBe('HTTP/1.1 200 OK');
    expect((await waited)?.get('code')).toBe('c');
  });
});
