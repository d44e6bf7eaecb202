// A server over stdio whose tools send so many notifications as their names say, as fast as the pipe takes them, and then answer.
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** Notifications a write. */
const BATCH = 200;

const line = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const send = (message) => process.stdout.write(line(message));

const tools = [100, 1000, 10_000, 100_000].map((count) => ({
  name: `burst_${count}`,
  description: `Sends ${count} log messages.`,
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
}));

async function burst(id, count) {
  for (let sent = 0; sent < count; sent += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, count - sent) }, (_, index) =>
      line({
        method: 'notifications/message',
        params: { level: 'info', logger: 'burst', data: `message ${sent + index + 1} of ${count}` },
      }),
    );
    if (!process.stdout.write(lines.join(''))) {
      await once(process.stdout, 'drain');
    }
  }
  send({ id, result: { content: [{ type: 'text', text: `sent ${count}` }] } });
}

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {}, logging: {} },
          serverInfo: { name: 'burst', version: '1.0.0' },
        },
      });
    case 'tools/list':
      return send({ id, result: { tools } });
    case 'tools/call':
      return void burst(id, Number(params.name.slice('burst_'.length)));
    case 'ping':
    case 'logging/setLevel':
      return send({ id, result: {} });
    default:
      return id === undefined ? undefined : send({ id, error: { code: -32601, message: `no ${method}` } });
  }
}

createInterface({ input: process.stdin }).on('line', (text) => answer(JSON.parse(text)));
