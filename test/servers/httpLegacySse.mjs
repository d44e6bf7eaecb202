// Speaks HTTP+SSE (2024-11-05). Options: `how`: "" (default), "ends" to end the stream when a call arrives, "ends-once" only the first time, "never" to name no
// endpoint, "foreign" to name one of another server; `post`: status of a POST to the address of the stream, default 404.
import http from 'node:http';
import { answerJson, runAsScript, textResult } from './support/httpServer.mjs';

export async function start({ how = '', post = 404 } = {}) {
  const seen = [];
  let stream;
  let hasEnded = false;
  const results = {
    initialize: ({ params }) => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'sse-test', version: '1.0.0' },
    }),
    'tools/list': () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ id }) => textResult(id, 'done').result,
    ping: () => ({}),
  };
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const path = request.url?.split('?')[0];
    if (request.method === 'GET' && path === '/sse') {
      seen.push({ method: 'GET', headers: request.headers });
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      const endpoints = { never: '', foreign: 'http://127.0.0.2:9/messages' };
      const endpoint = endpoints[how] ?? '/messages?sessionId=s1';
      if (endpoint !== '') {
        response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      }
    } else if (request.method === 'POST' && path === '/messages') {
      const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      seen.push({ method: 'POST', headers: request.headers, message });
      response.writeHead(202).end('Accepted');
      const isEnd = how === 'ends' || (how === 'ends-once' && !hasEnded);
      if (message.method === 'tools/call' && isEnd) {
        hasEnded = true;
        stream.end();
      } else if (message.id !== undefined) {
        const result = results[message.method]?.(message);
        const body = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
        stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body })}\n\n`);
      }
    } else if (Number(post) === 405) {
      answerJson(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Method not allowed.' } }, 405);
    } else {
      response.writeHead(Number(post), { 'content-type': 'text/html' }).end('<pre>Cannot POST /sse</pre>');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${server.address().port}/sse`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

runAsScript(import.meta.url, start);
