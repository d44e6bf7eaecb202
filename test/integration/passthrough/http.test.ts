import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../unit/support/seededRandom.ts';
import { anyBytes } from './anyBytes.ts';
import { eventsOf, freshLog, outcomesOf, root, tapHttp, until } from './tapScene.ts';

const opened: (http.Server | https.Server)[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Handler = (request: http.IncomingMessage, response: http.ServerResponse, body: Buffer) => void;

/** A server that is handed whole requests; gives its origin. */
async function serve(handler: Handler): Promise<string> {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    handler(request, response, Buffer.concat(chunks));
  });
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Answer {
  readonly status: number;
  readonly raw: readonly string[];
  readonly body: Buffer;
}

async function ask(
  url: string,
  options: http.RequestOptions = {},
  chunks: readonly (Buffer | string)[] = [],
): Promise<Answer> {
  const request = http.request(url, options);
  for (const chunk of chunks) {
    request.write(chunk);
  }
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const body: Buffer[] = [];
  for await (const chunk of response) {
    body.push(chunk as Buffer);
  }
  return { status: response.statusCode ?? 0, raw: response.rawHeaders, body: Buffer.concat(body) };
}

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'work', arguments: {} } });
const result = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } });
const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const post = { method: 'POST', headers: json };

describe('an HTTP exchange through a tap', () => {
  it.each([1, 2, 3])('has the same bytes both ways, however they are cut (seed %i)', async (seed) => {
    const answer = anyBytes(seed + 50);
    let received: Buffer = Buffer.alloc(0);
    const origin = await serve((_, response, body) => {
      received = body;
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      for (const chunk of answer) {
        response.write(chunk);
      }
      response.end();
    });
    const tap = await tapHttp(freshLog(), `${origin}/mcp`);
    const sent = anyBytes(seed);
    const isCounted = seededRandom(seed)() < 0.5;
    const headers = isCounted ? { 'Content-Length': Buffer.concat(sent).length } : {};
    const { body } = await ask(tap.url, { method: 'POST', headers }, sent);
    expect(body.equals(Buffer.concat(answer))).toBe(true);
    expect(received.equals(Buffer.concat(sent))).toBe(true);
  });

  it('has the same headers but for the host and those between neighbours', async () => {
    let seen: readonly string[] = [];
    let url = '';
    const origin = await serve((request, response) => {
      seen = request.rawHeaders;
      url = request.url ?? '';
      response.sendDate = false;
      response.writeHead(207, 'Odd', [
        'X-A',
        '1',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'Mcp-Session-Id',
        'S',
        'X-Hop',
        '1',
        'Connection',
        'x-hop',
        'Content-Length',
        '2',
      ]);
      response.end('ok');
    });
    const tap = await tapHttp(freshLog(), `${origin}/mcp`);
    const headers = ['AUTHORIZATION', 'Bearer x', 'X-B', '1', 'X-B', '2', 'Host', '127.0.0.1', 'Content-Length', '2'];
    const answer = await ask(new URL('/other?q=%20a', tap.url).href, { method: 'POST', headers: headers as never }, [
      'hi',
    ]);
    expect([answer.status, url]).toEqual([207, '/other?q=%20a']);
    const at = seen.indexOf('Host');
    expect(seen.slice(at, at + 2)).toEqual(['Host', new URL(origin).host]);
    expect(seen.filter((_, index) => index < at).join()).toBe('AUTHORIZATION,Bearer x,X-B,1,X-B,2,Content-Length,2');
    expect(answer.raw.slice(0, 10).join()).toBe(
      'X-A,1,Set-Cookie,a=1,Set-Cookie,b=2,Mcp-Session-Id,S,Content-Length,2',
    );
  });

  it('streams as it comes, and is given up on both sides when the client gives up', async () => {
    let next: http.ServerResponse | undefined;
    let isClosed = false;
    const origin = await serve((_, response) => {
      next = response;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.flushHeaders();
      response.on('close', () => {
        isClosed = true;
      });
    });
    const log = freshLog();
    const tap = await tapHttp(log, `${origin}/mcp`);
    const request = http.request(tap.url, post);
    request.on('error', () => undefined);
    request.end(call);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.on('error', () => undefined);
    for (const text of [': one\n\n', ': two\n\n']) {
      next?.write(text);
      expect(String((await once(response, 'data'))[0])).toBe(text);
    }
    request.destroy();
    await until(() => expect(isClosed).toBe(true));
    tap.child.kill('SIGTERM');
    expect(await tap.ended).toEqual({ code: 0, signal: null });
    expect(await outcomesOf(log)).toEqual([expect.stringMatching(/tools\/call work: cancelled$/)]);
  });

  it('that the server breaks off is broken off', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
      response.write('{"half', () => response.destroy());
    });
    const log = freshLog();
    const tap = await tapHttp(log, `${origin}/mcp`);
    await expect(ask(tap.url, post, [call])).rejects.toThrow(/aborted|hang up/);
    tap.child.kill('SIGTERM');
    await tap.ended;
    expect(await outcomesOf(log)).toEqual([expect.stringMatching(/tools\/call work: transport_error$/)]);
  });

  it('waits for 100 Continue when the client does', async () => {
    const origin = await serve((_, response, body) => response.end(body));
    const tap = await tapHttp(freshLog(), `${origin}/mcp`);
    const request = http.request(tap.url, { method: 'POST', headers: { Expect: '100-continue', 'Content-Length': 4 } });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('body');
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(String((await once(response, 'data'))[0])).toBe('body');
  });

  it.each(['gzip', 'br', 'deflate'])(
    'that is compressed (%s) stays so, and is read for the record',
    async (encoding) => {
      const zlib = await import('node:zlib');
      const pack =
        { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, deflate: zlib.deflateSync }[encoding] ?? gzipSync;
      const packed = pack(result);
      const origin = await serve((_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding });
        response.end(packed);
      });
      const log = freshLog();
      const tap = await tapHttp(log, `${origin}/mcp`);
      const answer = await ask(tap.url, post, [call]);
      expect(answer.body.equals(packed)).toBe(true);
      tap.child.kill('SIGTERM');
      await tap.ended;
      expect(await outcomesOf(log)).toEqual([expect.stringMatching(/tools\/call work: success$/)]);
    },
  );

  it('keeps its connection, and ends it when the server does', async () => {
    const sockets = new Set<net.Socket>();
    const origin = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const tap = await tapHttp(freshLog(), `${origin}/mcp`);
    const agent = new http.Agent({ keepAlive: true });
    for (let index = 0; index < 5; index += 1) {
      expect((await ask(tap.url, { ...post, agent }, [call])).status).toBe(200);
    }
    expect(sockets.size).toBe(1);
    const [idle] = Object.values(agent.freeSockets).flat();
    const ended = once(idle as net.Socket, 'close');
    for (const socket of sockets) {
      socket.destroy();
    }
    await ended;
    expect((await ask(tap.url, { ...post, agent }, [call])).status).toBe(200);
    agent.destroy();
  });
});

