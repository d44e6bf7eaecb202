// The well-behaved part of every stdio server here: one JSON-RPC message a line, the handshake of any legacy revision,
// `ping`, and one tool `work`. What a server does wrong stands in its own file.
import process from 'node:process';

/** Writes exactly these bytes to stdout; resolves once they have left. */
export function write(bytes) {
  return new Promise((resolve) => {
    process.stdout.write(bytes, () => resolve());
  });
}

/** Writes one message as a line. */
export function send(message) {
  return write(`${JSON.stringify(message)}\n`);
}

export function textResult(id, text) {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

/**
 * Answers the handshake and the tool list; hands every `tools/call` to `onCall`, notifications to `onNotification`, and
 * each request to `onRequest` first, which returns true when it has dealt with it.
 */
export function serve({ onCall, onNotification, onRequest } = {}) {
  const answers = {
    initialize: (params) => ({
      protocolVersion: params?.protocolVersion ?? '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: process.argv[1]?.split(/[\\/]/).pop() ?? 'test', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
  };
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((text) => text !== '')) {
      const message = JSON.parse(line);
      if (message.id === undefined) {
        onNotification?.(message);
      } else if (message.method === undefined || onRequest?.(message)) {
        // An answer to a request of ours, or dealt with.
      } else if (message.method === 'tools/call') {
        (onCall ?? ((call) => send(textResult(call.id, 'done'))))(message);
      } else if (Object.hasOwn(answers, message.method)) {
        send({ jsonrpc: '2.0', id: message.id, result: answers[message.method](message.params) });
      } else {
        send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
      }
    }
  });
}
