// An MCP server that answers each request with a text of the length that it asks for. `echoServer.mjs [--http]`; over HTTP it
// says its port on stdout.
import http from 'node:http';
import process from 'node:process';

const texts = new Map();

function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) {
    return undefined;
  }
  if (method === 'initialize') {
    const serverInfo = { name: 'echo', version: '1.0.0' };
    const { protocolVersion } = params;
    return JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  const length = params?.arguments?.length ?? 0;
  let text = texts.get(length);
  if (text === undefined) {
    text = 'The quick brown fox jumps over the lazy dog. '.repeat(Math.ceil(length / 45)).slice(0, length);
    texts.set(length, text);
  }
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
}

if (process.argv.includes('--http')) {
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = request.method === 'POST' ? answer(Buffer.concat(chunks).toString('utf8')) : undefined;
      if (body === undefined) {
        response.writeHead(request.method === 'POST' ? 202 : 405).end();
        return;
      }
      const bytes = Buffer.from(body);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
} else {
  let held = [];
  process.stdin.on('data', (chunk) => {
    let start = 0;
    for (let lf = chunk.indexOf(10); lf !== -1; lf = chunk.indexOf(10, start)) {
      held.push(chunk.subarray(start, lf));
      start = lf + 1;
      const reply = answer(Buffer.concat(held).toString('utf8'));
      held = [];
      if (reply !== undefined) {
        process.stdout.write(`${reply}\n`);
      }
    }
    held.push(chunk.subarray(start));
  });
}