describe('a server behind TLS', () => {
  const fixture = (name: string) => path.join(root, 'test/fixtures/tls', name);

  async function serveTls(): Promise<string> {
    const pem = { key: readFileSync(fixture('key.pem')), cert: readFileSync(fixture('cert.pem')) };
    const server = https.createServer(pem, (request, response) => {
      request.resume();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(result);
    });
    opened.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `https://localhost:${(server.address() as AddressInfo).port}`;
  }

  it('is reached with the authorities that are named', async () => {
    const log = freshLog();
    const tap = await tapHttp(log, `${await serveTls()}/mcp`, '--ca', fixture('cert.pem'));
    expect((await ask(tap.url, post, [call])).body.toString()).toBe(result);
    tap.child.kill('SIGTERM');
    await tap.ended;
    expect(await outcomesOf(log)).toEqual([expect.stringMatching(/tools\/call work: success$/)]);
  });

  it('is not reached when nobody vouches for it', async () => {
    const tap = await tapHttp(freshLog(), `${await serveTls()}/mcp`);
    const { status, body } = await ask(tap.url, post, [call]);
    expect([status, body.toString()]).toEqual([502, expect.stringContaining('self-signed certificate')]);
  });
});

describe('a tap that is ended', () => {
  it('lets what is under way come to its end', async () => {
    let answer: (() => void) | undefined;
    const origin = await serve((_, response) => {
      answer = () => response.end(result);
    });
    const tap = await tapHttp(freshLog(), `${origin}/mcp`);
    const asked = ask(tap.url, { ...post, headers: { ...json, Connection: 'close' } }, [call]);
    await until(() => expect(answer).toBeDefined());
    tap.child.kill('SIGTERM');
    // It takes nobody new.
    await until(async () => {
      const socket = net.connect(Number(new URL(tap.url).port), '127.0.0.1');
      const refused = once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code);
      const said = await Promise.race([refused, once(socket, 'connect').then(() => 'connected')]);
      socket.destroy();
      expect(said).toBe('ECONNREFUSED');
    });
    answer?.();
    expect((await asked).body.toString()).toBe(result);
    expect(await tap.ended).toEqual({ code: 0, signal: null });
  });
});

