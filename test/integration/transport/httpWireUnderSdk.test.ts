import http from 'node:http';
import type net from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { HttpWire } from '../../../src/core/transport/wire.ts';
import * as sseEndsEarly from '../../servers/httpSseEndsEarly.mjs';
import * as sseNoise from '../../servers/httpSseNoise.mjs';
import * as wellBehaved from '../../servers/httpWellBehaved.mjs';
import { until } from '../../unit/core/transport/wireProbe.ts';
import { cleanUps, openWire, serve } from './httpScene.ts';

describe('under the SDK', () => {
  async function connect(url: string, wire: HttpWire) {
    const client = new Client({ name: 'test', version: '1.0.0' });
    client.onerror = () => undefined;
    const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: wire.fetch });
    await client.connect(transport);
    cleanUps.push(() => client.close());
    return { client, transport };
  }

  it.each([
    ['json', () => wellBehaved.start()],
    ['SSE', () => wellBehaved.start({ as: 'sse' })],
    ['SSE among noise', () => sseNoise.start()],
    ['a resumed stream', () => sseEndsEarly.start({ how: 'resume' })],
  ])('a call succeeds over %s', async (_name, start) => {
    const server = await serve(start());
    const { wire, sink, probe } = openWire();
    const { client, transport } = await connect(server.url, wire);
    expect(await client.callTool({ name: 'work' })).toMatchObject({ content: [{ type: 'text' }] });
    await transport.terminateSession();
    expect(probe.lost).toEqual([]);
    expect(sink.bodies('http').map(({ method, status: code }) => `${method} ${code}`)).toEqual(
      expect.arrayContaining(['POST 200', 'POST 202', 'GET 405', 'DELETE 200']),
    );
  });

  it('a call whose stream ends hangs in the SDK, and is lost on the wire', async () => {
    const server = await serve(sseEndsEarly.start());
    const { wire, probe } = openWire();
    const { client } = await connect(server.url, wire);
    const calling = client.callTool({ name: 'work' }).catch(() => 'ended by close');
    const loss = await until(() => probe.lost[0]);
    expect(loss.failure.reason).toBe('stream-ended');
    await client.close();
    expect(await calling).toBe('ended by close');
  });

  it('a redirect is followed and loses nothing', async () => {
    const target = await serve(wellBehaved.start());
    const front = http.createServer((request, response) => {
      if (request.url === '/moved') {
        request.pipe(
          http.request(target.url, { method: request.method ?? 'GET', headers: request.headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(response);
          }),
        );
      } else {
        request.resume();
        response.writeHead(307, { location: '/moved' }).end();
      }
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => new Promise((resolve) => front.close(resolve)));
    const { wire, probe } = openWire();
    const { client } = await connect(`http://127.0.0.1:${(front.address() as net.AddressInfo).port}/mcp`, wire);
    expect(await client.callTool({ name: 'work' })).toMatchObject({ content: [{ text: 'done' }] });
    await client.close();
    await wire.close();
    expect(probe.lost).toEqual([]);
  });
});
