// The well-behaved part of every Streamable HTTP server here: a session, the handshake, `ping`, and one tool `work`.
// What a server does wrong stands in its own file, which exports `start(options)` for a test in the same process and,
// run as a script, prints its URL as the first line and ends with its stdin.
import http from 'node:http';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

export const textResult = (id, text) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

export function answerJson(response, message, status = 200, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(message));
}

export function openSse(response, headers = {}) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
  response.flushHeaders();
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Listens on a free port of 127.0.0.1. `onCall` answers each `tools/call`; `onPost` sees every message first, `onGet` and
 * `onDelete` those requests, and each returns true when it has dealt with it; `hasSession` false gives no session. Resolves to the URL, the requests seen so
 * far (method, headers, message) and a `close` that drops all sockets.
 */
export async function listen({ onCall, onPost, onGet, onDelete, hasSession = true } = {}) {
  const seen = [];
  const answers = {
    initialize: (params) => ({
      protocolVersion: params?.protocolVersion ?? '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'http-test', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
  };
  const server = http.createServer(async (request, response) => {
    const text = await bodyOf(request);
    const message = request.method === 'POST' ? JSON.parse(text) : undefined;
    seen.push({ method: request.method, headers: request.headers, message });
    if (request.method === 'GET') {
      if (!onGet?.(request, response)) {
        response.writeHead(405).end();
      }
    } else if (request.method === 'DELETE') {
      if (!onDelete?.(request, response)) {
        response.writeHead(200).end();
      }
    } else if (onPost?.(message, response, request)) {
      // Dealt with.
    } else if (message.id === undefined || message.method === undefined) {
      response.writeHead(202).end();
    } else if (message.method === 'tools/call') {
      (onCall ?? ((call) => answerJson(response, textResult(call.id, 'done'))))(message, response, request);
    } else if (Object.hasOwn(answers, message.method)) {
      const headers = message.method === 'initialize' && hasSession ? { 'mcp-session-id': 'session-0123456789' } : {};
      answerJson(
        response,
        { jsonrpc: '2.0', id: message.id, result: answers[message.method](message.params) },
        200,
        headers,
      );
    } else {
      answerJson(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Runs `start` when its module is the script: options are `name=value` arguments. */
export async function runAsScript(moduleUrl, start) {
  if (process.argv[1] === undefined || pathToFileURL(process.argv[1]).href !== moduleUrl) {
    return;
  }
  const options = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split(/=(.*)/s).slice(0, 2)));
  const server = await start(options);
  process.stdout.write(`${server.url}\n`);
  process.stdin.on('end', () => server.close()).resume();
}