describe('a tap that has to answer by itself', () => {
  it('says so, when the server is not there', async () => {
    const origin = await serve(() => undefined);
    const log = freshLog();
    const tap = await tapHttp(log, `${origin}/mcp`);
    for (const server of opened.splice(0)) {
      server.close();
    }
    const { status, raw, body } = await ask(tap.url, post, [call]);
    expect([status, raw.includes('Faultline-Tap')]).toEqual([502, true]);
    expect(body.toString()).toContain('faultline tap: The server at');
    expect(body.toString()).toContain('This answer is from the tap');
    tap.child.kill('SIGTERM');
    await tap.ended;
    expect(await outcomesOf(log)).toEqual([expect.stringMatching(/tools\/call work: transport_error$/)]);
    expect(eventsOf(log).some(({ body: event }) => event.kind === 'http' && event.failure?.reason === 'refused')).toBe(
      true,
    );
  });

  it('refuses whoever comes by another name, as a page does that rebinds its own', async () => {
    let isReached = false;
    const origin = await serve((_, response) => {
      isReached = true;
      response.end();
    });
    const tap = await tapHttp(freshLog(), `${origin}/mcp`);
    expect((await ask(tap.url, { ...post, headers: { Host: 'evil.example' } }, [call])).status).toBe(403);
    expect(isReached).toBe(false);
  });

  it('asks for its token, and keeps it to itself', async () => {
    let seen: readonly string[] = [];
    const origin = await serve((request, response) => {
      seen = request.rawHeaders;
      response.end('ok');
    });
    const log = freshLog();
    const tap = await tapHttp(log, `${origin}/mcp`, '--token', 's3cr3t-t0ken');
    expect((await ask(tap.url, post, [call])).status).toBe(401);
    expect((await ask(tap.url, { ...post, headers: { ...json, 'Faultline-Token': 'wrong' } }, [call])).status).toBe(
      401,
    );
    expect(
      (await ask(tap.url, { ...post, headers: { ...json, 'faultline-token': 's3cr3t-t0ken' } }, [call])).status,
    ).toBe(200);
    expect(seen.join().toLowerCase()).not.toContain('faultline');
    tap.child.kill('SIGTERM');
    await tap.ended;
    expect(JSON.stringify(eventsOf(log))).not.toContain('s3cr3t');
  });
});

describe('HTTP+SSE through a tap', () => {
  it.each([
    ['relative', ''],
    ['absolute', 'origin'],
  ])('leads the client back through it when the endpoint is %s', async (_, kind) => {
    let origin = '';
    let stream: http.ServerResponse | undefined;
    origin = await serve((request, response) => {
      if (request.method === 'GET') {
        stream = response;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`event: endpoint\ndata: ${kind === '' ? '' : origin}/messages?s=1\n\n`);
      } else {
        response.writeHead(202).end('Accepted');
        stream?.write(`event: message\ndata: ${result}\n\n`);
      }
    });
    const log = freshLog();
    const tap = await tapHttp(log, `${origin}/sse`);
    const request = http.get(tap.url, { headers: { Accept: 'text/event-stream' } });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const [first] = (await once(response, 'data')) as [Buffer];
    const endpoint = /data: (\S+)/.exec(first.toString())?.[1] ?? '';
    expect(new URL(endpoint, tap.url).origin).toBe(new URL(tap.url).origin);
    const answered = once(response, 'data');
    expect((await ask(new URL(endpoint, tap.url).href, post, [call])).status).toBe(202);
    expect(String((await answered)[0])).toBe(`event: message\ndata: ${result}\n\n`);
    request.destroy();
    tap.child.kill('SIGTERM');
    await tap.ended;
    expect(await outcomesOf(log)).toEqual([expect.stringMatching(/tools\/call work: success$/)]);
    expect(eventsOf(log).filter(({ body }) => body.kind === 'note')).toHaveLength(kind === '' ? 0 : 1);
  });
});
